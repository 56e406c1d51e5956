// SPDX-License-Identifier: GPL-2.0-only
/* A running session: start, stop, drains and queries. opening.c builds the session from options. */
#include "capture/capture.h"

#include "base/system/rights.h"
#include "capture/events/pace.h"
#include "capture/events/source.h"
#include "capture/host/features.h"
#include "capture/host/iterate.h"
#include "capture/host/skeleton.h"
#include "capture/kernel/kernel.h"
#include "capture/kernel/raw_stacks.h"
#include "capture/session.h"
#include "capture/sources/perf_events.h"
#include "capture/tasks/sideband.h"
#include "capture/unwinding/unwinding.h"
#include "profile/recording.h"

/*
 * Processes that no option named get unwind tables only after a drain has seen them, so the first
 * drains come early.
 */
#define EARLY_DRAINS 5
#define EARLY_NS     20000000ULL

/* The longest time that the first process event of a burst waits for the rest of it. */
#define BURST_NS 5000000ULL

int capture__start(struct capture *capture, struct error *err)
{
	size_t i;
	int code;

	/* A first guess of the begin: some samples are taken before the true one is known. */
	slice_clock__begin(&capture->slice_clock, capture->skeleton, monotonic_ns());
	code = scheduler_time__open(&capture->scheduler_time, capture->skeleton, capture->everyone,
				    &capture->cpus, err);
	if (!code)
		code = opened_events__start(&capture->events, capture->skeleton, err);
	for (i = 0; i < capture->targets.nr_pids && !code; i++)
		code = opened_events__add_target(&capture->events, capture->targets.pids[i], err);
	capture->skeleton->bss->session.is_sampling = 1;
	capture->drained_ns = generations__begin(&capture->generations);
	slice_clock__begin(&capture->slice_clock, capture->skeleton, capture->drained_ns);
	if (!code)
		code = opened_events__cut(&capture->events,
					  !generations__current(&capture->generations), err);
	return code;
}

void capture__stop(struct capture *capture)
{
	capture->skeleton->bss->session.is_sampling = 0;
	opened_events__stop(&capture->events);
}

/* ---- draining ---- */

bool capture__should_drain(const struct capture *capture)
{
	const uint32_t now = generations__current(&capture->generations);
	/* The first drains find the busy processes of the machine: early, then ever later. */
	const bool is_new_here =
		capture->anyone && capture->unwinding && capture->nr_drains < EARLY_DRAINS &&
		monotonic_ns() - capture->drained_ns > EARLY_NS << capture->nr_drains;

	return is_new_here ||
	       account__is_full(&capture->account, &capture->generations.sets[now], now) ||
	       generations__is_crowded(&capture->generations, now);
}

/*
 * Switches to the other set. After the grace period no program uses the old set, *owned, any more.
 */
static int flip(struct capture *capture, uint32_t *owned, struct ledger *ledger, struct error *err)
{
	uint64_t start_ns = monotonic_ns(), flipped_ns;
	int code;

	*owned = generations__flip(&capture->generations, &capture->drained_ns);
	flipped_ns = monotonic_ns();
	code = opened_events__settle(&capture->events, err);
	if (!code)
		code = grace__wait(&capture->grace, *owned, err);
	ledger->grace_ns += monotonic_ns() - flipped_ns;
	if (!code && capture->unwinding)
		unwinding__settle(capture->unwinding);
	if (!code)
		code = opened_events__cut(&capture->events, *owned, err);
	ledger->flip_ns += monotonic_ns() - start_ns;
	return code;
}

/* Accounts for all events until the flip. common: amounts that concern all events. */
static int account(struct capture *capture, uint32_t owned, struct ledger *ledgers,
		   struct ledger *common, struct error *err)
{
	uint64_t ran_ns = 0;
	size_t i;
	int code;

