/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The collector drains in a thread of its own, when a map fills up and at least once a second,
 * however long naming, ranking and printing take. Its batches wait in a queue, in order. If the
 * queue is full, the collector goes on draining, but sums up samples without their stacks.
 */
#ifndef TOPSTACKS_CAPTURE_COLLECTOR_H
#define TOPSTACKS_CAPTURE_COLLECTOR_H

#include "base/common.h"
#include "capture/events/sample.h"

struct batch_queue;
struct capture;
struct capture_facts;
struct collector;
struct pace;

/*
 * Starts sampling and the collecting thread. The capture is borrowed; until collector__free it is
 * used through the collector only. max_waiting: bytes of queued batches; 0: 32 MB. Returns 0 or
 * negative errno.
 */
int collector__start(struct collector **collector, struct capture *capture, size_t max_waiting,
		     struct error *err);

/* Returns when sampling began; CLOCK_MONOTONIC. */
uint64_t collector__begin_ns(const struct collector *collector);

/* Ends the thread; the capture may be used freely again. NULL is fine. */
void collector__free(struct collector *collector);

/*
 * Returns the queue, which delivers batches, the failure of the thread, and the end of the last
 * target.
 */
struct batch_queue *collector__queue(struct collector *collector);

/*
 * Drains at once, in the caller's thread. *number is the number of the batch that ends the
 * interval; after the last drain, it is that drain's. pace: the sampling rate from here on; NULL:
 * unchanged. Returns 0 or negative errno.
 */
int collector__drain(struct collector *collector, enum drain_moment moment, const struct pace *pace,
		     uint64_t *number, struct error *err);

/*
 * Tells the collector when the interval ends (CLOCK_MONOTONIC; 0: unknown, or with the run).
 * If no drain has come a moment later, because the caller lacks time, the collector drains itself.
 * Replaces the earlier request.
 */
void collector__cut_at(struct collector *collector, uint64_t then_ns);

/*
 * Tells the collector when the run ends (CLOCK_MONOTONIC): at that time it stops sampling and makes
 * the last drain, however far behind its caller is.
 */
void collector__end_at(struct collector *collector, uint64_t end_ns);

/* Returns true if the collector had to end the interval; *number is then its batch. */
bool collector__was_cut(struct collector *collector, uint64_t *number);

/* Ends sampling; the next drain is the last. */
void collector__stop(struct collector *collector);

/* As capture__take_failure. */
bool collector__take_failure(struct collector *collector, char *text, size_t size);

/* As the capture__ functions of the same name. */
void collector__facts(struct collector *collector, struct capture_facts *facts);
size_t collector__kernel_bytes(struct collector *collector);

#endif
