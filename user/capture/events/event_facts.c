// SPDX-License-Identifier: GPL-2.0-only
#include "capture/events/event_facts.h"

#include <stdarg.h>

#include "capture/events/capture_options.h"
#include "capture/events/event.h"
#include "capture/events/source.h"
#include "capture/events/tracepoint.h"
#include "capture/host/cpus.h"

void event_facts__add(const struct event_fact_sink *sink, const char *name, const char *format, ...)
{
	char text[4096];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	sink->tell(sink->context, name, text);
}

void event_facts__add_sampling(const struct event_fact_sink *sink, const struct event *event,
			       double rate_hz)
{
	const char *modes = !event->words.in_kernel ? ", in user mode"
			    : event->words.in_user  ? ""
						    : ", in kernel mode";

	if (event->words.freq_hz)
		event_facts__add(sink, "a sample", "%" PRIu64 " times a second on each CPU%s",
				 event->words.freq_hz, modes);
	else if (event->has_rate)
		event_facts__add(sink, "a sample", "%g times a second on each CPU (-F)%s", rate_hz,
				 modes);
	else if (event->attr.sample_period > 1)
		event_facts__add(sink, "a sample", "each %" PRIu64 " events on each CPU%s",
				 (uint64_t)event->attr.sample_period, modes);
	else
		event_facts__add(sink, "a sample", "each one%s", modes);
}

void event_facts__add_hits(const struct event_fact_sink *sink, const struct event *event,
			   const char *hit)
{
	const unsigned int nr_conditions = event->tracepoint->settings.nr_conditions;
	const uint64_t period = event->words.period ? event->words.period : 1;
	char conditions[64] = "";

	if (nr_conditions)
		snprintf(conditions, sizeof(conditions), " of those that meet %u condition%s",
			 nr_conditions, nr_conditions == 1 ? "" : "s");
	if (period > 1)
		event_facts__add(sink, "a sample", "one %s in %" PRIu64 " on each CPU%s", hit,
				 period, conditions);
	else
		event_facts__add(sink, "a sample", "each %s%s", hit, conditions);
}

static struct source_options options_of(const struct capture_options *asked, struct cpus *cpus)
{
	return (struct source_options){
		.asked = asked,
		.rate_hz = asked->rate_hz,
		.everyone = asked->scope == SCOPE_SYSTEM,
		.cpus = cpus,
	};
}

void event_facts__tell(const struct event *event, const struct capture_options *asked,
		       const struct event_fact_sink *sink)
{
	const struct source_options options = options_of(asked, NULL);
	const struct metric *count = &event->metrics.of[VALUE_COUNT];
	const struct metric *weight = &event->metrics.of[VALUE_WEIGHT];
	const char *const *programs = event->source->programs;

	event->source->tell(event, &options, sink);
	event_facts__add(sink, "values", "%s in %s, %s in %s; the %s is shown", count->name,
			 count->unit, weight->name, weight->unit,
			 event->metrics.shown == VALUE_COUNT ? "first" : "second");
	event_facts__add(sink, "BPF program", "%s with unwind tables, %s with frame pointers",
			 programs[WALK_TABLES], programs[WALK_FRAME_POINTERS]);
}

int event_facts__try(const struct event *event, const struct capture_options *asked,
		     struct error *err)
{
	struct cpus cpus = {0};
	const struct source_options options = options_of(asked, &cpus);
	void *state = NULL;
	int code = cpus__open(&cpus, NULL, 0, err);

	if (!code) {
		code = event->source->open(&state, event, &options, err);
		event->source->close(state);
	}
	cpus__close(&cpus);
	return code;
}
