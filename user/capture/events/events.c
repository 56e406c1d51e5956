// SPDX-License-Identifier: GPL-2.0-only
#include <unistd.h>

#include "capture/events/alloc_words.h"
#include "capture/events/capture_options.h"
#include "capture/events/event.h"
#include "capture/events/perf_names.h"
#include "capture/events/pmu.h"
#include "capture/events/presets.h"
#include "capture/events/probe.h"
#include "capture/events/source.h"
#include "capture/events/suggestions.h"
#include "capture/events/tracefs.h"
#include "capture/events/tracepoint.h"
#include "capture/host/features.h"

/* Adds all names that -e takes and that are similar to the wanted one. */
static void suggest(struct suggestions *near, const char *wanted)
{
	const struct source *const *source;
	const struct preset *preset;
	char name[PERF_NAME_SIZE];
	struct error err;
	int tracefs;
	size_t n;

	for (source = sources; *source; source++)
		if ((*source)->name)
			suggestions__add(near, (*source)->name, wanted, 0);
	for (preset = presets; preset->name; preset++)
		suggestions__add(near, preset->name, wanted, 0);
	for (n = 0; perf_names__get(n, name); n++)
		suggestions__add(near, name, wanted, 0);
	pmu__suggest(PMU_DIRECTORY, wanted, near);
	tracefs = strchr(wanted, ':') ? -1 : tracefs__open(&err);
	if (tracefs < 0)
		return;
	tracepoint_names__suggest(near, tracefs, wanted);
	close(tracefs);
}

static int say_unknown(const struct event *event, struct error *err)
{
	const char *wanted = event->words.name;
	const struct preset *preset = preset__find(wanted, strlen(wanted));
	struct suggestions near = {0};
	struct quoted quoted;
	char names[256];

	if (preset)
		return error__say(
			err, EXIT_USAGE, -EINVAL,
			"%s has neither terms nor modes, as it is several events: say -e %s",
			preset->name, preset->events);
	suggest(&near, wanted);
	error__say(err, EXIT_USAGE, -ENOENT, "no such event: %s%s", quote(&quoted, wanted),
		   suggestions__format(&near, "; near: ", names, sizeof(names)));
	suggestions__fini(&near);
	return -ENOENT;
}

/* Parses words for a source that has a name and no terms. Returns as parse of source.h. */
static int parse_name(struct event *event, const struct source *source, struct error *err)
{
	if (!source->name || strcmp(event->words.name, source->name) != 0)
		return 0;
	if (!event_words__are_bare(&event->words))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "the event %s has neither terms nor modes; use -U and -K",
				  source->name);
	event->name = xstrdup(source->name);
	event->metrics = *source->metrics;
	event->has_rate = source->has_rate;
	return 1;
}

/* Refuses a repeated event: both would have the same name in files and reports. */
static int say_twice(const struct event_words *first, const struct event *second, struct error *err)
{
	const struct event_words *again = &second->words;
	const char *name = strcmp(first->said, again->said) ? second->name : again->said;
	struct quoted quoted;
	int code = error__say(err, EXIT_USAGE, -EINVAL, "-e has %s twice", quote(&quoted, name));

	if (first->period == again->period && first->freq_hz == again->freq_hz &&
	    first->unit == again->unit)
		return code;
	return error__remedy(err, "another period, rate or unit makes no other event of it");
}

static int check_twice(const struct events *events, struct error *err)
{
	const struct event *last = &events->list[events->nr - 1];
	struct quoted quoted;
	size_t i;

	for (i = 0; i + 1 < events->nr; i++) {
		const struct event *event = &events->list[i];

		if (!strcmp(event->name, last->name))
			return say_twice(&event->words, last, err);
		if (event->source->is_timed && last->source->is_timed)
			return error__say(err, EXIT_USAGE, -EINVAL,
					  "-e takes one of off-cpu, wall and lock: each is made "
					  "of the same waits");
		if (event->attr.type == PERF_TYPE_TRACEPOINT &&
		    last->attr.type == PERF_TYPE_TRACEPOINT &&
		    event->attr.config == last->attr.config)
			return error__say(err, EXIT_USAGE, -EINVAL,
					  "-e has the tracepoint %s twice, and the kernel runs a "
					  "program there once: make two runs of it",
					  quote(&quoted, last->words.name));
	}
	return 0;
}

