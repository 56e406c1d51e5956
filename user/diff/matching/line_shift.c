// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tries each difference between a line of base and one of new. The agreement of two distributions
 * is the sum of sqrt(p q), which is 1 for equal ones (A. Bhattacharyya, 1943): it falls little if
 * one line has grown.
 */
#include "diff/matching/line_shift.h"

#include <math.h>

#define CLEARLY 0.05 /* a shift must be better than no shift by this */

static size_t find_line(const struct line_counts *counts, int64_t line)
{
	size_t i = 0;

	while (i < counts->nr && counts->lines[i] != line)
		i++;
	return i;
}

void line_counts__add(struct line_counts *counts, uint32_t line, double samples)
{
	size_t i = find_line(counts, line);

	counts->all += samples;
	if (i < counts->nr) {
		counts->samples[i] += samples;
		return;
	}
	if (counts->nr == MOST_COUNTED_LINES) {
		i = 0;
		for (size_t j = 1; j < counts->nr; j++)
			if (counts->samples[j] < counts->samples[i])
				i = j;
		if (counts->samples[i] >= samples)
			return;
	} else {
		counts->nr++;
	}
	counts->lines[i] = line;
	counts->samples[i] = samples;
}

static double agreement(const struct line_counts *base, const struct line_counts *fresh,
			int64_t shift)
{
	double sum = 0;

	for (size_t i = 0; i < base->nr; i++) {
		const size_t other = find_line(fresh, base->lines[i] + shift);

		if (other < fresh->nr)
			sum += sqrt(base->samples[i] / base->all * fresh->samples[other] /
				    fresh->all);
	}
	return sum;
}

int64_t line_counts__shift(const struct line_counts *base, const struct line_counts *fresh)
{
	int64_t best = 0;
	double most = agreement(base, fresh, 0) + CLEARLY;

	for (size_t i = 0; i < base->nr; i++)
		for (size_t j = 0; j < fresh->nr; j++) {
			const int64_t shift = (int64_t)fresh->lines[j] - base->lines[i];
			const double sum = agreement(base, fresh, shift);

			if (sum > most) {
				most = sum;
				best = shift;
			}
		}
	return best;
}
