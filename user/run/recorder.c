// SPDX-License-Identifier: GPL-2.0-only
#include "run/recorder.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/time_budget.h"
#include "capture/batch.h"
#include "capture/capture.h"
#include "profile/profile.h"
#include "run/fit.h"
#include "run/governor.h"
#include "run/interrupt.h"
#include "run/java_names.h"
#include "run/late.h"
#include "run/period.h"
#include "run/period_facts.h"
#include "run/symbolizer.h"
#include "run/tally.h"
#include "run/turns.h"
#include "run/usage.h"
#include "symbols/jit/late_table.h"
#include "symbols/symbols.h"

#define MAX_DICTIONARY_BYTES (32 << 20) /* beyond, rare stacks are summed up */
#define NR_KEPT		     20000	/* of them keep their frames */

/* A sample belongs to a set of maps until its end is known: so much later at most. */
#define FLIP_NS 20000000ULL

/* Named between two looks at what it costs. */
#define GOVERNED_SAMPLES 1024

/* After its end an interval waits for those who open and read files no longer than that. */
#define HURRY_NS 500000000ULL

struct recorder {
	struct feed feed;
	struct batch_queue *queue; /* of the feed, once it is started */
	struct usage_sources helpers;
	struct java_names *java; /* or NULL */
	struct dictionary *dictionary;
	struct symbolizer *symbolizer;
	struct period interval, run;
	struct late late;
	size_t max_bytes, nr_kept; /* bounds of the dictionary */
	bool has_no_sum;
	uint64_t slice_ns; /* or 0 */
	uint64_t newest_slice;
	uint64_t last_slice; /* of the interval, after which no sample tells its own; 0: none is */
	uint64_t end_ns;     /* of the time that the last batch was about */
	uint64_t number;     /* of the last batch that was */
	int sink_error;	     /* of the batch under way; err has the words, unless memory lacks */
	struct error *err;   /* of the call that takes it */
	unsigned int nr_named; /* samples, since the pace was looked at */
	bool is_slower; /* since the interval is under way, or no pace keeps the bound any more */
	bool is_stopped, cut_is_last, is_ending;
	int watched;	 /* of the call under way; -1: none */
	uint64_t cut_ns; /* when the interval is to end; 0: nobody knows yet */
	struct hurry hurry;
	struct turns turns; /* of the batch under way */
	struct pace pace;
	double wanted_hz;    /* from the next drain on; 0: as it is */
	uint64_t thinned_ns; /* since when fewer of what is counted are taken; 0: never */
	struct governor governor;
	struct load load; /* its samples; the time is asked for where it is needed */
};

/* ---- the sink of a batch ---- */

static void take_event(void *context, const struct process_event *event)
{
	struct recorder *recorder = context;

	symbols__observe(recorder->feed.symbols, event);
}

/*
 * 1 + the number of a slice in the interval, which may begin within it; 0: none. What is told by slices takes
 * memory with each of them, so there is an end to it.
 */
static uint32_t slice_of(struct recorder *recorder, uint64_t slice)
{
	const uint64_t since_ns = recorder->interval.start_ns - recorder->run.start_ns;
	uint64_t first, number;

	if (!slice)
		return 0;
	first = (since_ns + recorder->slice_ns / 2) / recorder->slice_ns;
	number = slice > first + 1 ? slice - first : 1;
	if (number > recorder->newest_slice)
		recorder->newest_slice = number;
	if (number > MAX_SLICES && !recorder->last_slice)
		recorder->last_slice = MAX_SLICES;
	return recorder->last_slice && number > recorder->last_slice ? 0 : (uint32_t)number;
}

static void take_sample(void *context, const struct raw_sample *raw)
{
	struct recorder *recorder = context;
	struct symbolized_stack named;
	struct sample sample = {
		.tid = raw->tid, .wait = raw->wait, .values = {raw->count, raw->weight}};

	if (symbolizer__name(recorder->symbolizer, raw, &named)) {
		recorder->sink_error = -ENOMEM;
		return;
	}
	if (!tally__sample(&recorder->interval.ledgers[raw->event], raw, &named))
		return;
	sample.process = named.process;
	sample.stack = named.stack;
	sample.slice = slice_of(recorder, raw->slice);
	if (sample__name_thread(&sample, recorder->dictionary, raw->thread) ||
	    profile__add(recorder->interval.profiles[raw->event], &sample))
		recorder->sink_error = -ENOMEM;
}