	account__take_runs(&capture->account, owned, &capture->generations.sets[owned], ledgers);
	/* Samples of each event that were due until the flip but not taken. */
	for (i = 0; i < capture->events.said.nr; i++) {
		struct ledger told = {0};

		capture->events.said.list[i].source->account(
			capture->events.states[i], account__nr_runs(&capture->account, i), &told);
		account__in_samples(&capture->account, i, &told);
		ledger__add(&ledgers[i], &told);
		account__late(&capture->account, i, &ledgers[i], ledgers[i].due, ledgers[i].events);
	}
	account__take_followers(&capture->account, common);
	if (capture->unwinding)
		common->processes_unlisted += unwinding__take_unlisted(capture->unwinding);
	code = judging__again(&capture->targets.judging);
	if (code)
		return iterate__explain(capture->skeleton->progs.on_judge_task, code, err);
	/* The scheduler's account of run time, for the events that can be compared with it. */
	code = scheduler_time__elapsed(&capture->scheduler_time, &ran_ns, err);
	for (i = 0; i < capture->events.said.nr; i++) {
		ledgers[i].ran_unmeasured = !capture->has_scheduler_time[i];
		if (!code && capture->has_scheduler_time[i])
			ledgers[i].ran_ns = ran_ns;
	}
	return code;
}

static int follow_cpus(struct capture *capture, struct error *err)
{
	const struct cpus *cpus = &capture->cpus;
	int changed, code = 0;
	unsigned int cpu;

	changed = cpus__refresh(&capture->cpus, err);
	if (changed >= 0)
		code = opened_events__follow_cpus(&capture->events, err);
	if (changed < 0 || code < 0 || (!changed && !code))
		return changed < 0 ? changed : code;
	for (cpu = 0, code = 0; cpu < cpus->nr_possible && !code; cpu++) {
		if (cpus->returned[cpu]) /* the CPU's ring is dead as well */
			code = sideband__follow_cpu(capture->sideband, cpu, false);
		if (!code)
			code = sideband__follow_cpu(capture->sideband, cpu, cpus->online[cpu]);
	}
	if (code)
		features__explain(NULL, err, code, "follow processes through perf events");
	return code;
}

/* ---- events and samples: passed to unwinding first, then to the sink ---- */

static void pass_event(void *context, const struct process_event *event)
{
	struct capture *capture = context;

	if (capture->unwinding)
		unwinding__observe(capture->unwinding, event);
	opened_events__observe(&capture->events, event);
	capture->sink->on_event(capture->sink->context, event);
}

/*
 * A stack needs tables if it was walked by frame pointers, or by the tables of a parent that lack
 * some of the process's mappings. When any process may be sampled, also if the program read the
 * process's mappings by itself.
 */
static bool needs_tables(const struct capture *capture, const struct raw_stack *user)
{
	return user &&
	       (capture->anyone || user->end == END_OPEN || user->end == END_EARLY ||
		(stack_end__is_cut(user->end) && stack_end__cut(user->end) == CUT_UNMAPPED));
}

static void pass_sample(void *context, const struct raw_sample *sample)
{
	struct capture *capture = context;
	struct raw_sample dated = *sample;

	dated.slice = slice_clock__number(&capture->slice_clock, (uint32_t)sample->slice);
	dated.in_switch = capture->events.said.list[sample->event].source->in_switch;
	if (capture->unwinding && sample->process && needs_tables(capture, sample->user))
		unwinding__sampled(capture->unwinding, sample->process, sample->count);
	if (capture->unwinding && sample->waker.process &&
	    needs_tables(capture, sample->waker.user))
		unwinding__sampled(capture->unwinding, sample->waker.process, sample->count);
	capture->sink->on_sample(capture->sink->context, &dated);
}

/* Hands over the process events so far and fills *passing, the sink for the samples after them. */
static void dispatch(struct capture *capture, const struct capture_sink *sink,
		     struct capture_sink *passing, uint64_t *nr_lost)
{
	capture->sink = sink;
	*passing = (struct capture_sink){capture, pass_event, pass_sample};
	capture->dispatched_ns = monotonic_ns();
	sideband__dispatch(capture->sideband, passing, nr_lost);
}

