/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs the line program of a unit (DWARF 2 to 5, section 6.2) to find the line of each address.
 *
 * libdw sorts the rows of all sequences into one table, where rows of functions that the linker
 * dropped lie between those of real functions. Here each sequence is run by itself. libdw still
 * resolves names of files.
 */
#ifndef TOPSTACKS_READERS_LINE_ROWS_H
#define TOPSTACKS_READERS_LINE_ROWS_H

#include "base/common.h"
#include "readers/address_list.h"

struct code_map;

struct line_row {
	uint32_t file, line;		 /* file: index in the unit's list; line 0: none */
	uint32_t first_file, first_line; /* begin of the sequence, often of a function */
};

/* The bytes of .debug_line, little-endian. */
struct line_programs {
	const unsigned char *bytes;
	size_t nr_bytes;
};

struct line_search {
	const struct address_list *addresses;
	const struct code_map *code; /* sequences that begin outside of it are skipped */
	uint64_t *left_steps;	     /* rows and answers left to visit */

	/* Called for an address once for each sequence that has it. */
	void (*take)(void *context, size_t index, const struct line_row *row);
	void *context;
};

/* Runs the program at an offset. An unreadable part ends it. */
void line_rows__find(const struct line_programs *programs, uint64_t offset,
		     const struct line_search *search);

#endif
