// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sorts FDEs by address with a radix sort, from the last digit of the end to the first digit of the
 * start: the time is linear for any file. (A reader may not ask how much memory there is, and then
 * qsort() may use an algorithm that is not.)
 */

#include "unwind/cfi.h"

#define DIGIT_BITS 11
#define NR_DIGITS  (1U << DIGIT_BITS)
#define KEY_BITS   64

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

static bool is_sorted(const struct cfi_records *records)
{
	for (size_t i = 1; i < records->nr_fdes; i++)
		if (key_of(&records->fdes[i - 1]) > key_of(&records->fdes[i]))
			return false;
	return true;
}

int cfi_records__sort(struct cfi_records *records)
{
	struct cfi_fde *from = records->fdes, *to;

	if (is_sorted(records))
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
