// SPDX-License-Identifier: GPL-2.0-only
#include "commands/recorder.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "commands/namer.h"
#include "commands/usage.h"
#include "topstacks/profile.h"

#define TICK_NS		     100000000ULL  /* how often the fill of the maps is looked at */
#define MAX_DICTIONARY_BYTES (32 << 20)	   /* beyond, rare stacks are summed up */
#define NR_KEPT		     20000	   /* of them keep their frames */
#define DRAIN_EVERY_NS	     1000000000ULL /* names of dead processes are kept for so long */

struct period {
	struct profile *profile;
	struct ledger ledger;
	uint64_t start_ns;
	struct usage start;
	uint64_t drain_ns, symbols_ns; /* CPU time */
};

struct recorder {
	struct capture *capture;
	struct symbols *symbols;
	struct dictionary *dictionary;
	struct namer *namer;
	struct period interval, run;
	size_t max_bytes, nr_kept; /* bounds of the dictionary */
	uint64_t last_drain_ns;
	uint64_t end_ns; /* of the interval that was ended */
	int sink_error;	 /* of the drain under way */
};

/* ---- the sink of a drain ---- */

static void take_event(void *context, const struct process_event *event)
{
	struct recorder *recorder = context;

	symbols__observe(recorder->symbols, event);
}

/* The idle task's sample was counted before anyone could tell idling from interrupt work. */
static void move_to_idle(struct ledger *ledger, const struct raw_sample *raw)
{
	ledger->counted -= raw->count;
	ledger->idle += raw->count;
	ledger->sampled_ns -= raw->weight;
}

static void add_quality(struct ledger *ledger, enum stack_quality quality, uint64_t count)
{
	switch (quality) {
	case STACK_WHOLE:
		ledger->whole += count;
		break;
	case STACK_TRUNCATED:
		ledger->truncated += count;
		break;
	case STACK_UNVERIFIED:
		ledger->unverified += count;
		break;
	}
}

static void take_sample(void *context, const struct raw_sample *raw)
{
	struct recorder *recorder = context;
	struct ledger *ledger = &recorder->interval.ledger;
	struct named_stack named;
	struct sample sample = {.tid = raw->tid, .values = {raw->count, raw->weight}};

	if (namer__name(recorder->namer, raw, &named)) {
		recorder->sink_error = -ENOMEM;
		return;
	}
	if (named.is_idle) {
		move_to_idle(ledger, raw);
		return;
	}
	if (raw->missing < 0)
		add_quality(ledger, named.quality, raw->count);
	sample.process = named.process;
	sample.stack = named.stack;
	if (profile__add(recorder->interval.profile, &sample))
		recorder->sink_error = -ENOMEM;
}

static struct capture_sink sink_of(struct recorder *recorder)
{
	return (struct capture_sink){
		.context = recorder, .on_event = take_event, .on_sample = take_sample};
}

/*
 * Days of ever new stacks must not fill the memory: the dictionary begins anew with the hottest
 * stacks of the run and of the interval, the rest keeps its counts and loses its frames.
 */
static int bound_memory(struct recorder *recorder)
{
	struct profile *interval = NULL, *run = NULL;
	struct dictionary *fresh;

	if (dictionary__memory_bytes(recorder->dictionary) < recorder->max_bytes)
		return 0;
	fresh = dictionary__new();
	if (fresh)
		interval = profile__condense(recorder->interval.profile, recorder->nr_kept, fresh);
	if (interval)
		run = profile__condense(recorder->run.profile, recorder->nr_kept, fresh);
	if (!run) {
		profile__free(interval);
		dictionary__free(fresh);
		return -ENOMEM;
	}
	profile__free(recorder->interval.profile);
	profile__free(recorder->run.profile);
	dictionary__free(recorder->dictionary);
	recorder->interval.profile = interval;
	recorder->run.profile = run;
	recorder->dictionary = fresh;
	namer__use(recorder->namer, fresh);
	return 0;
}

