/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Batches between the thread that collects them and the one that names them, in order; and what
 * else the one has to tell the other. A descriptor is readable as long as there is something new.
 */
#ifndef TOPSTACKS_CAPTURE_BATCH_QUEUE_H
#define TOPSTACKS_CAPTURE_BATCH_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct batch;

struct batch_queue {
	int fd;		      /* an eventfd */
	pthread_mutex_t lock; /* guards what follows */
	struct batch *first, **last;
	uint64_t number; /* of the last batch */
	size_t bytes;	 /* of all that wait */
	struct error failure;
	bool is_failure_told;
	bool is_over;
};

/* 0 or negative errno. */
int batch_queue__open(struct batch_queue *queue, struct error *err);
/* Frees the batches that nobody took. */
void batch_queue__close(struct batch_queue *queue);

/* Gives the batch to the queue, and a number to the batch, which it returns. */
uint64_t batch_queue__push(struct batch_queue *queue, struct batch *batch);

/* The oldest batch, which is the caller's from here on, or NULL. */
struct batch *batch_queue__take(struct batch_queue *queue);

/* Bytes of batches that nobody has taken yet. */
size_t batch_queue__bytes(struct batch_queue *queue);

/* What made the collecting thread give up: it is told behind the last batch. */
void batch_queue__fail(struct batch_queue *queue, const struct error *err);
int batch_queue__failure(struct batch_queue *queue, struct error *err);

/* Whether the last target is gone. */
void batch_queue__set_over(struct batch_queue *queue, bool is_over);
bool batch_queue__is_over(struct batch_queue *queue);

#endif
