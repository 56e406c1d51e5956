/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a compiler says of addresses in its debug information: functions, those inlined into them,
 * and lines of the source.
 *
 * libdw does the reading, of a file that somebody else wrote: it may crash, hang or take all the
 * memory. So this is called in a process of its own (lines/reader.h), which may do all of these.
 */
#ifndef TOPSTACKS_LINES_DWARF_H
#define TOPSTACKS_LINES_DWARF_H

#include <stddef.h>
#include <stdint.h>

/* One function at an address. */
struct source_place {
	const char *function; /* as the linker knows it, if the compiler says that; NULL: unnamed */
	const char *directory; /* that file is relative to; NULL: none */
	const char *file;      /* NULL: not known */
	uint32_t line;	       /* 0: not known */
};

#define MAX_PLACES 64 /* at one address; those further out are left out */

struct dwarf_query {
	int fd;		    /* of the ELF file with .debug_info */
	int alternate;	    /* of the file that its .gnu_debugaltlink names; -1: not known */
	uint64_t max_bytes; /* of debug sections; 0: any */

	const uint64_t *addresses; /* virtual ones within the file, ascending */
	size_t nr_addresses;

	/*
	 * Called once for each address of which something is known, in no order: the innermost
	 * function first, the one that all are inlined into last. Returns 0, or what ends it.
	 */
	int (*on_places)(void *context, size_t address, const struct source_place *places,
			 size_t nr_places);
	void *context;
};

/* 0; -ENOENT: no debug information; -EFBIG: more of it than max_bytes; other negative errno. */
int dwarf__find(const struct dwarf_query *query);

#endif
