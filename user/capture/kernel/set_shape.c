// SPDX-License-Identifier: GPL-2.0-only
#include "capture/kernel/sets.h"

#include "topstacks/abi.h"
#include "topstacks/interpreter_abi.h"
#include "topstacks/store_abi.h"

#define LEAST_CODES 1024

/*
 * Elements of the stack trace map are as large as the deepest stack, so there are few; other stacks
 * go to the log.
 */
#define MOST_STACKS 512

/* room in the log for each stack; enough for 28 frames */
#define LOG_BYTES_A_STACK 256

/*
 * Returns the number of keys, which exceeds that of stacks: one user stack has several kernel
 * stacks below it.
 */
static uint32_t key_entries(const struct set_shape *shape)
{
	return shape->capacity + shape->capacity / 2;
}

/* Where user stacks go to the log, the stack trace map needs few elements. */
static uint32_t stack_entries(const struct set_shape *shape)
{
	const bool spills_users = shape->unwinds || shape->follows_records || shape->spills_all;
	const uint32_t most = spills_users ? shape->capacity / 4 : shape->capacity;

	return most < MOST_STACKS ? most : MOST_STACKS;
}

uint32_t set_shape__pool(const struct set_shape *shape, enum set_map map)
{
	if (map == SET_SLOTS)
		return key_entries(shape) / SLOTS_A_BLOCK;
	/* A second chunk for each home, so that no CPU waits for a drain. */
	return shape->nr_homes +
	       (uint32_t)((uint64_t)shape->capacity * LOG_BYTES_A_STACK / (LOG_LAST_WORD * 8));
}

uint32_t set_shape__entries(const struct set_shape *shape, enum set_map map)
{
	switch (map) {
	case SET_COUNTS:
		return key_entries(shape);
	/*
	 * if all processes are short-lived, each has one sample, so the log has a process for each
	 * stack
	 */
	case SET_KNOWN:
		return (shape->spills_all ? 2 : 1) * shape->capacity + shape->capacity / 2 +
		       (shape->interprets ? LEAST_CODES : 0);
	case SET_STACKS: /* one more than a power of two, which doubles the buckets */
		return stack_entries(shape) + 1;
	default:
		return shape->nr_homes + set_shape__pool(shape, map);
	}
}

uint32_t set_shape__record_words(const struct set_shape *shape)
{
	const size_t stack = SPILLED_STACK_BYTES((size_t)shape->max_depth);
	size_t most = sizeof(struct process_record);

	if (stack > most)
		most = stack;
	if (shape->interprets && CODE_RECORD_BYTES(shape->with_lines) > most)
		most = CODE_RECORD_BYTES(shape->with_lines);
	return (uint32_t)RECORD_ROOM(most / 8);
}

size_t set_shape__chunk_bytes(const struct set_shape *shape)
{
	return LOG_CHUNK_BYTES((size_t)set_shape__record_words(shape));
}

size_t set_shape__array_bytes(const struct set_shape *shape, enum set_map map)
{
	return set_shape__entries(shape, map) *
	       (map == SET_SLOTS ? sizeof(struct slot_block) : set_shape__chunk_bytes(shape));
}

/* struct htab_elem has 48 bytes; key and value follow, each rounded up to whole words. */
size_t set_shape__hash_bytes(size_t entries, size_t key, size_t value)
{
	return entries * (48 + ((key + 7) & ~7UL) + ((value + 7) & ~7UL)) + 2 * entries * 16;
}

size_t set_shape__key_bytes(const struct set_shape *shape)
{
	return set_shape__hash_bytes(set_shape__entries(shape, SET_COUNTS),
				     sizeof(struct sample_key), sizeof(uint32_t)) +
	       set_shape__hash_bytes(set_shape__entries(shape, SET_KNOWN), 8, 8);
}

size_t set_shape__bytes(const struct set_shape *shape)
{
	const size_t stacks = set_shape__entries(shape, SET_STACKS);
	const size_t stack = 24 + 8 * (size_t)shape->max_depth; /* struct stack_map_bucket */

	return set_shape__key_bytes(shape) + stacks * (stack + 2 * sizeof(void *)) +
	       set_shape__array_bytes(shape, SET_SLOTS) + set_shape__array_bytes(shape, SET_LOG);
}
