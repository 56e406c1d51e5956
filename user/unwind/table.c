// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table: the rows of all FDEs of a file in order of address, with what lies between them.
 *
 * Where FDEs overlap, the one that starts last speaks, as it does for whoever searches
 * .eh_frame_hdr. Records are dropped as soon as the rows exist; the file is not needed afterwards.
 */
#include "unwind/unwind.h"

#include <errno.h>
#include <stdlib.h>

#include "elf/file.h"
#include "unwind/cfi.h"
#include "unwind/source.h"

/* A program's entry without call frame information is outermost for this much: musl, ld.so. */
#define ENTRY_BYTES 64

#define PAGE_BYTES 4096 /* the smallest */

struct unwind_table {
	struct unwind_row *rows;
	uint32_t nr_rows;
	struct cfi_text text;
	struct unwind_summary summary;
};

/* The code in [start, end) belongs to no FDE. */
static void append_gap(struct cfi_rows *rows, const struct cfi_text *text, uint32_t start,
		       uint32_t end)
{
	uint64_t entry = text->entry - text->base;

	if (start >= end)
		return;
	cfi_rows__append_kind(rows, start, UNWIND_NONE);
	if (!text->entry || entry < start || entry >= end)
		return;
	cfi_rows__append_kind(rows, (uint32_t)entry, UNWIND_END);
	if (end - entry > ENTRY_BYTES)
		cfi_rows__append_kind(rows, (uint32_t)entry + ENTRY_BYTES, UNWIND_NONE);
}

/* What a function's own rows, from first on, say about the function. */
static void summarize(struct unwind_summary *summary, const struct cfi_rows *rows, size_t first,
		      uint32_t start)
{
	const struct unwind_row *row;
	bool is_framed = false;

	if (rows->error)
		return;
	for (row = rows->rows + first; row < rows->rows + rows->nr; row++)
		is_framed |= row->rules == UNWIND_RULES(UNWIND_FP, UNWIND_FP_AT_CFA, 0) &&
			     row->cfa_offset == 2 && row->fp_offset == 2;
	summary->nr_functions++;
	summary->nr_pushing += is_framed || rows->rows[rows->nr - 1].pc > start;
	summary->nr_framed += is_framed;
}

static void append_fdes(struct cfi_rows *rows, const struct cfi_records *records,
			const struct cfi_source *source, struct unwind_summary *summary)
{
	uint32_t covered = 0, end;
	const struct cfi_fde *fde;
	size_t i, first;

	for (i = 0; i < records->nr_fdes && !rows->error; i++) {
		fde = &records->fdes[i];
		end = fde->end;
		if (i + 1 < records->nr_fdes && records->fdes[i + 1].start < end)
			end = records->fdes[i + 1].start;
		if (fde->start >= end)
			continue;
		append_gap(rows, &source->text, covered, fde->start);
		first = rows->nr;
		if (!cfi_fde__run(fde, end, &records->cies[fde->cie], source, rows))
			summary->nr_damaged++;
		summarize(summary, rows, first, fde->start);
		covered = end;
	}
	append_gap(rows, &source->text, covered, UINT32_MAX);
	cfi_rows__append_kind(rows, UINT32_MAX, UNWIND_NONE); /* no code reaches that far */
}

static void count_other(struct unwind_table *table)
{
	uint32_t i;

	for (i = 0; i < table->nr_rows; i++)
		table->summary.nr_other += table->rows[i].rules == UNWIND_OTHER;
}

/* Keeps no more memory than the rows need. */
static void take_rows(struct unwind_table *table, struct cfi_rows *rows)
{
	struct unwind_row *fitting = realloc(rows->rows, rows->nr * sizeof(*fitting));

	table->rows = fitting ? fitting : rows->rows;
	table->nr_rows = (uint32_t)rows->nr;
	count_other(table);
}

