/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The recorder turns batches of raw samples into intervals: named, added up, with their ledger.
 *
 * A drain is not an interval: the sampler drains as the kernel's maps need it, the recorder names what
 * that brought, and hands out the sum.
 */
#ifndef TOPSTACKS_RUN_RECORDER_H
#define TOPSTACKS_RUN_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
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
	double max_share;	/* of a CPU for ourselves; above, it is slowed down; 0: no bound */
	double least_hz;	/* to this rate at most; 0: 1 Hz */
	unsigned int nr_spared; /* windows of 2 s after the first that do not count */
	struct usage_sources helpers; /* whose cost is ours too */
	struct java_names *java;      /* borrowed; NULL: JVMs are told nothing */

	/*
	 * Bounds of what is held of the run: beyond max_bytes the nr_stacks hottest stacks keep
	 * their frames, and the rest is summed up. 0: 32 MB and 20,000.
	 */
	size_t max_bytes;
	size_t nr_stacks;
	uint64_t slice_ns; /* samples tell slices of time of that length; 0: none */
	bool has_no_sum;   /* recorder__sum is not going to be called */
};

/* The sampler is borrowed, and closed after it. 0 or -ENOMEM with err filled. */
int recorder__open(struct recorder **recorder, struct sampler *sampler,
		   const struct recorder_options *options, struct error *err);

/* The sampler starts, and the first interval with it. 0 or negative errno. */
int recorder__start(struct recorder *recorder, struct error *err);

/* When that was (CLOCK_MONOTONIC). */
uint64_t recorder__start_ns(const struct recorder *recorder);
void recorder__close(struct recorder *recorder);

/* Another rate, from the end of the interval on (or from an earlier drain). */
void recorder__want_rate(struct recorder *recorder, double rate_hz);

/* The pace in force. */
struct pace recorder__pace(const struct recorder *recorder);

/* What it costs did not get below max_share, and no pace would change that. */
bool recorder__is_beyond_bound(const struct recorder *recorder);

/* As symbols__take_refusal. */
bool recorder__take_refusal(struct recorder *recorder, struct refusal *refusal);

/* Why recorder__run came back. */
enum recorder_stop {
	RECORDER_TIME,	 /* until_ns has come, the pace is another, or none keeps the bound */
	RECORDER_SIGNAL, /* a signal arrived, or the descriptor watched is readable */
	RECORDER_GONE,	 /* the last target is gone */
};

/*
 * Samples until until_ns (CLOCK_MONOTONIC), a signal, or the end of the targets, and drains as
 * needed. Signals are let in only while it waits. watched: a descriptor more to wait for, or -1.
 * Returns an enum recorder_stop or a negative errno.
 */
int recorder__run(struct recorder *recorder, uint64_t until_ns, int watched, struct error *err);

/*
 * The interval ends then, even if the recorder is still busy with names; the next one
 * begins there, or with is_last, sampling ends there. 0: that is not known yet. Replaces what was said
 * before.
 */
void recorder__cut_at(struct recorder *recorder, uint64_t then_ns, bool is_last);

/* Ends sampling; the interval that recorder__end ends next is the last. */
void recorder__stop(struct recorder *recorder);

/*
 * Drains, and ends the interval: fills *interval, whose profile and other events are borrowed until
 * the next recorder__begin. target and asked rate are left to the caller. 0 or negative errno.
 */
int recorder__end(struct recorder *recorder, struct recording *interval, struct error *err);

/*
 * After a failure: ends sampling, and the interval with what was drained until then, without any
 * drain more. 0 or negative errno.
 */
int recorder__salvage(struct recorder *recorder, struct recording *interval, struct error *err);

/* What was told late; lives as long as the recorder. */
struct late *recorder__late(struct recorder *recorder);

/* Adds the interval that was ended to the sum of the run, and begins the next. 0 or -ENOMEM. */
int recorder__begin(struct recorder *recorder, struct error *err);

/* The sum of all intervals begun and ended, as recorder__end fills it. 0 or -ENOMEM. */
int recorder__sum(struct recorder *recorder, struct recording *interval, struct error *err);

#endif
