// SPDX-License-Identifier: GPL-2.0-only
#include "run/recorder.h"

#include <poll.h>
#include <signal.h>

#include "base/time_budget.h"
#include "capture/batch.h"
#include "capture/capture.h"
#include "profile/profile.h"
#include "run/intake.h"
#include "run/interrupt.h"
#include "run/java_names.h"
#include "run/late.h"
#include "run/pacing.h"
#include "run/sampler.h"
#include "run/scale_to_ledger.h"
#include "symbols/symbols.h"

#define MAX_DICTIONARY_BYTES (32 << 20) /* beyond, rare stacks are summed up */
#define NR_KEPT		     20000	/* stacks that keep their frames then */

/* How long a finished interval waits for the processes that open and read files. */
#define TIME_BUDGET_NS 500000000ULL

struct recorder {
	struct sampler *sampler;
	struct pacing pacing;
	struct intake intake;
	struct late late;
	bool has_no_sum;
	bool is_ending;
	int watched;	 /* descriptor of the recorder__run() under way; -1: none */
	uint64_t cut_ns; /* planned end of the interval; 0: not known yet */
};

/*
 * Takes the oldest waiting batch. 1: taken; 0: none waits; or negative errno. If memory is short,
 * the run ends with what there is.
 */
static int take_batch(struct recorder *recorder, struct error *err)
{
	struct batch *batch = batch_queue__take(recorder->pacing.queue);
	int code;

	if (!batch)
		return batch_queue__failure(recorder->pacing.queue, err);
	code = intake__add(&recorder->intake, batch, err);
	recorder->pacing.named = batch->number;
	batch__free(batch);
	if (code || memory__recover())
		return code ? code : 1;
	intake__end_short(&recorder->intake);
	return error__say(err, EXIT_INTERNAL, -ENOMEM,
			  "memory ran out, so the run ended early, with what was sampled until "
			  "then");
}

void recorder__want_rate(struct recorder *recorder, double rate_hz)
{
	recorder->pacing.wanted_hz = rate_hz;
}

struct pace recorder__pace(const struct recorder *recorder)
{
	return recorder->pacing.pace;
}

bool recorder__is_beyond_bound(const struct recorder *recorder)
{
	return governor__is_beyond(&recorder->pacing.governor);
}

bool recorder__take_refusal(struct recorder *recorder, struct refusal *refusal)
{
	return symbols__take_refusal(recorder->intake.symbols, refusal);
}

/* ---- opening and closing ---- */

static bool has_passed(uint64_t then_ns)
{
	return then_ns && monotonic_ns() > then_ns;
}

static bool is_hurried(void *context)
{
	const struct recorder *recorder = context;
	/* Readable: the command has ended, say. */
	struct pollfd watched = {.fd = recorder->watched, .events = POLLIN};

	return recorder->is_ending || recorder->pacing.is_stopped || interrupt__is_pending() ||
	       poll(&watched, 1, 0) > 0 || has_passed(recorder->cut_ns) ||
	       has_passed(recorder->pacing.end_ns);
}

static void calm_down(struct recorder *recorder)
{
	recorder->intake.budget.left_ns = TIME_BUDGET_NS;
	recorder->is_ending = false;
	recorder->cut_ns = 0;
}

static void begin_period(struct recorder *recorder, struct period *period, uint64_t now_ns)
{
	period__begin(period, sampler__events(recorder->sampler), recorder->intake.dictionary,
		      now_ns);
	pacing__read_usage(&recorder->pacing, &period->start);
}

struct recorder *recorder__open(struct sampler *sampler, const struct recorder_options *options)
{
	struct recorder *recorder = xcalloc(1, sizeof(*recorder));
	struct symbols *symbols = sampler__symbols(sampler);

	recorder->sampler = sampler;
	recorder->late.names = symbols__late(symbols);
	recorder->watched = -1;
	recorder->has_no_sum = options->has_no_sum;
	recorder->pacing = (struct pacing){
		.sampler = sampler,
		.helpers = options->helpers,
		.pace = options->pace,
		.governor = {.max_share = options->max_share,
			     .least_hz = options->least_hz,
			     .nr_spared = options->nr_spared},
	};
	recorder->pacing.helpers.symbols = symbols;
	recorder->intake = (struct intake){
		.symbols = symbols,
		.java = options->java,
		.pacing = &recorder->pacing,
		.max_bytes = options->max_bytes ? options->max_bytes : MAX_DICTIONARY_BYTES,
		.nr_kept = options->nr_stacks ? options->nr_stacks : NR_KEPT,
		.slices.length_ns = options->slice_ns,
		.budget = {.has_come = is_hurried, .context = recorder},
	};
	symbols__set_time_budget(symbols, &recorder->intake.budget);
	intake__init(&recorder->intake, sampler__max_depth(sampler));
	return recorder;
}

int recorder__start(struct recorder *recorder, struct error *err)
{
	uint64_t now_ns = monotonic_ns();
	int code;

	calm_down(recorder);
	begin_period(recorder, &recorder->intake.run, now_ns);
	begin_period(recorder, &recorder->intake.interval, now_ns);
	code = sampler__start(recorder->sampler, &recorder->pacing.queue, &now_ns, err);
	recorder->intake.run.start_ns = recorder->intake.interval.start_ns =
		recorder->intake.end_ns = now_ns;
	return code;
}

struct late *recorder__late(struct recorder *recorder)
{
	return &recorder->late;
}

uint64_t recorder__start_ns(const struct recorder *recorder)
{
	return recorder->intake.run.start_ns;
}

void recorder__close(struct recorder *recorder)
{
	if (!recorder)
		return;
	symbols__set_time_budget(recorder->intake.symbols, NULL);
	intake__fini(&recorder->intake);
	free(recorder);
}

