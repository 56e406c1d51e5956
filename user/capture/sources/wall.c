// SPDX-License-Identifier: GPL-2.0-only
/*
 * All time of threads: samples of running threads, by the timer of cpu, and waits, as in off-cpu.
 * The ledger knows the running time to the nanosecond, and the weights of the samples are scaled to
 * add up to it.
 */

#include "capture/events/event.h"
#include "capture/events/event_facts.h"
#include "capture/events/source.h"
#include "capture/events/suggestions.h"
#include "capture/host/skeleton.h"
#include "capture/kernel/kernel.h"
#include "capture/sources/switches.h"

static const struct metrics metrics = {
	.of = {[VALUE_COUNT] = {"events", "count", .is_events = true, .title = "Waits and samples",
				.heading = "COUNT"},
	       [VALUE_WEIGHT] = {"wall", "nanoseconds", .title = "Time", .heading = "TIME"}},
	.shown = VALUE_WEIGHT,
};

static int parse(struct event *event, struct error *err)
{
	const int code = switches__parse(event, "wall", &metrics, err);

	event->has_rate = code > 0;
	return code;
}

static void suggest(struct near *near, const char *wanted)
{
	near__add(near, "wall", wanted, 0);
}

static void tell(const struct event *event, const struct source_options *options,
		 const struct event_fact_sink *sink)
{
	cpu_source.tell(event, options, sink);
	switches__tell(event, options, sink);
}

static void configure(struct topstacks_bpf *skeleton, unsigned int index, const struct event *event)
{
	switches__configure(skeleton, index, event);
	skeleton->rodata->cfg_wall_event = index;
}

/* The states of the two sources behind it. */
struct wall {
	void *timers, *waits;
};

static void close_wall(void *state)
{
	struct wall *wall = state;

	if (!wall)
		return;
	cpu_source.close(wall->timers);
	switches__close(wall->waits);
	free(wall);
}

/* Opens both sources. Idle CPUs are left out, as they belong to no thread. */
static int open_wall(void **state, const struct event *event, const struct source_options *options,
		     struct error *err)
{
	struct wall *wall = calloc(1, sizeof(*wall));
	struct source_options of_threads = *options;
	int code;

	if (!wall)
		return error__no_memory(err);
	of_threads.everyone = false;
	code = switches__open(&wall->waits, event, options, err);
	if (!code)
		code = cpu_source.open(&wall->timers, event, &of_threads, err);
	if (code)
		close_wall(wall);
	else
		*state = wall;
	return code;
}

static int start(void *state, struct topstacks_bpf *skeleton, const struct bpf_program *program,
		 struct error *err)
{
	struct wall *wall = state;
	const int code = switches__start(wall->waits, skeleton, program, err);

	return code ? code
		    : cpu_source.start(wall->timers, skeleton,
				       kernel__sampler(skeleton, &cpu_source), err);
}

static int settle(void *state, struct error *err)
{
	struct wall *wall = state;
	const int code = cpu_source.settle(wall->timers, err);

	return code ? code : switches__settle(wall->waits, err);
}

static int cut(void *state, uint32_t owned, struct error *err)
{
	return switches__cut(((struct wall *)state)->waits, owned, err);
}

static void account(void *state, uint64_t nr_runs, struct ledger *ledger)
{
	struct wall *wall = state;

	cpu_source.account(wall->timers, nr_runs, ledger);
	switches__account(wall->waits, nr_runs, ledger);
}

/* Returns the period of the samples of running threads. */
static uint64_t period_of(const struct event *event, double rate_hz)
{
	return cpu_source.period(event, rate_hz);
}

static double needed_limit_hz(const struct event *event, double rate_hz)
{
	return cpu_source.needed_limit_hz(event, rate_hz);
}

static int set_rate(void *state, double rate_hz, uint64_t nr_runs, struct ledger *ledger,
		    struct error *err)
{
	return cpu_source.set_rate(((struct wall *)state)->timers, rate_hz, nr_runs, ledger, err);
}

static int follow_cpus(void *state, struct error *err)
{
	return cpu_source.follow_cpus(((struct wall *)state)->timers, err);
}

static void stop(void *state)
{
	cpu_source.stop(((struct wall *)state)->timers);
}

const struct source wall_source = {
	.programs = SWITCH_PROGRAMS,
	.companions = {[WALK_FRAME_POINTERS] =
			       (const char *const[]){SWITCH_COMPANIONS, "on_cpu_sample", NULL},
		       [WALK_TABLES] = (const char *const[]){SWITCH_COMPANIONS_BY_TABLES,
							     "on_cpu_unwind", NULL}},
	.follows_records = true,
	.is_timed = true,
	.contexts = SWITCH_CONTEXTS | IN_CONTEXT(CONTEXT_PERF_EVENT),
	.parse = parse,
	.suggest = suggest,
	.tell = tell,
	.configure = configure,
	.open = open_wall,
	.start = start,
	.settle = settle,
	.cut = cut,
	.account = account,
	.period = period_of,
	.needed_limit_hz = needed_limit_hz,
	.set_rate = set_rate,
	.follow_cpus = follow_cpus,
	.stop = stop,
	.close = close_wall,
};