static bool must_drain(void *capture)
{
	return capture__should_drain(capture);
}

int capture__load_tables(struct capture *capture, struct error *err)
{
	int code = 0;

	if (capture->unwinding) {
		code = unwinding__refresh(capture->unwinding, must_drain, capture, err);
		capture__follow_interpreters(capture);
	}
	return code;
}

static int drain(struct capture *capture, enum drain_moment moment, const struct capture_sink *sink,
		 struct ledger *ledgers, struct ledger *common, struct error *err)
{
	struct capture_sink passing;
	struct set *set;
	uint32_t owned;
	int code;

	code = flip(capture, &owned, common, err);
	if (code)
		return code;
	common->drains++;
	capture->nr_drains++;
	code = account(capture, owned, ledgers, common, err);
	if (code)
		return code;

	/* Process events come first: a sample is named by the mappings made before it. */
	capture->slice_clock.end_ns = capture->drained_ns;
	dispatch(capture, sink, &passing, &common->records_lost);
	set = &capture->generations.sets[owned];
	code = set__drain(set, &passing, ledgers, capture->events.said.nr);
	if (!code)
		code = opened_events__hand_over(&capture->events, set, owned, moment, &passing,
						ledgers);
	if (code)
		return error__set(err, EXIT_INTERNAL, code, "cannot read the BPF maps");
	code = capture__load_tables(capture, err);
	if (code)
		return code;
	if (capture->skeleton->bss->session.is_sampling) /* the last drain renews nothing */
		generations__renew(&capture->generations, owned);
	return follow_cpus(capture, err);
}

int capture__drain(struct capture *capture, enum drain_moment moment,
		   const struct capture_sink *sink, struct ledger *ledgers, struct error *err)
{
	struct ledger fresh[ABI_MAX_EVENTS] = {{0}}, common = {0};
	const int code = drain(capture, moment, sink, fresh, &common, err);
	size_t i;

	for (i = 0; i < capture->events.said.nr; i++) {
		ledger__add(&ledgers[i], &fresh[i]);
		ledger__add(&ledgers[i], &common);
	}
	return code;
}

void capture__release_stack(struct capture *capture, const struct raw_stack *stack)
{
	raw_stacks__put(capture->generations.tables.raw_stacks, stack);
}

static int set_rate(struct capture *capture, size_t event, double rate_hz, struct ledger *ledger,
		    struct error *err)
{
	const struct source *source = capture->events.said.list[event].source;
	const uint64_t nr_runs = account__nr_runs(&capture->account, event);
	struct ledger last = {0};
	const int code =
		source->set_rate(capture->events.states[event], rate_hz, nr_runs, &last, err);

	account__late(&capture->account, event, &last, last.due, last.events);
	ledger__add(ledger, &last);
	return code;
}

int capture__set_pace(struct capture *capture, const struct pace *pace, struct ledger *ledgers,
		      struct error *err)
{
	const struct events *said = &capture->events.said;
	int code = 0;
	size_t i;

	if (pace->one_in)
		opened_events__take_one_in(&capture->events, capture->skeleton, pace->one_in);
	for (i = 0; i < said->nr && pace->rate_hz > 0 && !code; i++)
		if (said->list[i].has_rate && said->list[i].source->set_rate)
			code = set_rate(capture, i, pace->rate_hz, &ledgers[i], err);
	return code;
}

int capture__dispatch(struct capture *capture, const struct capture_sink *sink, uint64_t *nr_lost,
		      struct error *err)
{
	struct capture_sink passing;

	dispatch(capture, sink, &passing, nr_lost);
	return capture__load_tables(capture, err);
}

/* ---- questions ---- */

