/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Marks the sampled blocks, so that only they are reported when freed. For most other blocks one
 * load shows that they are not marked: a count for each hash of an address. If that is not zero, a
 * table of addresses is searched.
 *
 * An address without room in the table keeps its count up for ever: then all blocks with that hash
 * are reported. A free too many is better than a block that seems never to be freed.
 */
#ifndef TOPSTACKS_PRELOAD_MARKS_H
#define TOPSTACKS_PRELOAD_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#define MARKS_COUNTS_BITS 16
#define MARKS_PLACES_BITS 18
#define MARKS_NEAR	  32  /* entries that an address may use, from its hash on */
#define MARKS_FOR_EVER	  255 /* a count that never goes down */

/* 2 MiB, of which only used pages take memory. Zeroed at first. Threads may use it concurrently. */
struct marks {
	uint8_t counts[1 << MARKS_COUNTS_BITS];
	uintptr_t places[(1 << MARKS_PLACES_BITS) + MARKS_NEAR - 1];
};

static inline uint64_t marks__hash(const void *block)
{
	return (uint64_t)(uintptr_t)block * 0x9e3779b97f4a7c15ULL;
}

/* False for most unmarked blocks. */
static inline bool marks__may_have(const struct marks *marks, const void *block)
{
	return __atomic_load_n(&marks->counts[marks__hash(block) >> (64 - MARKS_COUNTS_BITS)],
			       __ATOMIC_RELAXED);
}

/* Marks a block. Call it before other threads know the block. */
void marks__add(struct marks *marks, const void *block);

/* The same, and its count never falls: every free of such a block has to look at it. */
void marks__add_for_ever(struct marks *marks, const void *block);

/*
 * Unmarks a block before it is freed. Returns whether it was, or may have been, marked. NULL is
 * not.
 */
bool marks__remove(struct marks *marks, const void *block);

#endif
