/* SPDX-License-Identifier: GPL-2.0-only */
/* The image that a test makes, the table built from it, and rows as numbers that fail legibly. */
#ifndef TOPSTACKS_TESTS_CFI_TABLE_H
#define TOPSTACKS_TESTS_CFI_TABLE_H

#include "topstacks/unwind.h"

#include "cfi_image.h"

static struct image image;
static struct unwind_table *table;

static inline int build(void)
{
	unwind_table__free(table);
	table = NULL;
	image_end(&image);
	return unwind_table__build_image(image.bytes, sizeof(image.bytes), &table);
}

/* A row but for its pc, as one number that fails legibly: cfa_offset, fp_offset, rules. */
static inline long long pack(int cfa_offset, int fp_offset, int rules)
{
	return (long long)cfa_offset * 65536 + fp_offset * 256 + rules;
}

static inline long long row_at(uint32_t pc)
{
	/* The table's base is the text's address rounded down to 64 KB; see test_locate. */
	const struct unwind_row *row = table ? unwind_table__find(table, TEXT + pc) : NULL;

	return row ? pack(row->cfa_offset, row->fp_offset, row->rules) : -1;
}

static inline uint32_t nr_rows(void)
{
	uint32_t nr = 0;

	if (table)
		unwind_table__rows(table, &nr);
	return nr;
}

#define KIND(kind)     pack(0, 0, kind)
#define SP(n)	       pack(n, 0, UNWIND_SP)
#define SP_SAVED(n, m) pack(n, m, UNWIND_RULES(UNWIND_SP, UNWIND_FP_AT_CFA, 0))
#define FP_SAVED(n, m) pack(n, m, UNWIND_RULES(UNWIND_FP, UNWIND_FP_AT_CFA, 0))

#endif