static int govern(struct recorder *recorder, struct error *err);

/* A batch may take so long to name that the bound would be kept for none of it. */
static void take_in_turn(void *context, const struct raw_sample *raw)
{
	struct recorder *recorder = context;
	int code = turns__leave(&recorder->turns, recorder->feed.symbols, raw);

	if (!code)
		take_sample(recorder, raw);
	if (code >= 0 && ++recorder->nr_named >= GOVERNED_SAMPLES)
		code = govern(recorder, recorder->err);
	if (code < 0)
		recorder->sink_error = code;
}

/* In a hurry they leave half of its time to what is sampled next. */
static void take_left(struct recorder *recorder)
{
	const uint64_t spared_ns = recorder->turns.nr_left ? recorder->hurry.left_ns / 2 : 0;

	recorder->hurry.left_ns -= spared_ns;
	for (size_t i = 0; i < recorder->turns.nr_left; i++)
		take_sample(recorder, &recorder->turns.left[i]);
	recorder->hurry.left_ns += spared_ns;
	recorder->turns.nr_left = 0;
}

/* They are in no dictionary that could be begun anew: from here on samples tell none. */
static void bound_slices(struct recorder *recorder)
{
	size_t nr_bytes = 0;

	for (size_t i = 0; i < recorder->interval.nr_events; i++)
		nr_bytes += profile__memory_bytes(recorder->interval.profiles[i]);
	if (recorder->slice_ns && !recorder->last_slice && nr_bytes > recorder->max_bytes / 2)
		recorder->last_slice = recorder->newest_slice;
}

/*
 * Days of ever new stacks must not fill the memory: the dictionary begins anew with the hottest
 * stacks of the run and of the interval, the rest keeps its counts and loses its frames.
 */
static int bound_memory(struct recorder *recorder)
{
	struct period interval = {0}, run;
	struct dictionary *fresh;
	int code = -ENOMEM;

	if (dictionary__memory_bytes(recorder->dictionary) < recorder->max_bytes)
		return 0;
	fresh = dictionary__new();
	if (fresh)
		code = period__condense(&recorder->interval, recorder->nr_kept, fresh, &interval);
	if (!code)
		code = period__condense(&recorder->run, recorder->nr_kept, fresh, &run);
	if (code) {
		period__free(&interval);
		dictionary__free(fresh);
		return code;
	}
	period__free(&recorder->interval);
	period__free(&recorder->run);
	dictionary__free(recorder->dictionary);
	recorder->interval = interval;
	recorder->run = run;
	recorder->dictionary = fresh;
	symbolizer__use(recorder->symbolizer, fresh);
	return 0;
}

static void count_samples(struct recorder *recorder, const struct batch *batch)
{
	struct capture_facts facts;
	size_t i;

	recorder->feed.facts(recorder->feed.context, &facts);
	for (i = 0; i < facts.events->nr; i++)
		if (facts.events->list[i].has_rate)
			recorder->load.rated += batch->ledgers[i].counted;
		else
			recorder->load.counted += batch->ledgers[i].counted;
}

/* Adds a batch to the interval. One without a drain (end_ns 0) has process events only. */
static int add_batch(struct recorder *recorder, const struct batch *batch)
{
	struct capture_sink sink = {
		.context = recorder, .on_event = take_event, .on_sample = take_in_turn};
	const struct late_window window = {recorder->end_ns, batch->end_ns + FLIP_NS};
	uint64_t start_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	symbolizer__set_window(recorder->symbolizer, &window);
	bound_slices(recorder);
	recorder->sink_error = bound_memory(recorder);
	if (recorder->sink_error)
		return recorder->sink_error;
	period__add(&recorder->interval, batch);
	count_samples(recorder, batch);
	symbols__put_off(recorder->feed.symbols, true);
	batch__replay(batch, &sink);
	symbols__put_off(recorder->feed.symbols, false);
	take_left(recorder);
	if (batch->end_ns) {
		symbols__forget(recorder->feed.symbols, batch->start_ns);
		java_names__go_on(recorder->java, recorder->feed.symbols);
		recorder->end_ns = batch->end_ns;
	}
	recorder->interval.symbols_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns;
	return recorder->sink_error;
}

