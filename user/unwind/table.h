/* SPDX-License-Identifier: GPL-2.0-only */
/* The struct of a table, for the code that makes one: from a file, or from an image. */
#ifndef TOPSTACKS_UNWIND_TABLE_H
#define TOPSTACKS_UNWIND_TABLE_H

#include "base/common.h"
#include "unwind/cfi.h"

struct unwind_table {
	const struct unwind_row *rows;
	struct unwind_row *own_rows; /* owned; NULL: rows are borrowed */
	uint32_t nr_rows;
	struct cfi_segment segments[CFI_MAX_SEGMENTS]; /* executable ones */
	uint32_t nr_segments;
	uint64_t base; /* address of pc 0 */
	uint64_t head; /* address of the file's first byte; CFI_NO_HEAD: not loaded */
};

#endif
