/* SPDX-License-Identifier: GPL-2.0-only */
/* How many ranges of a symbol table are between two addresses. */
#ifndef TOPSTACKS_TESTS_SYMBOL_RANGES_H
#define TOPSTACKS_TESTS_SYMBOL_RANGES_H

#include "elf/symbol_table.h"

static inline size_t count_ranges(const struct symbol_table *table, uint64_t start, uint64_t end)
{
	const struct symbol_name **before = NULL;
	struct found_symbol found;
	size_t nr = 0;

	for (; start < end; start++) {
		if (!symbol_table__find(table, start, &found) || found.slot == before)
			continue;
		before = found.slot;
		nr++;
	}
	return nr;
}

#endif
