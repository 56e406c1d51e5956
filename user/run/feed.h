/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the recorder's batches come from: the sampler, or a test in its place. The verbs are those
 * of capture/collector.h.
 */
#ifndef TOPSTACKS_RUN_FEED_H
#define TOPSTACKS_RUN_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct batch;
struct capture_facts;

struct feed {
	void *context;

	/* Sampling begins. 0 or negative errno. */
	int (*start)(void *context, struct error *err);

	/* Readable when there is something to take, a failure to be told, or the targets are gone.
	 */
	int (*fd)(void *context);

	/* The oldest batch, the caller's from here on, or NULL. */
	struct batch *(*take)(void *context);

	/* What made it give up; 0 or negative errno. */
	int (*failure)(void *context, struct error *err);

	/* The last target is gone. */
	bool (*is_over)(void *context);

	/* Drains at once; *number is that batch's. rate_hz: from here on; 0: as it is. */
	int (*drain)(void *context, double rate_hz, uint64_t *number, struct error *err);

	/*
	 * If nobody has drained a moment after then_ns (0: never), the feed does; was_cut says
	 * whether it did, and which batch has it. is_last: sampling ends with it.
	 */
	void (*cut_at)(void *context, uint64_t then_ns, bool is_last);
	bool (*was_cut)(void *context, uint64_t *number);

	/* Ends sampling; the next drain is the last. */
	void (*stop)(void *context);

	void (*facts)(void *context, struct capture_facts *facts);

	/* Runs of the program in the kernel and the time they took so far. */
	void (*program_time)(void *context, uint64_t *nr_runs, uint64_t *run_ns);
};

#endif