/* ---- running ---- */

/* Waits until until_ns. 1: a signal came, or watched is readable. */
static int wait_for_news(struct recorder *recorder, uint64_t until_ns)
{
	uint64_t now_ns = monotonic_ns();
	uint64_t left_ns = until_ns > now_ns ? until_ns - now_ns : 0;
	struct timespec timeout = {.tv_sec = (time_t)(left_ns / 1000000000),
				   .tv_nsec = (long)(left_ns % 1000000000)};
	struct pollfd wanted[] = {{.fd = recorder->pacing.queue->fd, .events = POLLIN},
				  {.fd = recorder->watched, .events = POLLIN}};
	sigset_t mask;

	/*
	 * Let signals in first: the second ppoll() takes no signal if a descriptor is ready
	 * already.
	 */
	interrupt__let_in(&mask);
	if (ppoll(NULL, 0, &(struct timespec){0}, &mask) < 0 ||
	    ppoll(wanted, 2, &timeout, &mask) < 0)
		return errno == EINTR ? 1 : -errno;
	return wanted[1].revents != 0;
}

int recorder__run(struct recorder *recorder, uint64_t until_ns, int watched, struct error *err)
{
	uint64_t end_ns;
	int code;

	recorder->watched = watched;
	recorder->pacing.is_slower = false;
	for (;;) {
		code = wait_for_news(recorder, until_ns);
		if (code < 0)
			return error__set(err, EXIT_INTERNAL, code, "cannot wait for events");
		if (code)
			return RECORDER_SIGNAL;
		end_ns = recorder->intake.end_ns;
		code = take_batch(recorder, err);
		if (code > 0 && recorder->intake.end_ns != end_ns)
			code = pacing__govern(&recorder->pacing, err);
		if (code < 0)
			return code;
		if (recorder->pacing.queue->is_over)
			return RECORDER_GONE;
		if (recorder->pacing.is_slower || monotonic_ns() >= until_ns)
			return RECORDER_TIME;
	}
}

/* Fills a recording with a period's samples and all facts about them. */
static void fill(const struct recorder *recorder, struct period *period, struct recording *interval)
{
	const struct period_source source = {
		.sampler = recorder->sampler,
		.helpers = &recorder->pacing.helpers,
		.pace = recorder->pacing.pace,
		.end_ns = recorder->intake.end_ns,
		.thinned_ns = recorder->pacing.thinned_ns,
	};

	period__tell(period, &source, interval);
}

void recorder__cut_at(struct recorder *recorder, uint64_t then_ns)
{
	recorder->cut_ns = then_ns;
	sampler__cut_at(recorder->sampler, then_ns);
}

bool recorder__was_cut(const struct recorder *recorder)
{
	uint64_t last;

	return sampler__was_cut(recorder->sampler, &last);
}

void recorder__end_at(struct recorder *recorder, uint64_t end_ns)
{
	recorder->pacing.end_ns = end_ns;
	sampler__end_at(recorder->sampler, end_ns);
}

void recorder__stop(struct recorder *recorder)
{
	recorder->pacing.is_stopped = true;
	sampler__stop(recorder->sampler);
}

int recorder__end(struct recorder *recorder, struct recording *interval, struct error *err)
{
	const struct pace next = pacing__next(&recorder->pacing);
	uint64_t last;
	const bool was_cut = sampler__was_cut(recorder->sampler, &last);
	struct period *period = &recorder->intake.interval;
	size_t i;
	int code = 0;

	recorder->is_ending = true;
	/* After a stop, the samples between a cut that came late and the stop belong here, too. */
	if (!was_cut || recorder->pacing.is_stopped || pace__changes(&next))
		code = pacing__drain(&recorder->pacing, was_cut ? DRAIN_AFTER_END : DRAIN_END,
				     &next, &last, err);
	sampler__cut_at(recorder->sampler, 0);
	while (code >= 0 &&
	       recorder->pacing.named < last) /* the batch that ends the interval may be
						      * in already */
		code = take_batch(recorder, err);
	if (code >= 0) /* after a failed drain, this interval lacks its samples */
		code = batch_queue__failure(recorder->pacing.queue, err);
	if (code < 0)
		return code;
	if (recorder->pacing.is_stopped) {
		java_names__finish(recorder->intake.java, recorder->intake.symbols);
		symbols__look_again(recorder->intake.symbols);
	}
	period__rename(period, &recorder->late, &recorder->late.nr_samples);
	/* Weights of samples that stand for a part of the time are made to add up to all of it. */
	for (i = 0; i < period->nr_events; i++)
		scale_to_ledger__profile(period->profiles[i], &period->ledgers[i],
					 sampler__events(recorder->sampler)->list[i].has_rate,
					 recorder->pacing.pace.one_in > 1);
	fill(recorder, period, interval);
	return 0;
}

void recorder__salvage(struct recorder *recorder, struct recording *interval)
{
	struct error ignored;

	recorder__stop(recorder);
	while (take_batch(recorder, &ignored) > 0)
		;
	fill(recorder, &recorder->intake.interval, interval);
}

void recorder__begin(struct recorder *recorder)
{
	calm_down(recorder);
	recorder->intake.slices.newest = recorder->intake.slices.last = 0;
	if (!recorder->has_no_sum)
		period__merge(&recorder->intake.run, &recorder->intake.interval);
	begin_period(recorder, &recorder->intake.interval, recorder->intake.end_ns);
}

void recorder__sum(struct recorder *recorder, struct recording *sum)
{
	period__rename(&recorder->intake.run, &recorder->late, &recorder->late.nr_summed);
	fill(recorder, &recorder->intake.run, sum);
}
