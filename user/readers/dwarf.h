/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a compiler says of addresses in its debug information: functions, those inlined into them,
 * and lines of the source. libdw does the reading, which may crash, hang or take all the memory: it
 * is for readers only.
 */
#ifndef TOPSTACKS_READERS_DWARF_H
#define TOPSTACKS_READERS_DWARF_H

#include <stddef.h>
#include <stdint.h>

#include "readers/address_list.h"
#include "readers/source_lines.h"

struct dwarf_query {
	int fd;		    /* of the ELF file with .debug_info */
	int alternate;	    /* of the file that its .gnu_debugaltlink names; negative: not known */
	uint64_t max_bytes; /* of debug sections; 0: any */

	struct address_list addresses; /* virtual ones within the file */

	/* Told once of each address of which something is known, in no order. */
	struct place_taker taker;
};

/* 0; -ENOENT: no debug information; -EFBIG: more of it than max_bytes; other negative errno. */
int dwarf__find(const struct dwarf_query *query);

#endif
