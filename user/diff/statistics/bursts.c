// SPDX-License-Identifier: GPL-2.0-only
/*
 * A single run cannot show how much runs differ, but its own course shows whether samples are
 * independent: compare the share of a unit in one interval with that in the next. Only neighbours
 * are compared, as a program has phases, which every run repeats and which are no noise.
 *
 *   slices   3 0 4 2 ... as recorded          intervals   7 9 8 ... at least 20 samples each
 */
#include "diff/statistics/pass.h"

#include "diff/statistics/statistics.h"
#include "profile/scatter.h"

#define MIN_UNIT_SAMPLES 5 /* in an interval, on average */
#define MIN_UNITS	 5

struct intervals {
	size_t ends[MAX_INTERVALS];
	double totals[MAX_INTERVALS];
	size_t nr;
};

struct unit_dispersion {
	double samples;
	struct dispersion sum;
};

static bool is_counted(const struct unit *unit, enum side side)
{
	return unit->kind == UNIT_SELF && !unit->machine && unit->slices[side];
}

/* Sums consecutive slices into the intervals that join_slices() made. */
static void sum_slices(const struct intervals *intervals, const uint64_t *slices, double *counts)
{
	size_t slice = 0;

	for (size_t i = 0; i < intervals->nr; i++) {
		counts[i] = 0;
		for (; slice < intervals->ends[i]; slice++)
			counts[i] += (double)slices[slice];
	}
}

static int find_intervals(const struct comparison *comparison, enum side side,
			  struct intervals *intervals)
{
	size_t nr_slices = comparison->nr_slices[side];
	double *totals;

	intervals->nr = 0;
	if (nr_slices == 0)
		return 0;
	totals = calloc(nr_slices, sizeof(*totals));
	if (!totals)
		return -ENOMEM;
	for (size_t u = 0; u < comparison->nr_units; u++) {
		const struct unit *unit = &comparison->units[u];

		for (size_t i = 0; is_counted(unit, side) && i < nr_slices; i++)
			totals[i] += (double)unit->slices[side][i];
	}
	intervals->nr = join_slices(totals, nr_slices, intervals->ends);
	for (size_t i = 0, slice = 0; i < intervals->nr; i++) {
		intervals->totals[i] = 0;
		for (; slice < intervals->ends[i]; slice++)
			intervals->totals[i] += totals[slice];
	}
	free(totals);
	return 0;
}

static void add_side(struct unit_dispersion *dispersion, const struct unit *unit, enum side side,
		     const struct intervals *intervals)
{
	double counts[MAX_INTERVALS];

	if (!is_counted(unit, side) || intervals->nr < 2)
		return;
	sum_slices(intervals, unit->slices[side], counts);
	dispersion__add(&dispersion->sum, counts, intervals->totals, intervals->nr);
	for (size_t i = 0; i < intervals->nr; i++)
		dispersion->samples += counts[i];
}

static int compare_largest_first(const void *a, const void *b)
{
	const struct unit_dispersion *x = a, *y = b;

	return (x->samples < y->samples) - (x->samples > y->samples);
}

/*
 * Fills ratios[] with those of all units with min_samples, or of the five largest units. Returns
 * their number.
 */
static size_t choose_ratios(struct unit_dispersion *units, size_t nr_units, double min_samples,
			    double *ratios)
{
	size_t nr = 0;

	qsort(units, nr_units, sizeof(*units), compare_largest_first);
	for (size_t u = 0; u < nr_units; u++) {
		if (units[u].samples < min_samples && nr >= MIN_UNITS)
			break;
		if (units[u].sum.expected > 0)
			ratios[nr++] = units[u].sum.seen / units[u].sum.expected;
	}
	return nr;
}

int bursts__estimate(const struct comparison *comparison, double *phi)
{
	struct intervals intervals[SIDES];
	struct unit_dispersion *units;
	double *ratios, nr_intervals = 0;
	size_t nr;
	int err;

	for (enum side side = 0; side < SIDES; side++) {
		err = find_intervals(comparison, side, &intervals[side]);
		if (err)
			return err;
		if (intervals[side].nr >= 2)
			nr_intervals += (double)intervals[side].nr;
	}
	if (nr_intervals == 0)
		return 0;

	units = calloc(comparison->nr_units, sizeof(*units));
	ratios = calloc(comparison->nr_units, sizeof(*ratios));
	err = -ENOMEM;
	if (!units || !ratios)
		goto out;
	for (size_t u = 0; u < comparison->nr_units; u++) {
		for (enum side side = 0; side < SIDES; side++)
			add_side(&units[u], &comparison->units[u], side, &intervals[side]);
	}
	nr = choose_ratios(units, comparison->nr_units, MIN_UNIT_SAMPLES * nr_intervals, ratios);
	if (nr)
		*phi = dispersion__phi(ratios, nr);
	err = nr ? 1 : 0;
out:
	free(ratios);
	free(units);
	return err;
}
