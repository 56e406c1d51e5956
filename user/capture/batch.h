/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A batch: what one drain handed over, kept until somebody has time to name it. It owns all it
 * holds, so that sets, rings and processes may go on changing.
 *
 * And the queue of batches between the thread that collects them and the one that names them, with
 * what else the one has to tell the other.
 */
#ifndef TOPSTACKS_CAPTURE_BATCH_H
#define TOPSTACKS_CAPTURE_BATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "capture/events/sample.h"
#include "profile/ledger.h"
#include "topstacks/abi.h"

struct batch {
	struct batch *next; /* for whoever queues it */
	uint64_t number;    /* likewise */
	uint64_t start_ns;  /* CLOCK_MONOTONIC: the drain had not begun yet */
	uint64_t end_ns;    /* of the time it is about; 0: process events only, no drain */
	uint64_t cpu_ns;    /* what it took */
	struct ledger
		ledgers[ABI_MAX_EVENTS];     /* whole, truncated and unverified are not known yet */
	uint64_t nr_drained[ABI_MAX_EVENTS]; /* samples in it */
	size_t bytes; /* held in memory, stacks counted as if no other batch had them */
	struct capture *capture;
	struct process_event *events; /* their paths are the batch's */
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

/* In order; any thread may call its functions, once it is open. */
struct batch_queue {
	int fd;		      /* an eventfd: readable as long as there is something new */
	_Atomic size_t bytes; /* of batches that nobody has taken yet */
	_Atomic bool is_over; /* the last target is gone */
	pthread_mutex_t lock; /* guards what follows */
	struct batch *first, **last;
	uint64_t number; /* of the last batch */
	struct error failure;
	bool is_failure_told;
};

/* 0 or negative errno. */
int batch_queue__open(struct batch_queue *queue, struct error *err);
/* Frees the batches that nobody took. */
void batch_queue__close(struct batch_queue *queue);

/* Gives the batch to the queue, and a number to the batch, which it returns. */
uint64_t batch_queue__push(struct batch_queue *queue, struct batch *batch);

/* The oldest batch, which is the caller's from here on, or NULL. */
struct batch *batch_queue__take(struct batch_queue *queue);

/* What made the collecting thread give up: it is told behind the last batch. */
void batch_queue__fail(struct batch_queue *queue, const struct error *err);
int batch_queue__failure(struct batch_queue *queue, struct error *err);

/* Whether the last target is gone: that is told as well. */
void batch_queue__set_over(struct batch_queue *queue, bool is_over);

#endif
