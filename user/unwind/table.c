// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table: the rows of all FDEs of a file in order of address, with what lies between them.
 *
 * Where FDEs overlap, the one that starts last wins, as it does for a program that searches
 * .eh_frame_hdr. Records are dropped as soon as the rows exist; the file is not needed afterwards.
 */
#include "unwind/unwind.h"

#include "elf/file.h"
#include "unwind/cfi.h"

/* A program's entry without call frame information is outermost for this much: musl, ld.so. */
#define ENTRY_BYTES 64

#define PAGE_BYTES 4096 /* the smallest */

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

/* Whether there is a function. */
static bool append_fdes(struct cfi_rows *rows, const struct cfi_records *records,
			const struct cfi_source *source)
{
	uint32_t covered = 0, end;
	const struct cfi_fde *fde;
	bool any = false;
	size_t i;

	for (i = 0; i < records->nr_fdes && !rows->error; i++) {
		fde = &records->fdes[i];
		end = fde->end;
		if (i + 1 < records->nr_fdes && records->fdes[i + 1].start < end)
			end = records->fdes[i + 1].start;
		if (fde->start >= end)
			continue;
		append_gap(rows, &source->text, covered, fde->start);
		cfi_fde__run(fde, end, &records->cies[fde->cie], source, rows);
		any = true;
		covered = end;
	}
	append_gap(rows, &source->text, covered, UINT32_MAX);
	cfi_rows__append_kind(rows, UINT32_MAX, UNWIND_NONE); /* no code reaches that far */
	return any;
}

static int compile(struct unwind_table *table, const struct cfi_source *source)
{
	struct cfi_records records = {0};
	struct cfi_rows rows = {0};
	int err;

	err = cfi_records__read(&records, source);
	if (!err)
		err = cfi_records__add_go(&records, source);
	if (!err)
		err = cfi_records__add_stubs(&records, source);
	if (!err)
		err = cfi_records__sort(&records);
	if (!err) {
		if (!append_fdes(&rows, &records, source))
			err = records.nr_bad ? -EBADMSG : -ENOENT;
		if (rows.error)
			err = rows.error;
	}
	cfi_records__fini(&records);
	if (err) {
		free(rows.rows);
		return err;
	}
	/* Keeps no more memory than the rows need. */
	table->own_rows = realloc(rows.rows, rows.nr * sizeof(*rows.rows));
	if (!table->own_rows)
		table->own_rows = rows.rows;
	table->rows = table->own_rows;
	table->nr_rows = (uint32_t)rows.nr;
	return 0;
}

int unwind_table__build_of(struct elf_file *file, struct unwind_table **out)
{
	struct cfi_source source = {0};
	struct unwind_table *table = NULL;
	int code = cfi_source__read(&source, file);

	if (!code) {
		table = calloc(1, sizeof(*table));
		code = table ? 0 : -ENOMEM;
	}
	if (!code) {
		memcpy(table->segments, source.text.segments, sizeof(table->segments));
		table->nr_segments = (uint32_t)source.text.nr_segments;
		table->base = source.text.base;
		table->head = source.text.head;
		code = compile(table, &source);
	}
	if (code) {
		unwind_table__free(table);
		return file->lacks_memory ? -ENOMEM : code;
	}
	*out = table;
	return 0;
}

int unwind_table__build(int fd, struct unwind_table **table)
{
	struct elf_file file;
	int code = elf_file__open(&file, fd);

	if (code)
		return code == -ENOEXEC ? -EBADMSG : code;
	code = unwind_table__build_of(&file, table);
	elf_file__close(&file);
	return code;
}

uint64_t unwind_table__base(const struct unwind_table *table)
{
	return table->base;
}

void unwind_table__free(struct unwind_table *table)
{
	if (!table)
		return;
	free(table->own_rows);
	free(table);
}

const struct unwind_row *unwind_table__rows(const struct unwind_table *table, uint32_t *nr_rows)
{
	*nr_rows = table->nr_rows;
	return table->rows;
}

void unwind_table__forget_rows(struct unwind_table *table)
{
	free(table->own_rows);
	table->rows = table->own_rows = NULL;
	table->nr_rows = 0;
}

/* The segment that holds the byte, or begins up to slack behind it. */
static const struct cfi_segment *find_segment(const struct unwind_table *table,
					      uint64_t file_offset, uint64_t slack)
{
	const struct cfi_segment *segment;
	uint32_t i;

	for (i = 0; i < table->nr_segments; i++) {
		segment = &table->segments[i];
		if (file_offset + slack >= segment->offset &&
		    file_offset < segment->offset + segment->size)
			return segment;
	}
	return NULL;
}

/* A mapping begins with the page in which its segment does. */
int unwind_table__locate(const struct unwind_table *table, uint64_t file_offset, int64_t *pc)
{
	const struct cfi_segment *segment = find_segment(table, file_offset, 0);

	if (!segment)
		segment = find_segment(table, file_offset, PAGE_BYTES - 1);
	if (!segment)
		return -ENOENT;
	*pc = (int64_t)(segment->vaddr - table->base + (file_offset - segment->offset));
	return 0;
}
