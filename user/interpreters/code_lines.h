/* SPDX-License-Identifier: GPL-2.0-only */
/* From a code object's own table of lines to the line of an instruction. Pure: it asks nobody. */
#ifndef TOPSTACKS_INTERPRETERS_CODE_LINES_H
#define TOPSTACKS_INTERPRETERS_CODE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "topstacks/interpreter_abi.h"

/* A copied table, which may be anything. */
struct code_lines_table {
	enum code_lines kind;
	const uint8_t *bytes; /* not NULL, even if there are none */
	size_t nr_bytes;
	bool is_cut;	     /* there were more bytes */
	uint32_t first_line; /* of the code object */
};

/*
 * The line of the instruction at index (units of 2 bytes from the code's begin). 0: not known, because
 * the instruction has no line, it is beyond what was copied, or the table is damaged before it. A line
 * that is told never depends on bytes that were cut off, and is at most INT32_MAX.
 *
 * CODE_LINES_PAIRS alone do not say where the code ends: all that is beyond a whole table has its last
 * line. With CODE_LINES_NONE there is no table, and the index is a line already.
 */
uint32_t code_lines__find(const struct code_lines_table *table, uint32_t index);

#endif
