// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of perf counters: of the kernel, of the processor, and of its PMUs. Each CPU's descriptor
 * has a count of its own. It tells how many samples were due, whether or not the program ran. With
 * a frequency in place of a period that number is unknown.
 */
#include <linux/perf_event.h>
#include <math.h>

#include "capture/events/event.h"
#include "capture/events/event_facts.h"
#include "capture/events/perf_attr.h"
#include "capture/events/pmu.h"
#include "capture/events/source.h"
#include "capture/sources/perf_events.h"
#include "profile/ledger.h"

/*
 * Leaves context switches to the scheduler's raw tracepoint where programs can attach to it, as it
 * misses none.
 */
static int parse(struct event *event, struct error *err)
{
	const struct perf_event_attr *attr = &event->attr;
	int code = perf_attr__fill(&event->attr, &event->words, PMU_DIRECTORY, &event->name, err);

	if (code <= 0)
		return code;
	if (attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_CONTEXT_SWITCHES)
		event->by_tracepoint = &switch_source;
	event->has_rate = attr->freq;
	event->period = attr->freq ? 0 : attr->sample_period;
	event->metrics = (struct metrics){
		.of = {[VALUE_COUNT] = {event->name, "count", .is_events = true},
		       [VALUE_WEIGHT] = {event->name, .unit = "events"}},
		.shown = VALUE_COUNT,
	};
	return 1;
}

static void tell(const struct event *event, const struct source_options *options,
		 const struct event_fact_sink *sink)
{
	const struct perf_event_attr *attr = &event->attr;

	event_facts__add(sink, "perf event", "type %u, config %#llx", attr->type, attr->config);
	if (attr->config1 || attr->config2)
		event_facts__add(sink, "config1, config2", "%#llx, %#llx", attr->config1,
				 attr->config2);
	event_facts__add_sampling(sink, event, options->rate_hz);
	event_facts__add(sink, "ledger", "%s",
			 attr->freq ? "with a frequency the number of due samples is not known"
				    : "each descriptor's own count says how many samples were due");
}

static uint64_t whole_hz(double rate_hz)
{
	return (uint64_t)fmax(1, round(rate_hz));
}

static int explain(const struct event *event, int code, struct error *err)
{
	struct quoted quoted;

	/* For the others the kernel knows the event, but this machine cannot count it. */
	if (code != -EINVAL && code != -ENOENT && code != -ENODEV && code != -EOPNOTSUPP &&
	    code != -ENXIO)
		return code;
	quote(&quoted, event->name);
	if (event->attr.type == PERF_TYPE_SOFTWARE || code == -EINVAL)
		return error__say(err, EXIT_SYSTEM, code, "this kernel does not sample %s%s",
				  quoted.text,
				  event->attr.freq ? " so often: kernel.perf_event_max_sample_rate "
						     "may be too low"
						   : "");
	return error__say(
		err, EXIT_SYSTEM, code,
		"this machine has no counter for %s: its processor, or the hypervisor, offers "
		"none; -e cpu needs none",
		quoted.text);
}

static int open_counters(void **state, const struct event *event,
			 const struct source_options *options, struct error *err)
{
	struct perf_event_attr attr = event->attr;
	int code;

	if (attr.freq)
		attr.sample_freq =
			event->words.freq_hz ? event->words.freq_hz : whole_hz(options->rate_hz);
	code = perf_events__open(state, &attr, options, NULL, err);
	return code ? explain(event, code, err) : 0;
}

static void account_counters(void *state, uint64_t nr_runs, struct ledger *ledger)
{
	struct perf_events *counters = state;
	struct perf_event *counter;
	uint64_t lost = 0;
	size_t i;

	if (counters->attr.freq)
		return;
	for (i = 0; i < counters->nr_events; i++) {
		counter = &counters->events[i];
		counters->nr_due += growth_of(&counter->nr_due, counter->count / counter->period);
	}
	if (counters->nr_due > nr_runs)
		lost = growth_of(&counters->nr_lost, counters->nr_due - nr_runs);
	ledger->lost[LOSS_PROGRAM_BUSY] += lost;
	ledger->events += lost;
}

/*
 * Opens the events anew, as an open event cannot change its frequency. A frequency given by the
 * user changes by the same factor as the common rate. With a frequency the lost samples are
 * unknown.
 */
static int set_frequency(void *state, double rate_hz, uint64_t nr_runs, struct ledger *ledger,
			 struct error *err)
{
	struct perf_events *counters = state;
	int code;

	(void)nr_runs;
	(void)ledger;
	perf_events__stop(counters);
	code = perf_events__settle(counters, err);
	if (code)
		return code;
	counters->attr.sample_freq =
		whole_hz((double)counters->attr.sample_freq * rate_hz / counters->rate_hz);
	return perf_events__reopen(counters, rate_hz, err);
}

const struct source counter_source = {
	.programs = {[WALK_FRAME_POINTERS] = "on_count_sample", [WALK_TABLES] = "on_count_unwind"},
	.counts_passages = true,
	.contexts = IN_CONTEXT(CONTEXT_PERF_EVENT),
	.follows_records = true,
	.parse = parse,
	.tell = tell,
	.open = open_counters,
	.start = perf_events__start,
	.settle = perf_events__settle,
	.account = account_counters,
	.set_rate = set_frequency,
	.follow_cpus = perf_events__follow_cpus,
	.stop = perf_events__stop,
	.close = perf_events__close,
};
