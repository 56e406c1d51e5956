/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the line of an instruction in a code object's own line table. Works on the given bytes
 * only.
 */
#ifndef TOPSTACKS_INTERPRETERS_CODE_LINES_H
#define TOPSTACKS_INTERPRETERS_CODE_LINES_H

#include "base/common.h"
#include "topstacks/interpreter_abi.h"

/* A copied, untrusted table. */
struct code_lines_table {
	enum code_lines kind;
	const uint8_t *bytes; /* never NULL */
	size_t nr_bytes;
	bool is_cut;	     /* the table had more bytes */
	uint32_t first_line; /* of the code object */
};

/*
 * The line of the instruction at index (in units of 2 bytes from the code's begin). 0: the
 * instruction has no line, is beyond the copied bytes, or the table is damaged before it. A
 * returned line never depends on bytes that were cut off, and is at most INT32_MAX.
 *
 * A CODE_LINES_PAIRS table does not tell where the code ends: all beyond a complete table has its
 * last line. With CODE_LINES_NONE there is no table, and the index is the line.
 */
uint32_t code_lines__find(const struct code_lines_table *table, uint32_t index);

#endif
