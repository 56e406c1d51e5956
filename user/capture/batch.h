/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A batch: the samples and process events of one drain, kept until the naming thread takes it. It
 * owns its data, so sets, rings and processes may change meanwhile.
 *
 * This file also has the queue of batches from the collecting thread to the naming thread, with the
 * collector's failures and its end.
 */
#ifndef TOPSTACKS_CAPTURE_BATCH_H
#define TOPSTACKS_CAPTURE_BATCH_H

#include <pthread.h>

#include "base/common.h"
#include "capture/events/sample.h"
#include "profile/ledger.h"
#include "topstacks/abi.h"

#define BATCH_PROCESSES 16

struct kept_samples;
struct objalloc;

struct batch {
	struct batch *next; /* for the owner's queue */
	uint64_t number;    /* set by the queue */
	uint64_t start_ns;  /* CLOCK_MONOTONIC, before the drain began */
	uint64_t end_ns;    /* end of the drained time; 0: only process events, no drain */
	uint64_t cpu_ns;    /* CPU time that collecting the batch took */
	struct ledger
		ledgers[ABI_MAX_EVENTS]; /* whole, truncated and unverified are filled in later */
	uint64_t nr_drained[ABI_MAX_EVENTS]; /* samples in the batch, by event */
	size_t bytes;	  /* memory held; shared stacks count fully in each batch */
	size_t max_bytes; /* beyond, what comes is summed up: batch__is_full() */
	struct capture *capture;
	struct process_event *events; /* in memory of their own, their paths in the arena */
	size_t nr_events, events_capacity;
	struct objalloc *arena; /* has all that the next members point to */
	struct kept_samples *samples, *last_samples;
	struct kept_samples *sums; /* the last ones, of a full batch; NULL: there are none */
	/* processes of the last samples, by instance: most samples need no copy */
	const struct process *processes[BATCH_PROCESSES];
};

/* Returns an empty batch, without a bound. Free it before the capture is closed. */
struct batch *batch__new(struct capture *capture);

/*
 * A full batch sums up without stack or process what comes, in a sample of each event, wait and
 * slice, so that it hardly grows. The ledger has these samples as MISSING_UNNAMED. Samples of the
 * idle task keep their stack, which tells idling from work. Process events become one of
 * PROCESS_RECORDS_LOST.
 */
static inline bool batch__is_full(const struct batch *batch)
{
	return batch->bytes > batch->max_bytes;
}

void batch__free(struct batch *batch); /* NULL is fine */

/* Returns a sink that stores everything in the batch. */
struct capture_sink batch__sink(struct batch *batch);

/* Passes the contents to the sink: process events in order of arrival, then samples. */
void batch__replay(const struct batch *batch, const struct capture_sink *sink);

/* First in, first out. Any thread may call its functions once it is open. */
struct batch_queue {
	int fd;		      /* an eventfd: readable while there is something new */
	_Atomic size_t bytes; /* of batches not taken yet */
	_Atomic bool is_over; /* the last target is gone */
	pthread_mutex_t lock; /* guards the members below */
	struct batch *first, **last;
	uint64_t number;		  /* of the last batch */
	uint64_t counted[ABI_MAX_EVENTS]; /* samples in all batches so far, by event */
	struct error failure;
	bool is_failure_told;
};

/* 0 or negative errno. */
int batch_queue__open(struct batch_queue *queue, struct error *err);
/* Frees the batches that are still queued. */
void batch_queue__close(struct batch_queue *queue);

/* Hands the batch over to the queue and numbers it. Returns the number. */
uint64_t batch_queue__push(struct batch_queue *queue, struct batch *batch);

/* Returns the number of an event's samples in all batches pushed so far, taken or not. */
uint64_t batch_queue__counted(struct batch_queue *queue, size_t event);

/* Returns the oldest batch, which the caller then owns, or NULL. */
struct batch *batch_queue__take(struct batch_queue *queue);

/* Records the error that ended the collecting thread; it is reported after the last batch. */
void batch_queue__fail(struct batch_queue *queue, const struct error *err);
int batch_queue__failure(struct batch_queue *queue, struct error *err);

/* Records whether the last target is gone; true wakes the reader. */
void batch_queue__set_over(struct batch_queue *queue, bool is_over);

#endif
