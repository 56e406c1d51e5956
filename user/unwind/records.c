// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads each section in two walks, each linear: a .debug_frame may have an FDE before its CIE.
 * Where both sections are there, .eh_frame may speak of the start code alone; what both speak of
 * they agree on.
 */
#include "unwind/cfi.h"

#define MAX_PC	 (UINT32_MAX - 1) /* so that there is a pc after all code */
#define MAX_CIES (1U << 17)	  /* one a compilation unit, where none are alike: 16 MB */

#define DIGIT_BITS 11
#define NR_DIGITS  (1U << DIGIT_BITS)
#define KEY_BITS   64

/* ---- CIEs ---- */

int cfi_records__add_cie(struct cfi_records *records, const struct cfi_cie *cie)
{
	if (array__try_reserve(&records->cies, &records->cies_capacity, records->nr_cies + 1))
		return -ENOMEM;
	records->cies[records->nr_cies++] = *cie;
	return 0;
}

static int read_cies(struct cfi_records *records, const struct cfi_source *source,
		     const struct frame_section *section)
{
	struct cursor cursor = frame_section__begin(section);
	struct frame_record record;

	records->first_cie = records->nr_cies;
	while (frame_section__next(section, &cursor, &record)) {
		struct cfi_cie cie = {.section = section};

		if (!record.is_cie)
			continue;
		if (records->nr_cies == MAX_CIES)
			return -E2BIG;
		frame_cie__read(&cie.record, section, &record);
		if (!cie.record.bad)
			cfi_cie__run(&cie, source);
		records->nr_bad += cie.record.bad;
		if (cfi_records__add_cie(records, &cie))
			return -ENOMEM;
	}
	records->nr_bad += cursor.bad;
	return 0;
}

static int compare_cie(const void *key, const void *element)
{
	const uint64_t offset = *(const uint64_t *)key;
	const struct cfi_cie *cie = element;

	return (offset > cie->record.offset) - (offset < cie->record.offset);
}

/* The CIE at an offset of the section; NULL: none. Most FDEs have that of the FDE before. */
static const struct cfi_cie *find_cie(const struct cfi_records *records,
				      const struct frame_section *section, uint64_t offset)
{
	const size_t nr = records->nr_cies - records->first_cie;
	const struct cfi_cie *last;

	if (records->nr_fdes) {
		last = &records->cies[records->fdes[records->nr_fdes - 1].cie];
		if (last->section == section && last->record.offset == offset)
			return last;
	}
	return nr ? bsearch(&offset, records->cies + records->first_cie, nr, sizeof(*records->cies),
			    compare_cie)
		  : NULL;
}

/* ---- FDEs ---- */

int cfi_records__add_fde(struct cfi_records *records, const struct cfi_text *text, uint64_t start,
			 uint64_t nr_bytes, const struct cfi_fde *fde)
{
	const struct cfi_segment *segment = text->segments,
				 *end = text->segments + text->nr_segments;
	struct cfi_fde placed = *fde;

	while (segment < end && start - segment->vaddr >= segment->size)
		segment++;
	if (segment == end || start - text->base >= MAX_PC)
		return 0;
	if (nr_bytes > segment->size - (start - segment->vaddr))
		nr_bytes = segment->size - (start - segment->vaddr);
	placed.start = (uint32_t)(start - text->base);
	if (nr_bytes > MAX_PC - placed.start)
		nr_bytes = MAX_PC - placed.start;
	placed.end = placed.start + (uint32_t)nr_bytes;
	if (!nr_bytes)
		return 0;
	if (records->nr_fdes == UNWIND_MAX_ROWS)
		return -E2BIG;
	if (array__try_reserve(&records->fdes, &records->fdes_capacity, records->nr_fdes + 1))
		return -ENOMEM;
	records->fdes[records->nr_fdes++] = placed;
	return 0;
}

static int read_fdes(struct cfi_records *records, const struct cfi_source *source,
		     const struct frame_section *section)
{
	struct cursor cursor = frame_section__begin(section);
	struct frame_record record;
	struct frame_fde read;
	int err = 0;

	while (!err && frame_section__next(section, &cursor, &record)) {
		const struct cfi_cie *cie;
		struct cfi_fde fde;

		if (record.is_cie)
			continue;
		cie = find_cie(records, section, record.cie_offset);
		if (!cie || !frame_fde__read(&read, section, &cie->record, &record)) {
			records->nr_bad++;
			continue;
		}
		fde = (struct cfi_fde){.cie = (uint32_t)(cie - records->cies),
				       .program = read.program.at,
				       .program_bytes = (uint32_t)cursor__left(&read.program)};
		err = cfi_records__add_fde(records, &source->text, read.start, read.nr_bytes, &fde);
	}
	return err;
}

int cfi_records__read(struct cfi_records *records, const struct cfi_source *source)
{
	int err = 0;

	for (size_t i = 0; i < source->nr_sections && !err; i++) {
		err = read_cies(records, source, &source->sections[i]);
		if (!err)
			err = read_fdes(records, source, &source->sections[i]);
	}
	return err;
}

/*
 * ---- order ----
 *
 * A radix sort, from the last digit of the end to the first digit of the start: the time is linear
 * for any file. (A reader may not ask how much memory there is, and then qsort() may use an
 * algorithm that is not.)
 */

static uint64_t key_of(const struct cfi_fde *fde)
{
	return (uint64_t)fde->start << 32 | fde->end;
}

static size_t digit_of(const struct cfi_fde *fde, unsigned int shift)
{
	return key_of(fde) >> shift & (NR_DIGITS - 1);
}

/* Sorts by one digit, stable. False: all have the same digit, so nothing was moved. */
static bool sort_by_digit(const struct cfi_fde *from, struct cfi_fde *to, size_t nr,
			  unsigned int shift)
{
	size_t positions[NR_DIGITS] = {0};
	size_t sum = 0;

	for (size_t i = 0; i < nr; i++)
		positions[digit_of(&from[i], shift)]++;
	if (positions[digit_of(&from[0], shift)] == nr)
		return false;
	for (size_t digit = 0; digit < NR_DIGITS; digit++) {
		const size_t count = positions[digit];

		positions[digit] = sum;
		sum += count;
	}
	for (size_t i = 0; i < nr; i++)
		to[positions[digit_of(&from[i], shift)]++] = from[i];
	return true;
}

int cfi_records__sort(struct cfi_records *records)
{
	struct cfi_fde *from = records->fdes, *to;
	size_t nr_sorted = 1;

	while (nr_sorted < records->nr_fdes &&
	       key_of(&from[nr_sorted - 1]) <= key_of(&from[nr_sorted]))
		nr_sorted++;
	if (nr_sorted >= records->nr_fdes)
		return 0;
	to = reallocarray(NULL, records->nr_fdes, sizeof(*to));
	if (!to)
		return -ENOMEM;
	for (unsigned int shift = 0; shift < KEY_BITS; shift += DIGIT_BITS) {
		if (sort_by_digit(from, to, records->nr_fdes, shift)) {
			struct cfi_fde *sorted = to;

			to = from;
			from = sorted;
		}
	}
	free(to);
	records->fdes = from;
	records->fdes_capacity = records->nr_fdes;
	return 0;
}

void cfi_records__fini(struct cfi_records *records)
{
	free(records->cies);
	free(records->fdes);
}
