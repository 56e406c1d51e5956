/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looks addresses up in debug information: functions, functions inlined into them, and source
 * lines. libdw does the reading, and may crash, hang or take all memory on hostile input: use it in
 * readers only.
 */
#ifndef TOPSTACKS_READERS_DWARF_H
#define TOPSTACKS_READERS_DWARF_H

#include "base/common.h"
#include "readers/address_list.h"
#include "readers/source_lines.h"

struct dwarf_query {
	int fd;		    /* of the ELF file with .debug_info */
	int alternate;	    /* the file named by .gnu_debugaltlink; negative: none */
	uint64_t max_bytes; /* of debug sections; 0: no limit */

	struct address_list addresses; /* addresses within the file */

	/* Called once for each address with known places, in no order. */
	struct place_taker taker;
};

/* 0; -ENOENT: no debug information; -EFBIG: more than max_bytes; other negative errno. */
int dwarf__find(const struct dwarf_query *query);

#endif
