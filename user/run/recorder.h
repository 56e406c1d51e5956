/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The recorder turns batches of raw samples into intervals: named, added up, with their ledger.
 *
 * A drain is not an interval: the sampler drains as often as the kernel's maps need it; the
 * recorder names the samples of each drain, and hands out their sum.
 */
#ifndef TOPSTACKS_RUN_RECORDER_H
#define TOPSTACKS_RUN_RECORDER_H

#include "base/common.h"
#include "capture/events/pace.h"
#include "profile/recording.h"
#include "run/usage.h"

struct java_names;
struct late;
struct recorder;
struct refusal;
struct sampler;

struct recorder_options {
	struct pace pace;
	double max_share;	/* of one CPU for our own cost; above, the pace slows down; 0: no
				 * bound */
	double least_hz;	/* the pace is not lowered beyond it; 0: 1 Hz */
	unsigned int nr_spared; /* windows of 2 s after the first that are not judged */
	struct usage_sources helpers; /* other processes whose cost counts as ours */
	struct java_names *java;      /* borrowed; NULL: JVMs are not asked */

	/*
	 * Memory bounds of the run's sum: beyond max_bytes only the nr_stacks hottest stacks keep
	 * their frames, and the rest is summed up. 0: 32 MB and 20,000.
	 */
	size_t max_bytes;
	size_t nr_stacks;
	uint64_t slice_ns; /* samples carry slices of this length; 0: none */
	bool has_no_sum;   /* recorder__sum() will not be called */
};

/* The sampler is borrowed; close it after the recorder. */
struct recorder *recorder__open(struct sampler *sampler, const struct recorder_options *options);

/* Starts the sampler and the first interval. 0 or negative errno. */
int recorder__start(struct recorder *recorder, struct error *err);

/* When sampling started (CLOCK_MONOTONIC). */
uint64_t recorder__start_ns(const struct recorder *recorder);
void recorder__close(struct recorder *recorder);

/* Asks for another rate from the end of the interval on (or from an earlier drain). */
void recorder__want_rate(struct recorder *recorder, double rate_hz);

/* The pace in force. */
struct pace recorder__pace(const struct recorder *recorder);

/* Whether our cost stays above max_share and no pace would change that. */
bool recorder__is_beyond_bound(const struct recorder *recorder);

/* Like symbols__take_refusal(). */
bool recorder__take_refusal(struct recorder *recorder, struct refusal *refusal);

/* Why recorder__run() returned. */
enum recorder_stop {
	RECORDER_TIME,	 /* until_ns has come, the pace has changed, or no pace keeps the bound */
	RECORDER_SIGNAL, /* a signal arrived, or `watched` is readable */
	RECORDER_GONE,	 /* the last target is gone */
};

/*
 * Samples until until_ns (CLOCK_MONOTONIC), a signal, or the end of the targets, and drains as
 * needed. Lets signals in only while it waits. watched: one more descriptor to wait for, or -1.
 * Returns an enum recorder_stop or a negative errno.
 */
int recorder__run(struct recorder *recorder, uint64_t until_ns, int watched, struct error *err);

/*
 * Plans the end of the interval at then_ns, even if the recorder is still busy with names. The next
 * interval begins there. 0: not known yet, or the run's end. Replaces the plan before.
 */
void recorder__cut_at(struct recorder *recorder, uint64_t then_ns);

/* Whether the interval has ended as planned, although recorder__end() has not been called. */
bool recorder__was_cut(const struct recorder *recorder);

/*
 * Plans the end of sampling, once, when sampling has started; the plan is kept however late the
 * recorder is.
 */
void recorder__end_at(struct recorder *recorder, uint64_t end_ns);

/* Ends sampling; the interval that recorder__end ends next is the last. */
void recorder__stop(struct recorder *recorder);

/*
 * Drains, and ends the interval: fills *interval, whose profile and other events are borrowed until
 * the next recorder__begin(). The caller fills in target and asked rate. 0 or negative errno.
 */
int recorder__end(struct recorder *recorder, struct recording *interval, struct error *err);

/*
 * Call after a failure: ends sampling, and ends the interval with what was drained so far, without
 * another drain.
 */
void recorder__salvage(struct recorder *recorder, struct recording *interval);

/* The names told late; they live as long as the recorder. */
struct late *recorder__late(struct recorder *recorder);

/* Adds the ended interval to the sum of the run, and begins the next one. */
void recorder__begin(struct recorder *recorder);

/* Fills *interval with the sum of all ended intervals, like recorder__end(). */
void recorder__sum(struct recorder *recorder, struct recording *interval);

#endif
