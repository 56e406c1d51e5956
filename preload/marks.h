/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Blocks that are samples, so that those alone tell when they are freed. Of most others one load says that they are
 * none: a count for each hash of an address. Where it is not zero a table of addresses is searched.
 *
 * An address that finds no place in the table holds its count up for ever: then all blocks of that hash tell. Rather
 * one too many than a block that seems never to be freed.
 */
#ifndef TOPSTACKS_PRELOAD_MARKS_H
#define TOPSTACKS_PRELOAD_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#define MARKS_COUNTS_BITS 16
#define MARKS_PLACES_BITS 18
#define MARKS_NEAR	  32  /* places that an address may have, from that of its hash on */
#define MARKS_FOR_EVER	  255 /* a count that never goes down */

/* 2 MiB, of which only what is used takes memory. All zero at first. Any threads may use it at once. */
struct marks {
	uint8_t counts[1 << MARKS_COUNTS_BITS];
	uintptr_t places[(1 << MARKS_PLACES_BITS) + MARKS_NEAR - 1];
};

static inline uint64_t marks__hash(const void *block)
{
	return (uint64_t)(uintptr_t)block * 0x9e3779b97f4a7c15ULL;
}

/* False for most blocks that are not marked. */
static inline bool marks__may_have(const struct marks *marks, const void *block)
{
	return __atomic_load_n(&marks->counts[marks__hash(block) >> (64 - MARKS_COUNTS_BITS)],
			       __ATOMIC_RELAXED);
}

/* Before anybody else knows the block. */
void marks__add(struct marks *marks, const void *block);

/* The same, and its count never goes down: whoever frees such a block has to look at it. */
void marks__add_for_ever(struct marks *marks, const void *block);

/* Whether it is marked, or may be, and is not any more. Before the block is freed. NULL is not. */
bool marks__remove(struct marks *marks, const void *block);

#endif
