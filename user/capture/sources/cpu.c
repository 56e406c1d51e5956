// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPU time: a kernel timer (cpu-clock) on each CPU, which is due once a period while the event
 * runs. So the event's own clock tells how many samples were due. Time in which the kernel
 * throttled the event is missing from the count, but not from the running time.
 */
#include <linux/perf_event.h>
#include <math.h>

#include "base/files.h"
#include "capture/events/event.h"
#include "capture/events/event_facts.h"
#include "capture/events/source.h"
#include "capture/host/skeleton.h"
#include "capture/sources/perf_events.h"
#include "profile/ledger.h"

static const struct metrics metrics = {
	.of = {[VALUE_COUNT] = {"samples", "count", .is_events = true, .title = "Samples",
				.heading = "SAMPLES"},
	       [VALUE_WEIGHT] = {"cpu", "nanoseconds", .title = "CPU time"}},
	.shown = VALUE_COUNT,
};

static int parse(struct event *event, struct error *err)
{
	if (strcmp(event->words.name, "cpu") && strcmp(event->words.name, "cpu-clock"))
		return 0;
	if (event->words.nr_terms) /* "cpu/event=0x3c/" is an event of the PMU "cpu" */
		return 0;
	if (!event_words__are_bare(&event->words))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "the event cpu has no terms; use -F, -U and -K");
	event->name = xstrdup("cpu-clock");
	event->metrics = metrics;
	event->has_rate = true;
	return 1;
}

static void tell(const struct event *event, const struct source_options *options,
		 const struct event_fact_sink *sink)
{
	event_facts__add(sink, "perf event", "type %d, config %d (cpu-clock)", PERF_TYPE_SOFTWARE,
			 PERF_COUNT_SW_CPU_CLOCK);
	event_facts__add_sampling(sink, event, options->rate_hz);
	event_facts__add(sink, "period",
			 "%.0f ns of time, each CPU with another one, 1 to 2 %% off",
			 1e9 / options->rate_hz);
	event_facts__add(sink, "ledger", "%s",
			 "each descriptor's clock says how many samples were due");
}

/*
 * Returns true if idle CPUs can be sampled at this rate. The kernel allows a number of samples a
 * tick, and resets it at the next tick only; an idle CPU may have no tick for two seconds, and
 * would be throttled.
 */
static bool can_sample_idle(double rate_hz)
{
	double limit_hz = 100000;
	char *text;

	if (!files__read("/proc/sys/kernel/perf_event_max_sample_rate", 64, &text, NULL)) {
		limit_hz = strtod(text, NULL);
		free(text);
	}
	return 2 * rate_hz <= ceil(limit_hz * perf_events__tick_seconds());
}

static void configure(struct topstacks_bpf *skeleton, unsigned int index, const struct event *event)
{
	(void)event;
	skeleton->rodata->cfg_timer_event = index;
}

static int open_timers(void **state, const struct event *event,
		       const struct source_options *options, struct error *err)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.exclude_idle = !options->everyone || !can_sample_idle(options->rate_hz),
	};

	(void)event;
	return perf_events__open(state, &attr, options, perf_events__period_ns, err);
}

static void account_timers(void *state, uint64_t nr_runs, struct ledger *ledger)
{
	struct perf_events *timers = state;
	uint64_t throttled, throttled_ns;
	struct perf_event *event;
	size_t i;

	(void)nr_runs;
	ledger->idle_excluded = timers->attr.exclude_idle;
	for (i = 0; i < timers->nr_events; i++) {
		event = &timers->events[i];
		throttled_ns =
			event->running_ns > event->count ? event->running_ns - event->count : 0;
		throttled = growth_of(&event->nr_throttled, throttled_ns / event->period);
		ledger->due += growth_of(&event->nr_due, event->running_ns / event->period);
		ledger->lost[LOSS_THROTTLED] += throttled;
		ledger->events += throttled;
	}
}

/* Opens the timers anew: period and phase of an open event are fixed. */
static int set_timers_rate(void *state, double rate_hz, uint64_t nr_runs, struct ledger *ledger,
			   struct error *err)
{
	int code;

	perf_events__stop(state);
	code = perf_events__settle(state, err);
	if (code)
		return code;
	account_timers(state, nr_runs, ledger);
	return perf_events__reopen(state, rate_hz, err);
}

const struct source cpu_source = {
	.programs = {[WALK_FRAME_POINTERS] = "on_cpu_sample",
		     [WALK_TABLES] = "on_cpu_unwind",
		     [WALK_INTERPRETERS] = "on_cpu_follow"},
	.follows_records = true,
	.contexts = IN_CONTEXT(CONTEXT_PERF_EVENT),
	.parse = parse,
	.tell = tell,
	.configure = configure,
	.open = open_timers,
	.start = perf_events__start,
	.settle = perf_events__settle,
	.account = account_timers,
	.set_rate = set_timers_rate,
	.follow_cpus = perf_events__follow_cpus,
	.stop = perf_events__stop,
	.close = perf_events__close,
};
