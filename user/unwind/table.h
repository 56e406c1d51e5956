/* SPDX-License-Identifier: GPL-2.0-only */
/* What a table is, for the files that make one: from a file, or from bytes that were made of it. */
#ifndef TOPSTACKS_UNWIND_TABLE_H
#define TOPSTACKS_UNWIND_TABLE_H

#include <stdint.h>

#include "unwind/cfi.h"

struct unwind_table {
	const struct unwind_row *rows;
	struct unwind_row *own_rows; /* to be freed; NULL: the rows are somebody else's */
	uint32_t nr_rows;
	struct cfi_segment segments[CFI_MAX_SEGMENTS]; /* executable ones */
	uint32_t nr_segments;
	uint64_t base; /* where pc 0 is */
	uint64_t head; /* where the first byte of the file is; CFI_NO_HEAD: it is not loaded */
};

#endif
