/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_RUN_FEED_H
#define TOPSTACKS_RUN_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "capture/events/pace.h"
#include "capture/events/sample.h"

struct batch_queue;
struct capture_facts;
struct symbols;

/*
 * Where batches come from: the sampler, or a test in its place. The verbs are those of
 * capture/collector.h.
 */
struct feed {
	void *context;
	struct symbols *symbols; /* of what is sampled */
	unsigned int max_depth;	 /* most frames of a stack, in the kernel or above it */

	/*
	 * Sampling begins, into a queue that is valid from here on. *begin_ns: of the time that is sampled
	 * (CLOCK_MONOTONIC). 0 or negative errno.
	 */
	int (*start)(void *context, struct batch_queue **queue, uint64_t *begin_ns,
		     struct error *err);

	/* Drains at once; *number is that batch's. pace: from here on; NULL: as it is. */
	int (*drain)(void *context, enum drain_moment moment, const struct pace *pace,
		     uint64_t *number, struct error *err);

	/*
	 * If nobody has drained a moment after then_ns (0: never), the feed does; was_cut says
	 * whether it did, and which batch has it. is_last: sampling ends with it.
	 */
	void (*cut_at)(void *context, uint64_t then_ns, bool is_last);
	bool (*was_cut)(void *context, uint64_t *number);

	/* Ends sampling; the next drain is the last. */
	void (*stop)(void *context);

	void (*facts)(void *context, struct capture_facts *facts);
	size_t (*kernel_bytes)(void *context); /* as capture__kernel_bytes */

	/* Runs of the program in the kernel and the time they took so far. */
	void (*program_time)(void *context, uint64_t *nr_runs, uint64_t *run_ns);
};

#endif
