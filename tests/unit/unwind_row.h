/* SPDX-License-Identifier: GPL-2.0-only */
/* The row of a table that applies at a pc. */
#ifndef TOPSTACKS_TESTS_UNWIND_ROW_H
#define TOPSTACKS_TESTS_UNWIND_ROW_H

#include "unwind/unwind.h"

/* UNWIND_NONE before and after all code. Never NULL. */
static inline const struct unwind_row *find_row(const struct unwind_table *table, uint64_t pc)
{
	static const struct unwind_row none = {.rules = UNWIND_NONE};
	uint32_t low = 0, high, middle;
	const struct unwind_row *rows = unwind_table__rows(table, &high);

	while (low < high) { /* the first row that starts after it */
		middle = low + (high - low) / 2;
		if (rows[middle].pc <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &rows[low - 1] : &none;
}

#endif