static int add_event(struct events *events, const char *item, size_t length, struct error *err)
{
	struct event *event = &events->list[events->nr];
	const struct source *const *source;
	int code;

	if (events->nr == ABI_MAX_EVENTS)
		return error__say(err, EXIT_USAGE, -E2BIG, "-e takes %d events at most",
				  ABI_MAX_EVENTS);
	code = event_words__parse(&event->words, item, length, err);
	if (code)
		return code;
	events->nr++;

	for (source = sources; *source && !code; source++) {
		code = (*source)->parse ? (*source)->parse(event, err)
					: parse_name(event, *source, err);
		if (code > 0)
			event->source = *source;
	}
	if (code <= 0)
		return code ? code : say_unknown(event, err);
	if (!event->name)
		event->name = xstrdup(event->words.said);
	return check_twice(events, err);
}

typedef int add_item(struct events *events, const char *item, size_t length, struct error *err);

static int add_list(struct events *events, const char *list, add_item *add, struct error *err)
{
	size_t length = event_words__item_length(list);
	int code = add(events, list, length, err);

	while (!code && list[length]) {
		list += length + 1;
		length = event_words__item_length(list);
		code = add(events, list, length, err);
	}
	return code;
}

/*
 * Adds an event or the events of a preset. An error of one of them names the preset, as the user
 * wrote only that.
 */
static int add_event_or_preset(struct events *events, const char *item, size_t length,
			       struct error *err)
{
	const struct preset *preset = preset__find(item, length);
	int code;

	if (!preset)
		return add_event(events, item, length, err);
	code = add_list(events, preset->events, add_event, err);
	return code ? error__remedy(err, "%s is -e %s", preset->name, preset->events) : 0;
}

int events__parse(struct events *events, const char *text, struct error *err)
{
	struct quoted quoted;
	int code;

	*events = (struct events){0};
	code = add_list(events, text ? text : "cpu", add_event_or_preset, err);
	for (size_t i = 0; i < events->nr && !code; i++)
		if (events->list[i].source->is_level && !alloc_words__mean_of(events))
			code = error__say(err, EXIT_USAGE, -EINVAL,
					  "-e %s is of what another event samples: -e alloc --live "
					  "has both",
					  quote(&quoted, events->list[i].name));
	if (code)
		events__free(events);
	return code;
}

void events__free(struct events *events)
{
	for (size_t i = 0; i < events->nr; i++) {
		struct event *event = &events->list[i];

		if (event->tracepoint)
			tracepoint__free(event->tracepoint);
		if (event->probe)
			probe__free(event->probe);
		free(event->tracepoint);
		free(event->probe);
		event_words__free(&event->words);
		free(event->name);
		free(event->count_name);
	}
	*events = (struct events){0};
}

void events__choose_sources(struct events *events, const struct capture_options *asked)
{
	const bool has_no_library = asked->scope == SCOPE_PROCESSES ||
				    asked->scope == SCOPE_THREAD || asked->alloc_program;

	for (size_t i = 0; i < events->nr; i++) {
		struct event *event = &events->list[i];

		if (event->without_library && has_no_library)
			event->source = event->without_library;
		if (event->by_tracepoint && features__has(FEATURE_TP_BTF)) {
			event->source = event->by_tracepoint;
			event->one_in = event->words.period;
			event->period = event->one_in ? event->one_in : 1;
		}
	}
}

uint64_t event__period(const struct event *event, double rate_hz)
{
	if (event->period || !event->has_rate ||
	    metric__unit_ns(&event->metrics.of[VALUE_WEIGHT]) != 1)
		return event->period;
	return (uint64_t)(1e9 / rate_hz + 0.5);
}
