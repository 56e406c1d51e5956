// SPDX-License-Identifier: GPL-2.0-only
/*
 * A running program has phases: it does one thing for some seconds, then another. A part of its
 * time holds more or less of each phase, so shares differ from part to part by far more than
 * independent samples would, and each unit's in its own way. Base is cut into parts as long as new.
 * How much a unit differs among them is how much it may differ in new.
 *
 *	base  a a b a b b a a b b a b b a a b   |  new  b a b b      a, b: phases
 *	      -------|-------|-------|-------          -------       parts of equal length
 *
 * Steps between neighbouring parts would show less than distances from the mean of all parts: a
 * phase may be longer than a part.
 */
#include "diff/statistics/pass.h"

#include "diff/statistics/statistics.h"

#define MIN_UNIT_SAMPLES 5 /* in a part, on average, to count for the median */
#define MIN_UNITS	 5

/* The parts that have samples. */
struct phase_parts {
	const size_t *index;  /* number of the slice */
	const double *totals; /* samples without machine units */
	size_t nr;
};

static double sum_parts(const struct unit *unit, const struct phase_parts *parts)
{
	double sum = 0;

	for (size_t i = 0; i < parts->nr; i++)
		sum += (double)unit->slices[SIDE_BASE][parts->index[i]];
	return sum;
}

/* The sum of squared distances from the mean share, relative to that of independent samples. */
static double measure_phi(const struct unit *unit, const struct phase_parts *parts)
{
	const uint64_t *counts = unit->slices[SIDE_BASE];
	double all = 0, p, seen = 0;

	for (size_t i = 0; i < parts->nr; i++)
		all += parts->totals[i];
	p = sum_parts(unit, parts) / all;
	if (p <= 0 || p >= 1)
		return 1;
	for (size_t i = 0; i < parts->nr; i++) {
		double distance = (double)counts[parts->index[i]] - parts->totals[i] * p;

		seen += distance * distance / (parts->totals[i] * p * (1 - p));
	}
	return seen / (double)(parts->nr - 1);
}

static void find_range(struct phases *phases, size_t index, const struct unit *unit,
		       const struct phase_parts *parts)
{
	phases->low[index] = 1;
	for (size_t i = 0; i < parts->nr; i++) {
		double share = (double)unit->slices[SIDE_BASE][parts->index[i]] / parts->totals[i];

		if (share < phases->low[index])
			phases->low[index] = share;
		if (share > phases->high[index])
			phases->high[index] = share;
	}
}

struct sized_phi {
	double samples, phi;
};

static int by_samples(const void *a, const void *b)
{
	const struct sized_phi *x = a, *y = b;

	return (x->samples < y->samples) - (x->samples > y->samples);
}

/*
 * The median phi of all units with min_samples, or of the five largest; units with fewer samples
 * are expected to have it, too.
 */
static double find_median(struct sized_phi *sized, size_t nr_units, double min_samples,
			  double *values)
{
	size_t nr = 0;

	qsort(sized, nr_units, sizeof(*sized), by_samples);
	for (size_t i = 0; i < nr_units && sized[i].samples > 0; i++) {
		if (sized[i].samples < min_samples && nr >= MIN_UNITS)
			break;
		values[nr++] = sized[i].phi;
	}
	return nr ? median(values, nr) : 1;
}

static bool has_slices(const struct unit *unit)
{
	return !unit->machine && unit->slices[SIDE_BASE];
}

static int measure_units(struct phases *phases, const struct comparison *comparison,
			 const struct phase_parts *parts)
{
	struct sized_phi *sized = calloc(comparison->nr_units + 1, sizeof(*sized));
	double *values = calloc(comparison->nr_units + 1, sizeof(*values));
	size_t nr = 0;

	if (!sized || !values) {
		free(sized);
		free(values);
		return -ENOMEM;
	}
	for (size_t u = 0; u < comparison->nr_units; u++) {
		const struct unit *unit = &comparison->units[u];

		phases->phi[u] = 1;
		if (!has_slices(unit))
			continue;
		phases->phi[u] = measure_phi(unit, parts);
		find_range(phases, u, unit, parts);
		if (unit->kind == UNIT_SELF)
			sized[nr++] = (struct sized_phi){sum_parts(unit, parts), phases->phi[u]};
	}
	phases->median = find_median(sized, nr, MIN_UNIT_SAMPLES * (double)parts->nr, values);
	free(values);
	free(sized);
	if (phases->median < 1)
		phases->median = 1;
	for (size_t u = 0; u < comparison->nr_units; u++)
		if (phases->phi[u] < phases->median)
			phases->phi[u] = phases->median;
	phases->df = (double)parts->nr - 1;
	return 0;
}

static size_t find_parts(const struct comparison *comparison, size_t *index, double *totals)
{
	size_t nr = 0;

	for (size_t i = 0; i < comparison->nr_slices[SIDE_BASE]; i++) {
		double total = 0;

		for (size_t u = 0; u < comparison->nr_units; u++)
			if (has_slices(&comparison->units[u]) &&
			    comparison->units[u].kind == UNIT_SELF)
				total += (double)comparison->units[u].slices[SIDE_BASE][i];
		if (total <= 0)
			continue;
		index[nr] = i;
		totals[nr++] = total;
	}
	return nr;
}

static int alloc(struct phases *phases, size_t nr_units)
{
	phases->phi = calloc(nr_units + 1, sizeof(*phases->phi));
	phases->low = calloc(nr_units + 1, sizeof(*phases->low));
	phases->high = calloc(nr_units + 1, sizeof(*phases->high));
	return phases->phi && phases->low && phases->high ? 0 : -ENOMEM;
}

int phases__init(struct phases *phases, const struct comparison *comparison)
{
	const size_t nr_slices = comparison->nr_slices[SIDE_BASE];
	size_t *index = calloc(nr_slices + 1, sizeof(*index));
	double *totals = calloc(nr_slices + 1, sizeof(*totals));
	int code = index && totals ? alloc(phases, comparison->nr_units) : -ENOMEM;

	if (!code) {
		const struct phase_parts parts = {
			.index = index,
			.totals = totals,
			.nr = find_parts(comparison, index, totals),
		};

		if (parts.nr >= MIN_PHASE_SLICES)
			code = measure_units(phases, comparison, &parts);
	}
	free(totals);
	free(index);
	return code;
}

void phases__fini(struct phases *phases)
{
	free(phases->phi);
	free(phases->low);
	free(phases->high);
	*phases = (struct phases){0};
}
