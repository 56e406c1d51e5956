/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The line program of a unit (DWARF 2 to 5, section 6.2): which line each address belongs to.
 *
 * libdw sorts the rows of all sequences into one table, where those of functions that the linker dropped
 * lie between those of functions that run. Here each sequence is looked at by itself. Names of files are
 * left to libdw.
 */
#ifndef TOPSTACKS_READERS_LINE_ROWS_H
#define TOPSTACKS_READERS_LINE_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "readers/address_list.h"

struct code_map;

struct line_row {
	uint32_t file, line;		 /* file: its number in the unit's list; line 0: none */
	uint32_t first_file, first_line; /* where the sequence begins: often a function */
};

/* The bytes of .debug_line, little-endian. */
struct line_programs {
	const unsigned char *bytes;
	size_t nr_bytes;
};

struct line_search {
	const struct address_list *addresses;
	const struct code_map *code; /* sequences that begin elsewhere are no code */
	uint64_t *left_steps;	     /* rows and answers that may still be looked at */

	/* Told of an address once for each sequence that has it. */
	void (*take)(void *context, size_t index, const struct line_row *row);
	void *context;
};

/* The program that begins there. What cannot be read ends it. */
void line_rows__find(const struct line_programs *programs, uint64_t offset,
		     const struct line_search *search);

#endif
