/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sampled blocks that are not freed yet, read from the programs' map. Blocks of a process that has
 * ended or executed another program are reported once more, in the interval of that end, and then
 * forgotten.
 */
#ifndef TOPSTACKS_CAPTURE_KERNEL_LIVE_BLOCKS_H
#define TOPSTACKS_CAPTURE_KERNEL_LIVE_BLOCKS_H

#include "base/common.h"
#include "capture/events/sample.h"

struct capture_sink;
struct ledger;
struct live_blocks;
struct process_event;
struct set;

/* map: descriptor of the live map, borrowed. */
struct live_blocks *live_blocks__new(int map, unsigned int event);
void live_blocks__free(struct live_blocks *blocks); /* NULL is fine */

void live_blocks__observe(struct live_blocks *blocks, const struct process_event *event);

/*
 * Call it once the set of a generation is drained. Hands over the blocks of processes that have
 * ended and, at the end of an interval, all live blocks, and adds them to the ledger. Returns 0 or
 * negative errno.
 */
int live_blocks__hand_over(struct live_blocks *blocks, struct set *set, uint32_t generation,
			   enum drain_moment moment, const struct capture_sink *sink,
			   struct ledger *ledger);

#endif
