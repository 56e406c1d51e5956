/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A batch: what one drain handed over, kept until somebody has time to name it. It owns all it
 * holds, so that sets, rings and processes may go on changing.
 */
#ifndef TOPSTACKS_CAPTURE_BATCH_H
#define TOPSTACKS_CAPTURE_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/sample.h"
#include "profile/ledger.h"

struct batch {
	struct batch *next;   /* for whoever queues it */
	uint64_t number;      /* likewise */
	uint64_t start_ns;    /* CLOCK_MONOTONIC: the drain had not begun yet */
	uint64_t end_ns;      /* of the time it is about; 0: process events only, no drain */
	uint64_t cpu_ns;      /* what it took */
	struct ledger ledger; /* whole, truncated and unverified are not known yet */
	uint64_t nr_drained;  /* samples in it */
	size_t bytes;	      /* held in memory, stacks counted as if no other batch had them */
	struct capture *capture;
	struct kept_event *events;
	struct kept_sample *samples;
	size_t nr_events, nr_samples;
	size_t events_capacity, samples_capacity;
	bool lacks_memory; /* something is missing for want of it */
};

/* Empty; NULL: out of memory. It must be freed before the capture is closed. */
struct batch *batch__new(struct capture *capture);
void batch__free(struct batch *batch); /* NULL is fine */

/* A sink that keeps everything in the batch. */
struct capture_sink batch__sink(struct batch *batch);

/* Hands everything over, in the order in which it came: process events, then samples. */
void batch__replay(const struct batch *batch, const struct capture_sink *sink);

#endif
