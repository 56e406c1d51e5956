// SPDX-License-Identifier: GPL-2.0-only
/*
 * Three encodings of the same data: pieces of code in order of address, each with its length and
 * the difference of its line from the one before.
 *
 *	pairs      06 01 08 ff     6 bytes of the first line, 8 bytes of the next one, and one
 *	                           back: the line changes after the piece
 *	                           (Objects/lnotab_notes.txt of CPython 3.9)
 *	ranges     06 01 08 80     6 bytes of the line after the first, 8 bytes without a line:
 *	                           it changes before the piece (the same file of 3.10)
 *	locations  d9 05 11 80 00  a byte with the top bit, 1 kkkk nnn, begins an entry of nnn + 1
 *	                           instructions; no other byte has that bit; the kind kkkk tells
 *	                           what they mean (Objects/locations.md of 3.11)
 *
 * Lines are added up like in CPython, in 32 bits. A sum that is no valid line is not returned.
 */
#include "interpreters/code_lines.h"

#include "base/cursor.h"

#define INSTRUCTION_BYTES 2

#define RANGE_NO_LINE (-128) /* in place of a difference */

#define LOCATION_BEGIN	    0x80
#define LOCATION_ONE_LINE   10 /* 10, 11, 12: that line, the next, the one after it */
#define LOCATION_NO_COLUMNS 13
#define LOCATION_LONG	    14
#define LOCATION_NO_LINE    15

static struct cursor bytes_of(const struct code_lines_table *table)
{
	return (struct cursor){.at = table->bytes, .end = table->bytes + table->nr_bytes};
}

/* A pair that was cut off could change the line at any address after the last one. */
static uint32_t find_in_pairs(const struct code_lines_table *table, uint64_t offset)
{
	struct cursor cursor = bytes_of(table);
	uint32_t line = table->first_line;
	uint64_t begin = 0;

	while (cursor__left(&cursor) >= 2) {
		begin += cursor__u8(&cursor);
		if (begin > offset)
			return line;
		line += (uint32_t)(int8_t)cursor__u8(&cursor);
	}
	return table->is_cut ? 0 : line;
}

static uint32_t find_in_ranges(const struct code_lines_table *table, uint64_t offset)
{
	struct cursor cursor = bytes_of(table);
	uint32_t line = table->first_line;
	uint64_t end = 0;

	while (cursor__left(&cursor) >= 2) {
		int8_t delta;

		end += cursor__u8(&cursor);
		delta = (int8_t)cursor__u8(&cursor);
		if (delta != RANGE_NO_LINE)
			line += (uint32_t)delta;
		if (end > offset)
			return delta == RANGE_NO_LINE ? 0 : line;
	}
	return 0;
}

/*
 * Reads a signed number: six bits a byte, lowest first, and a bit that tells whether more follow;
 * the lowest bit is the sign. A number interrupted by the next entry or the end is bad.
 */
static uint32_t read_signed(struct cursor *cursor)
{
	uint32_t value = 0, magnitude;
	unsigned int shift;
	uint8_t byte;

	for (shift = 0; shift < 32; shift += 6) {
		byte = cursor__u8(cursor);
		if (byte & LOCATION_BEGIN)
			break;
		value |= (uint32_t)(byte & 0x3f) << shift;
		if (!(byte & 0x40)) {
			magnitude = value >> 1;
			return value & 1 ? -magnitude : magnitude;
		}
	}
	cursor__fail(cursor);
	return 0;
}

static uint32_t read_line_delta(struct cursor *cursor, unsigned int kind)
{
	switch (kind) {
	case LOCATION_ONE_LINE:
	case LOCATION_ONE_LINE + 1:
	case LOCATION_ONE_LINE + 2:
		return kind - LOCATION_ONE_LINE;
	case LOCATION_NO_COLUMNS:
	case LOCATION_LONG:
		return read_signed(cursor);
	default: /* the same line, or none */
		return 0;
	}
}

static uint32_t find_in_locations(const struct code_lines_table *table, uint64_t index)
{
	struct cursor cursor = bytes_of(table);
	uint32_t line = table->first_line;
	uint64_t end = 0;

	while (cursor__left(&cursor)) {
		const uint8_t begin = cursor__u8(&cursor);
		const unsigned int kind = begin >> 3 & 0xf;

		if (!(begin & LOCATION_BEGIN))
			return 0;
		line += read_line_delta(&cursor, kind);
		if (cursor.bad)
			return 0;
		end += (begin & 7) + 1;
		if (end > index)
			return kind == LOCATION_NO_LINE ? 0 : line;
		while (cursor__left(&cursor) && !(*cursor.at & LOCATION_BEGIN)) /* columns */
			cursor.at++;
	}
	return 0;
}

uint32_t code_lines__find(const struct code_lines_table *table, uint32_t index)
{
	uint32_t line = 0;

	switch (table->kind) {
	case CODE_LINES_NONE:
		line = index;
		break;
	case CODE_LINES_PAIRS:
		line = find_in_pairs(table, (uint64_t)index * INSTRUCTION_BYTES);
		break;
	case CODE_LINES_RANGES:
		line = find_in_ranges(table, (uint64_t)index * INSTRUCTION_BYTES);
		break;
	case CODE_LINES_LOCATIONS:
		line = find_in_locations(table, index);
		break;
	default:
		break;
	}
	return line <= INT32_MAX ? line : 0;
}