static int drain(struct recorder *recorder, struct error *err)
{
	struct capture_sink sink = sink_of(recorder);
	uint64_t before_ns = monotonic_ns();
	uint64_t start_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	uint64_t symbols_ns = namer__time_ns(recorder->namer);
	int code;

	recorder->sink_error = bound_memory(recorder);
	if (recorder->sink_error)
		return error__no_memory(err);
	code = capture__drain(recorder->capture, &sink, &recorder->interval.ledger, err);
	if (!code && recorder->sink_error)
		code = error__no_memory(err);
	symbols__forget(recorder->symbols, before_ns);
	symbols_ns = namer__time_ns(recorder->namer) - symbols_ns;
	recorder->interval.symbols_ns += symbols_ns;
	recorder->interval.drain_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns - symbols_ns;
	recorder->last_drain_ns = capture__drained_ns(recorder->capture);
	return code;
}

/* ---- birth and death ---- */

static int begin_period(struct recorder *recorder, struct period *period, uint64_t now_ns)
{
	*period = (struct period){.profile = period->profile, .start_ns = now_ns};
	usage__read(&period->start);
	capture__program_time(recorder->capture, &period->start.program_runs,
			      &period->start.program_ns);
	if (period->profile)
		profile__clear(period->profile);
	else
		period->profile = profile__new(recorder->dictionary);
	return period->profile ? 0 : -ENOMEM;
}

/* Processes that already run are known by their mappings of now; others announce themselves. */
static void read_targets(struct recorder *recorder)
{
	int32_t pid;
	size_t n;

	for (n = 0; (pid = capture__target_pid(recorder->capture, n)); n++)
		symbols__read_process(recorder->symbols, pid);
}

static const char *ask_kernel(void *context, uint64_t address)
{
	return capture__kernel_name(context, address);
}

static int open_symbols(struct recorder *recorder, const struct symbols_options *options,
			struct error *err)
{
	struct symbols_options with_kernel = *options;

	with_kernel.ask_kernel = ask_kernel;
	with_kernel.context = recorder->capture;
	recorder->symbols = symbols__new(&with_kernel);
	recorder->dictionary = dictionary__new();
	if (recorder->symbols && recorder->dictionary)
		recorder->namer = namer__new(recorder->symbols, recorder->dictionary,
					     capture__max_depth(recorder->capture));
	return recorder->namer ? 0 : error__no_memory(err);
}

int recorder__open(struct recorder **out, const struct capture_options *capture,
		   const struct symbols_options *symbols, struct error *err)
{
	struct recorder *recorder = calloc(1, sizeof(*recorder));
	int code;

	if (!recorder)
		return error__no_memory(err);
	recorder__keep(recorder, MAX_DICTIONARY_BYTES, NR_KEPT);
	code = capture__open(&recorder->capture, capture, err);
	if (!code)
		code = open_symbols(recorder, symbols, err);
	if (code) {
		recorder__close(recorder);
		return code;
	}
	if (capture->scope != SCOPE_SYSTEM)
		read_targets(recorder);
	*out = recorder;
	return 0;
}

void recorder__keep(struct recorder *recorder, size_t max_bytes, size_t nr_stacks)
{
	recorder->max_bytes = max_bytes;
	recorder->nr_kept = nr_stacks;
}

int recorder__start(struct recorder *recorder, struct error *err)
{
	uint64_t now_ns = monotonic_ns();

	if (begin_period(recorder, &recorder->run, now_ns) ||
	    begin_period(recorder, &recorder->interval, now_ns))
		return error__no_memory(err);
	recorder->last_drain_ns = now_ns;
	return capture__start(recorder->capture, err);
}

void recorder__close(struct recorder *recorder)
{
	if (!recorder)
		return;
	capture__close(recorder->capture);
	namer__free(recorder->namer);
	symbols__free(recorder->symbols);
	profile__free(recorder->interval.profile);
	profile__free(recorder->run.profile);
	dictionary__free(recorder->dictionary);
	free(recorder);
}

/* ---- running ---- */

static bool must_drain(const struct recorder *recorder)
{
	return monotonic_ns() - recorder->last_drain_ns >= DRAIN_EVERY_NS ||
	       capture__is_half_full(recorder->capture);
}

