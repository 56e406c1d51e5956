/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The collector drains in a thread of its own: when a map fills up and at least once a second,
 * whatever naming, ranking and printing take meanwhile. What it reads waits as batches, in order,
 * and bounded: beyond, it leaves the rest to the kernel's maps, whose ledger says what has no room.
 */
#ifndef TOPSTACKS_CAPTURE_COLLECTOR_H
#define TOPSTACKS_CAPTURE_COLLECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "capture/events/sample.h"

struct batch_queue;
struct capture;
struct capture_facts;
struct collector;
struct pace;

/*
 * Starts sampling, and to collect. The capture is borrowed; from here on it is worked with through
 * the collector. 0 or negative errno.
 */
int collector__start(struct collector **collector, struct capture *capture, struct error *err);

/* When the time begins that is sampled; CLOCK_MONOTONIC. */
uint64_t collector__begin_ns(const struct collector *collector);

/* Ends collecting; the capture may be used freely again. NULL is fine. */
void collector__free(struct collector *collector);

/* What it has to tell: batches, what made the thread give up, and that the last target is gone. */
struct batch_queue *collector__queue(struct collector *collector);

/*
 * Drains at once, from the caller's thread. *number is the batch's: all before it belong to the
 * same time. pace: from here on; NULL: as it is. 0 or negative errno.
 */
int collector__drain(struct collector *collector, enum drain_moment moment, const struct pace *pace,
		     uint64_t *number, struct error *err);

/*
 * The time that is about to be drained ends then (CLOCK_MONOTONIC; 0: nobody knows): if nobody has
 * drained a moment later, for want of time, the collector does. Replaces what was asked before.
 * is_last: sampling ends with it, so that no event falls behind the last drain.
 */
void collector__cut_at(struct collector *collector, uint64_t then_ns, bool is_last);

/* The batch that ends that time, if the collector had to see to it; false: it did not. */
bool collector__was_cut(struct collector *collector, uint64_t *number);

/* Ends sampling; the next drain is the last. */
void collector__stop(struct collector *collector);

/* As capture__take_failure. */
bool collector__take_failure(struct collector *collector, char *text, size_t size);

/* Of its capture. */
void collector__facts(struct collector *collector, struct capture_facts *facts);
size_t collector__kernel_bytes(struct collector *collector);

#endif