/* Takes the oldest batch that waits. 1; 0: there is none; or negative errno. */
static int take_batch(struct recorder *recorder, struct error *err)
{
	struct batch *batch = batch_queue__take(recorder->queue);
	int code;

	if (!batch)
		return batch_queue__failure(recorder->queue, err);
	recorder->err = err;
	code = add_batch(recorder, batch);
	recorder->number = batch->number;
	batch__free(batch);
	if (code == -ENOMEM)
		return error__no_memory(err);
	return code ? code : 1;
}

static void read_usage(const struct recorder *recorder, struct usage *usage)
{
	usage__read(usage, &recorder->helpers);
	recorder->feed.program_time(recorder->feed.context, &usage->program_runs,
				    &usage->program_ns);
}

/* The pace that is wanted from here on, or that we can afford; what does not change is 0. */
static struct pace next_pace(struct recorder *recorder)
{
	struct pace next = {.rate_hz = recorder->wanted_hz};
	const struct pace now = recorder->pace;
	struct usage used;

	if (recorder->is_stopped)
		return (struct pace){0};
	recorder->wanted_hz = 0;
	if (next.rate_hz > 0) {
		governor__forget(&recorder->governor);
		return next;
	}
	read_usage(recorder, &used);
	recorder->load.used_ns = usage__cpu_ns(&used);
	next = governor__pace(&recorder->governor, now, monotonic_ns(), &recorder->load);
	return (struct pace){next.rate_hz < now.rate_hz ? next.rate_hz : 0,
			     next.one_in > now.one_in ? next.one_in : 0};
}

static bool is_other(const struct pace *pace)
{
	return pace->rate_hz > 0 || pace->one_in;
}

/* *number: of the batch that has everything sampled until now, at the old pace. */
static int drain(struct recorder *recorder, enum drain_moment moment, const struct pace *pace,
		 uint64_t *number, struct error *err)
{
	if (pace->rate_hz > 0)
		recorder->pace.rate_hz = pace->rate_hz;
	if (pace->one_in) {
		recorder->pace.one_in = pace->one_in;
		if (!recorder->thinned_ns)
			recorder->thinned_ns = monotonic_ns();
	}
	return recorder->feed.drain(recorder->feed.context, moment, is_other(pace) ? pace : NULL,
				    number, err);
}

/* Samples at the pace that keeps the bound from here on. 0 or negative errno. */
static int govern(struct recorder *recorder, struct error *err)
{
	const bool was_beyond = governor__is_beyond(&recorder->governor);
	const struct pace pace = next_pace(recorder);
	uint64_t number;

	recorder->nr_named = 0;
	recorder->is_slower |=
		is_other(&pace) || (governor__is_beyond(&recorder->governor) && !was_beyond);
	return is_other(&pace) ? drain(recorder, DRAIN_MIDDLE, &pace, &number, err) : 0;
}

void recorder__want_rate(struct recorder *recorder, double rate_hz)
{
	recorder->wanted_hz = rate_hz;
}

struct pace recorder__pace(const struct recorder *recorder)
{
	return recorder->pace;
}

bool recorder__is_beyond_bound(const struct recorder *recorder)
{
	return governor__is_beyond(&recorder->governor);
}

bool recorder__take_refusal(struct recorder *recorder, struct refusal *refusal)
{
	return symbols__take_refusal(recorder->feed.symbols, refusal);
}

/* ---- opening and closing ---- */

/* Somebody waits for us: a command has ended, say. */
static bool is_wanted(const struct recorder *recorder)
{
	struct pollfd watched = {.fd = recorder->watched, .events = POLLIN};

	return poll(&watched, 1, 0) > 0;
}

static bool is_hurried(void *context)
{
	const struct recorder *recorder = context;

	return recorder->is_ending || recorder->is_stopped || interrupt__is_pending() ||
	       is_wanted(recorder) || (recorder->cut_ns && monotonic_ns() > recorder->cut_ns);
}