static int compile(struct unwind_table *table, const struct cfi_source *source)
{
	struct cfi_records records = {0};
	struct cfi_rows rows = {0};
	int err;

	err = cfi_records__read(&records, source);
	if (!err)
		err = cfi_records__add_stubs(&records, source);
	if (!err) {
		cfi_records__sort(&records);
		table->summary.nr_damaged = (uint32_t)records.nr_bad;
		append_fdes(&rows, &records, source, &table->summary);
		err = rows.error;
	}
	if (!err && !table->summary.nr_functions)
		err = records.nr_bad ? -EBADMSG : -ENOENT;
	if (err)
		free(rows.rows);
	else
		take_rows(table, &rows);
	cfi_records__fini(&records);
	return err;
}

static int build(struct elf_file *file, struct unwind_table **out)
{
	struct cfi_source source = {0};
	struct unwind_table *table;
	int err;

	err = cfi_source__read(&source, file);
	if (err)
		return err;
	table = calloc(1, sizeof(*table));
	if (!table)
		return -ENOMEM;
	table->text = source.text;
	err = compile(table, &source);
	if (err)
		unwind_table__free(table);
	else
		*out = table;
	return err;
}

/* code: of opening the file, which is closed here. */
static int build_opened(struct elf_file *file, int code, struct unwind_table **table)
{
	if (code)
		return code == -ENOEXEC ? -EBADMSG : code;
	code = build(file, table);
	elf_file__close(file);
	return code;
}

int unwind_table__build(int fd, struct unwind_table **table)
{
	struct elf_file file;

	return build_opened(&file, elf_file__open(&file, fd), table);
}

int unwind_table__build_image(const void *image, size_t nr_bytes, struct unwind_table **table)
{
	struct elf_file file;

	return build_opened(&file, elf_file__open_copy(&file, image, nr_bytes), table);
}

void unwind_table__free(struct unwind_table *table)
{
	if (!table)
		return;
	free(table->rows);
	free(table);
}

const struct unwind_row *unwind_table__rows(const struct unwind_table *table, uint32_t *nr_rows)
{
	*nr_rows = table->nr_rows;
	return table->rows;
}

void unwind_table__forget_rows(struct unwind_table *table)
{
	free(table->rows);
	table->rows = NULL;
	table->nr_rows = 0;
}

uint64_t unwind_table__base(const struct unwind_table *table)
{
	return table->text.base;
}

/* The segment that holds the byte, or begins up to slack behind it. */
static const struct cfi_segment *find_segment(const struct cfi_text *text, uint64_t file_offset,
					      uint64_t slack)
{
	const struct cfi_segment *segment;
	size_t i;

	for (i = 0; i < text->nr_segments; i++) {
		segment = &text->segments[i];
		if (file_offset + slack >= segment->offset &&
		    file_offset < segment->offset + segment->size)
			return segment;
	}
	return NULL;
}

/* A mapping begins with the page in which its segment does. */
int unwind_table__locate(const struct unwind_table *table, uint64_t file_offset, int64_t *pc)
{
	const struct cfi_segment *segment = find_segment(&table->text, file_offset, 0);

	if (!segment)
		segment = find_segment(&table->text, file_offset, PAGE_BYTES - 1);
	if (!segment)
		return -ENOENT;
	*pc = (int64_t)(segment->vaddr - table->text.base + (file_offset - segment->offset));
	return 0;
}

const struct unwind_row *unwind_table__find(const struct unwind_table *table, uint64_t pc)
{
	uint32_t relative = pc < UINT32_MAX ? (uint32_t)pc : UINT32_MAX;
	struct unwind_search search = {.low = 0, .high = table->nr_rows};
	static const struct unwind_row none = {.rules = UNWIND_NONE};
	uint32_t middle;

	if (!table->nr_rows)
		return &none;
	while (unwind_search__goes_on(&search)) {
		middle = unwind_search__middle(&search);
		unwind_search__narrow(&search, middle, table->rows[middle].pc, relative);
	}
	return &table->rows[search.low];
}

void unwind_table__summary(const struct unwind_table *table, struct unwind_summary *summary)
{
	*summary = table->summary;
}

size_t unwind_table__memory_bytes(const struct unwind_table *table)
{
	return sizeof(*table) + table->nr_rows * sizeof(*table->rows);
}