/* Waits for a tick at most. 1: a signal, or watched is readable. */
static int wait_a_tick(struct recorder *recorder, uint64_t until_ns, int watched)
{
	uint64_t now_ns = monotonic_ns();
	uint64_t left_ns = until_ns > now_ns && !must_drain(recorder) ? until_ns - now_ns : 0;
	struct timespec timeout = {.tv_nsec = (long)(left_ns < TICK_NS ? left_ns : TICK_NS)};
	struct pollfd wanted[] = {{.fd = capture__fd(recorder->capture), .events = POLLIN},
				  {.fd = watched, .events = POLLIN}};
	struct capture_sink sink = sink_of(recorder);
	sigset_t none;

	sigemptyset(&none);
	if (ppoll(wanted, 2, &timeout, &none) < 0)
		return errno == EINTR ? 1 : -errno;
	if (wanted[0].revents)
		capture__dispatch(recorder->capture, &sink,
				  &recorder->interval.ledger.records_lost);
	return wanted[1].revents != 0;
}

int recorder__run(struct recorder *recorder, uint64_t until_ns, int watched, struct error *err)
{
	int code;

	for (;;) {
		code = wait_a_tick(recorder, until_ns, watched);
		if (code < 0)
			return error__set(err, EXIT_INTERNAL, code, "cannot wait for events");
		if (code)
			return RECORDER_SIGNAL;
		if (!capture__nr_living(recorder->capture))
			return RECORDER_GONE;
		if (monotonic_ns() >= until_ns)
			return RECORDER_TIME;
		if (must_drain(recorder)) {
			code = drain(recorder, err);
			if (code)
				return code;
		}
	}
}

static double delivered_hz(const struct ledger *ledger, uint64_t duration_ns, unsigned int nr_cpus)
{
	uint64_t lost = ledger->lost[LOSS_THROTTLED];
	uint64_t delivered = ledger->idle_excluded ? ledger->due - lost : ledger->events - lost;

	return duration_ns && nr_cpus ? (double)delivered * 1e9 / (double)duration_ns / nr_cpus : 0;
}

/* The wall clock's time of a moment on the monotonic clock. */
static int64_t realtime_of(uint64_t then_ns)
{
	return (int64_t)(clock_ns(CLOCK_REALTIME) - (monotonic_ns() - then_ns));
}

static void fill(const struct recorder *recorder, const struct period *period,
		 struct interval *interval)
{
	*interval = (struct interval){
		.profile = period->profile,
		.ledger = period->ledger,
		.end_realtime_ns = realtime_of(recorder->end_ns),
		.duration_ns = recorder->end_ns - period->start_ns,
		.nr_cpus = capture__nr_cpus(recorder->capture),
	};
	interval->delivered_hz =
		delivered_hz(&period->ledger, interval->duration_ns, interval->nr_cpus);
	usage__cost(&period->start, &interval->cost);
	capture__program_time(recorder->capture, &interval->cost.program_runs,
			      &interval->cost.program_ns);
	interval->cost.program_runs -= period->start.program_runs;
	interval->cost.program_ns -= period->start.program_ns;
	interval->cost.drain_ns = period->drain_ns;
	interval->cost.symbols_ns = period->symbols_ns;
	interval->cost.kernel_bytes = capture__kernel_bytes(recorder->capture);
}

void recorder__stop(struct recorder *recorder)
{
	capture__stop(recorder->capture);
}

int recorder__end(struct recorder *recorder, struct interval *interval, struct error *err)
{
	int code = drain(recorder, err);

	if (code)
		return code;
	recorder->end_ns = capture__drained_ns(recorder->capture);
	fill(recorder, &recorder->interval, interval);
	return 0;
}

int recorder__begin(struct recorder *recorder, struct error *err)
{
	ledger__add(&recorder->run.ledger, &recorder->interval.ledger);
	recorder->run.drain_ns += recorder->interval.drain_ns;
	recorder->run.symbols_ns += recorder->interval.symbols_ns;
	if (profile__merge(recorder->run.profile, recorder->interval.profile) ||
	    begin_period(recorder, &recorder->interval, recorder->end_ns))
		return error__no_memory(err);
	return 0;
}

void recorder__sum(struct recorder *recorder, struct interval *interval)
{
	fill(recorder, &recorder->run, interval);
}

const struct capture *recorder__capture(const struct recorder *recorder)
{
	return recorder->capture;
}

const struct symbols *recorder__symbols(const struct recorder *recorder)
{
	return recorder->symbols;
}