static void calm_down(struct recorder *recorder)
{
	recorder->hurry.left_ns = HURRY_NS;
	recorder->is_ending = false;
	recorder->cut_ns = 0;
}

static int begin_period(struct recorder *recorder, struct period *period, uint64_t now_ns)
{
	struct capture_facts facts;
	int code;

	recorder->feed.facts(recorder->feed.context, &facts);
	code = period__begin(period, facts.events, recorder->dictionary, now_ns);
	read_usage(recorder, &period->start);
	return code;
}

int recorder__open(struct recorder **out, const struct feed *feed,
		   const struct recorder_options *options, struct error *err)
{
	struct recorder *recorder = calloc(1, sizeof(*recorder));

	if (!recorder)
		return error__no_memory(err);
	recorder->feed = *feed;
	recorder->helpers = options->helpers;
	recorder->java = options->java;
	recorder->helpers.symbols = feed->symbols;
	recorder->late.names = symbols__late(feed->symbols);
	recorder->watched = -1;
	recorder->has_no_sum = options->has_no_sum;
	recorder->slice_ns = options->slice_ns;
	recorder->pace = options->pace;
	recorder->governor.max_share = options->max_share;
	recorder->governor.least_hz = options->least_hz;
	recorder->governor.nr_spared = options->nr_spared;
	recorder->max_bytes = options->max_bytes ? options->max_bytes : MAX_DICTIONARY_BYTES;
	recorder->nr_kept = options->nr_stacks ? options->nr_stacks : NR_KEPT;
	recorder->dictionary = dictionary__new();
	if (recorder->dictionary)
		recorder->symbolizer =
			symbolizer__new(feed->symbols, recorder->dictionary, feed->max_depth);
	if (!recorder->symbolizer) {
		recorder__close(recorder);
		return error__no_memory(err);
	}
	recorder->hurry = (struct hurry){.has_come = is_hurried, .context = recorder};
	symbols__set_hurry(feed->symbols, &recorder->hurry);
	*out = recorder;
	return 0;
}

int recorder__start(struct recorder *recorder, struct error *err)
{
	uint64_t now_ns = monotonic_ns();
	int code;

	calm_down(recorder);
	if (begin_period(recorder, &recorder->run, now_ns) ||
	    begin_period(recorder, &recorder->interval, now_ns))
		return error__no_memory(err);
	code = recorder->feed.start(recorder->feed.context, &recorder->queue, &now_ns, err);
	recorder->run.start_ns = recorder->interval.start_ns = recorder->end_ns = now_ns;
	return code;
}

struct late *recorder__late(struct recorder *recorder)
{
	return &recorder->late;
}

uint64_t recorder__start_ns(const struct recorder *recorder)
{
	return recorder->run.start_ns;
}

void recorder__close(struct recorder *recorder)
{
	if (!recorder)
		return;
	symbols__set_hurry(recorder->feed.symbols, NULL);
	symbolizer__free(recorder->symbolizer);
	period__free(&recorder->interval);
	period__free(&recorder->run);
	dictionary__free(recorder->dictionary);
	turns__fini(&recorder->turns);
	free(recorder);
}

/* ---- running ---- */

/* 1: a signal, or watched is readable. */
static int wait_for_news(struct recorder *recorder, uint64_t until_ns)
{
	uint64_t now_ns = monotonic_ns();
	uint64_t left_ns = until_ns > now_ns ? until_ns - now_ns : 0;
	struct timespec timeout = {.tv_sec = (time_t)(left_ns / 1000000000),
				   .tv_nsec = (long)(left_ns % 1000000000)};
	struct pollfd wanted[] = {{.fd = recorder->queue->fd, .events = POLLIN},
				  {.fd = recorder->watched, .events = POLLIN}};
	sigset_t mask;

	/* Signals first: the second call does not take any if there is news already. */
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
	recorder->is_slower = false;
	for (;;) {
		code = wait_for_news(recorder, until_ns);
		if (code < 0)
			return error__set(err, EXIT_INTERNAL, code, "cannot wait for events");
		if (code)
			return RECORDER_SIGNAL;
		end_ns = recorder->end_ns;
		code = take_batch(recorder, err);
		if (code > 0 && recorder->end_ns != end_ns)
			code = govern(recorder, err);
		if (code < 0)
			return code;
		if (recorder->queue->is_over)
			return RECORDER_GONE;
		if (recorder->is_slower || monotonic_ns() >= until_ns)
			return RECORDER_TIME;
	}
}