uint64_t capture__burst_ns(const struct capture *capture)
{
	const uint64_t age_ns = monotonic_ns() - capture->dispatched_ns;

	return age_ns < BURST_NS ? BURST_NS - age_ns : 0;
}

int capture__fd(const struct capture *capture)
{
	return sideband__fd(capture->sideband);
}

uint64_t capture__drained_ns(const struct capture *capture)
{
	return capture->drained_ns;
}

const char *capture__kernel_name(struct capture *capture, uint64_t address)
{
	if (!capture->asked_kernel) {
		pthread_mutex_lock(&capture->loading);
		capture->kernel_names = kernel_names__open();
		pthread_mutex_unlock(&capture->loading);
	}
	capture->asked_kernel = true;
	return capture->kernel_names ? kernel_names__ask(capture->kernel_names, address) : NULL;
}

uint64_t capture__nr_living(const struct capture *capture)
{
	if (capture->anyone)
		return 1;
	return targets__nr_living(&capture->targets);
}

int32_t capture__target_pid(const struct capture *capture, size_t n)
{
	return n < capture->targets.nr_pids ? capture->targets.pids[n] : 0;
}

double capture__needed_limit_hz(const char *text, double rate_hz)
{
	struct events events;
	struct error err;
	double needed_hz = 0;
	size_t i;

	if (events__parse(&events, text, &err))
		return 0;
	for (i = 0; i < events.nr; i++)
		if (events.list[i].has_rate && !events.list[i].words.freq_hz)
			needed_hz =
				perf_events__needed_limit_hz(rate_hz, perf_events__tick_seconds());
	events__free(&events);
	return needed_hz;
}

uint64_t capture__period(const struct capture *capture, size_t event, double rate_hz)
{
	const struct event *of = &capture->events.said.list[event];

	return of->has_rate && rate_hz <= 0 ? 0 : event__period(of, rate_hz);
}

const struct events *capture__events(const struct capture *capture)
{
	return &capture->events.said;
}

unsigned int capture__max_depth(const struct capture *capture)
{
	return capture->generations.first_shape.max_depth;
}

bool capture__is_behind(const struct capture *capture)
{
	return capture->unwinding && unwinding__is_behind(capture->unwinding);
}

_Static_assert(CAPTURE_MAX_WATCHED >= UNWINDING_MAX_WATCHED, "all that is watched");

size_t capture__watch(const struct capture *capture, struct pollfd *watched)
{
	if (!capture->unwinding)
		return 0;
	return unwinding__watch(capture->unwinding, watched);
}

bool capture__take_failure(struct capture *capture, char *text, size_t size)
{
	return capture->unwinding && unwinding__take_failure(capture->unwinding, text, size);
}

void capture__program_time(const struct capture *capture, uint64_t *nr_runs, uint64_t *run_ns)
{
	kernel__program_time(capture->skeleton, &capture->events.said, nr_runs, run_ns);
}

size_t capture__kernel_bytes(const struct capture *capture)
{
	/*
	 * Raise the rights once, not for each map: /proc/self/fdinfo is root's, as we are not
	 * dumpable.
	 */
	const uint64_t before = rights__raise(RIGHTS_TO_LOOK);
	size_t bytes = kernel__map_bytes(capture->skeleton) +
		       generations__kernel_bytes(&capture->generations);

	rights__restore(before);
	return bytes + (capture->unwinding ? unwinding__kernel_bytes(capture->unwinding) : 0);
}

void capture__facts(const struct capture *capture, struct capture_facts *facts)
{
	*facts = (struct capture_facts){
		.events = &capture->events.said,
		.lost_abilities = capture->lost_abilities,
		.no_interpreters = capture->no_interpreters,
		.nr_cpus = cpus__count(&capture->cpus),
		.has_cycles = capture->has_cycles,
	};
	if (capture->user_stacks)
		facts->unwinding = capture->unwinding ? UNWINDING_TABLES : UNWINDING_POINTERS;
}
