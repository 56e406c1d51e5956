/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a bounded piece of untrusted bytes.
 *
 * A read past the end returns 0, moves to the end and marks the cursor as bad for good. So a parser
 * may read on and check once. Little endian only, like all machines that topstacks is compiled for.
 */
#ifndef TOPSTACKS_BASE_CURSOR_H
#define TOPSTACKS_BASE_CURSOR_H

#include "base/common.h"

struct cursor {
	const uint8_t *at, *end;
	bool bad;
};

static inline size_t cursor__left(const struct cursor *cursor)
{
	return (size_t)(cursor->end - cursor->at);
}

static inline void cursor__fail(struct cursor *cursor)
{
	cursor->at = cursor->end;
	cursor->bad = true;
}

static inline void cursor__skip(struct cursor *cursor, uint64_t nr_bytes)
{
	if (nr_bytes > cursor__left(cursor))
		cursor__fail(cursor);
	else
		cursor->at += nr_bytes;
}

/* Returns the next nr_bytes as a cursor of their own; if there are fewer, both cursors are bad. */
static inline struct cursor cursor__cut(struct cursor *cursor, uint64_t nr_bytes)
{
	const uint8_t *start = cursor->at;

	cursor__skip(cursor, nr_bytes);
	if (cursor->bad)
		start = cursor->at;
	return (struct cursor){.at = start, .end = cursor->at, .bad = cursor->bad};
}

/* Reads 1, 2, 4 or 8 bytes, zero extended. */
static inline uint64_t cursor__unsigned(struct cursor *cursor, size_t nr_bytes)
{
	uint64_t value = 0;

	if (nr_bytes > cursor__left(cursor)) {
		cursor__fail(cursor);
		return 0;
	}
	memcpy(&value, cursor->at, nr_bytes);
	cursor->at += nr_bytes;
	return value;
}

static inline uint8_t cursor__u8(struct cursor *cursor)
{
	return (uint8_t)cursor__unsigned(cursor, 1);
}

/* Reads 2, 4 or 8 bytes, sign extended. */
static inline int64_t cursor__signed(struct cursor *cursor, size_t nr_bytes)
{
	uint64_t value = cursor__unsigned(cursor, nr_bytes);
	unsigned int unused = 64 - 8 * (unsigned int)nr_bytes;

	return (int64_t)(value << unused) >> unused;
}

/* Reads a LEB128 number of at most 10 bytes, enough for 64 bits; drops higher bits. */
static inline uint64_t cursor__leb128(struct cursor *cursor, unsigned int *nr_bits)
{
	uint64_t value = 0;
	unsigned int shift;
	uint8_t byte;

	for (shift = 0; shift < 64; shift += 7) {
		byte = cursor__u8(cursor);
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			*nr_bits = shift + 7;
			return value;
		}
	}
	cursor__fail(cursor);
	*nr_bits = 64;
	return 0;
}

static inline uint64_t cursor__uleb128(struct cursor *cursor)
{
	unsigned int nr_bits;

	return cursor__leb128(cursor, &nr_bits);
}

static inline int64_t cursor__sleb128(struct cursor *cursor)
{
	unsigned int nr_bits;
	uint64_t value = cursor__leb128(cursor, &nr_bits);

	if (nr_bits < 64 && value >> (nr_bits - 1) & 1)
		value |= ~0ULL << nr_bits;
	return (int64_t)value;
}

/* Returns a string that ends within the next max_bytes; NULL if it does not. */
static inline const char *cursor__string(struct cursor *cursor, size_t max_bytes)
{
	const char *string = (const char *)cursor->at;
	size_t left = cursor__left(cursor);
	const void *nul = left ? memchr(cursor->at, 0, left < max_bytes ? left : max_bytes) : NULL;

	if (!nul) {
		cursor__fail(cursor);
		return NULL;
	}
	cursor->at = (const uint8_t *)nul + 1;
	return string;
}

#endif