/* What was sampled and is known of it, as a recording. 0 or negative errno. */
static int fill(const struct recorder *recorder, struct period *period, struct recording *interval,
		struct error *err)
{
	const struct period_source source = {
		.feed = &recorder->feed,
		.helpers = &recorder->helpers,
		.pace = recorder->pace,
		.end_ns = recorder->end_ns,
		.thinned_ns = recorder->thinned_ns,
	};

	return period__tell(period, &source, interval) ? error__no_memory(err) : 0;
}

/* Weights of samples that stand for a part of the time are made those of all of it. */
static int fit_samples(struct recorder *recorder)
{
	struct period *period = &recorder->interval;
	struct capture_facts facts;
	size_t i;
	int code = 0;

	recorder->feed.facts(recorder->feed.context, &facts);
	for (i = 0; i < period->nr_events && !code; i++)
		code = fit__profile(period->profiles[i], &period->ledgers[i],
				    facts.events->list[i].has_rate, recorder->pace.one_in > 1);
	return code;
}

void recorder__cut_at(struct recorder *recorder, uint64_t then_ns, bool is_last)
{
	recorder->cut_is_last = is_last;
	recorder->cut_ns = then_ns;
	recorder->feed.cut_at(recorder->feed.context, then_ns, is_last);
}

void recorder__stop(struct recorder *recorder)
{
	recorder->is_stopped = true;
	recorder->feed.stop(recorder->feed.context);
}

/* The feed has ended the interval already; after an end that came earlier than planned, it has not. */
static bool was_cut(const struct recorder *recorder, uint64_t *last)
{
	return recorder->feed.was_cut(recorder->feed.context, last) &&
	       (!recorder->is_stopped || recorder->cut_is_last);
}

int recorder__end(struct recorder *recorder, struct recording *interval, struct error *err)
{
	const struct pace pace = next_pace(recorder);
	uint64_t last;
	const bool has_end = recorder->feed.was_cut(recorder->feed.context, &last);
	int code = 0;

	recorder->is_ending = true;
	if (is_other(&pace) || !was_cut(recorder, &last))
		code = drain(recorder, has_end ? DRAIN_AFTER_END : DRAIN_END, &pace, &last, err);
	recorder->feed.cut_at(recorder->feed.context, 0, false);
	while (code >= 0 && recorder->number < last) /* the batch that ends it may be in already */
		code = take_batch(recorder, err);
	if (code >= 0) /* this interval lacks the samples of a drain that failed */
		code = batch_queue__failure(recorder->queue, err);
	if (code < 0)
		return code;
	if (recorder->is_stopped) {
		java_names__finish(recorder->java, recorder->feed.symbols);
		symbols__look_again(recorder->feed.symbols);
	}
	if (period__rename(&recorder->interval, &recorder->late, &recorder->late.nr_samples) ||
	    fit_samples(recorder))
		return error__no_memory(err);
	return fill(recorder, &recorder->interval, interval, err);
}

int recorder__salvage(struct recorder *recorder, struct recording *interval, struct error *err)
{
	recorder__stop(recorder);
	while (take_batch(recorder, err) > 0)
		;
	return fill(recorder, &recorder->interval, interval, err);
}

int recorder__begin(struct recorder *recorder, struct error *err)
{
	calm_down(recorder);
	recorder->newest_slice = recorder->last_slice = 0;
	if ((!recorder->has_no_sum && period__merge(&recorder->run, &recorder->interval)) ||
	    begin_period(recorder, &recorder->interval, recorder->end_ns))
		return error__no_memory(err);
	return 0;
}

int recorder__sum(struct recorder *recorder, struct recording *sum, struct error *err)
{
	if (period__rename(&recorder->run, &recorder->late, &recorder->late.nr_summed))
		return error__no_memory(err);
	return fill(recorder, &recorder->run, sum, err);
}
