/* SPDX-License-Identifier: GPL-2.0-only */
/* The image that a test makes, the table built from it, and rows as numbers that fail legibly. */
#ifndef TOPSTACKS_TESTS_CFI_TABLE_H
#define TOPSTACKS_TESTS_CFI_TABLE_H

#include "unwind/unwind.h"

#include <dwarf.h>
#include <stdlib.h>

#include "cfi_image.h"
#include "image_file.h"
#include "unwind_row.h"

static struct cfi_image image;
static struct unwind_table *table;

static inline int build(void)
{
	unwind_table__free(table);
	table = NULL;
	image_end(&image);
	return build_table_of(image.bytes, sizeof(image.bytes), &table);
}

/* A row but for its pc, as one number that fails legibly: cfa_offset, fp_offset, rules. */
static inline long long pack(int cfa_offset, int fp_offset, int rules)
{
	return (long long)cfa_offset * 65536 + fp_offset * 256 + rules;
}

static inline long long row_at(uint32_t pc)
{
	/* The table's base is the text's address rounded down to 64 KB; see test_locate. */
	const struct unwind_row *row = table ? find_row(table, TEXT + pc) : NULL;

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

/*
 * An image with one function whose CFA changes at every byte, for about nr_rows of them. The
 * caller's to free(); NULL: out of memory.
 */
static inline uint8_t *make_large_image(uint32_t nr_rows, size_t *nr_bytes)
{
	static const uint8_t up_and_down[] = {DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16,
					      DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 8};
	const size_t section = IMAGE_BYTES, nr_program = nr_rows / 2 * sizeof(up_and_down);
	uint8_t *large;
	Elf64_Phdr *headers;
	Elf64_Shdr *sections;
	uint32_t length;
	size_t fde, i;

	image_begin(&image);
	fde = put_fde(&image, put_usual_cie(&image), 0, nr_rows + 2, NULL, 0);
	image_end(&image);
	*nr_bytes = section + (image.at - FRAMES) + nr_program;
	large = calloc(1, *nr_bytes);
	if (!large)
		return NULL;
	memcpy(large, image.bytes, sizeof(image.bytes));
	headers = (Elf64_Phdr *)(large + sizeof(Elf64_Ehdr));
	headers[0].p_filesz = headers[0].p_memsz = *nr_bytes - TEXT;
	sections = (Elf64_Shdr *)(large + SECTIONS);
	sections[1].sh_offset = section;
	sections[1].sh_size = *nr_bytes - section;
	memcpy(large + section, image.bytes + FRAMES, image.at - FRAMES);
	length = (uint32_t)(image.at - fde - 4 + nr_program);
	memcpy(large + section + fde - FRAMES, &length, sizeof(length));
	for (i = 0; i < nr_program; i += sizeof(up_and_down))
		memcpy(large + section + image.at - FRAMES + i, up_and_down, sizeof(up_and_down));
	return large;
}

#endif
