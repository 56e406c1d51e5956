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
#include <math.h>

#define MIN_UNIT_SAMPLES 5 /* in an interval, on average */
#define MOST_PHI	 10

struct intervals {
	size_t ends[MAX_INTERVALS];
	double totals[MAX_INTERVALS];
	size_t nr;
};

static bool is_counted(const struct unit *unit, enum side side)
{
	return unit->kind == UNIT_SELF && !unit->machine && unit->slices[side];
}

static void find_intervals(const struct comparison *comparison, enum side side,
			   struct intervals *intervals)
{
	const size_t nr_slices = comparison->nr_slices[side];
	double *totals = xcalloc(nr_slices, sizeof(*totals));

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
}

/* Adds the dispersion of a unit within the run of a side. Returns its samples. */
static double add_side(struct dispersion *sum, const struct unit *unit, enum side side,
		       const struct intervals *intervals)
{
	double counts[MAX_INTERVALS], samples = 0;

	if (!is_counted(unit, side) || intervals->nr < 2)
		return 0;
	for (size_t i = 0, slice = 0; i < intervals->nr; i++) {
		counts[i] = 0;
		for (; slice < intervals->ends[i]; slice++)
			counts[i] += (double)unit->slices[side][slice];
		samples += counts[i];
	}
	dispersion__add(sum, counts, intervals->totals, intervals->nr);
	return samples;
}

bool bursts__estimate(const struct comparison *comparison, double *phi)
{
	struct intervals intervals[SIDES];
	struct unit_phi *units;
	double nr_intervals = 0;
	size_t nr = 0;

	for (enum side side = 0; side < SIDES; side++) {
		find_intervals(comparison, side, &intervals[side]);
		if (intervals[side].nr >= 2)
			nr_intervals += (double)intervals[side].nr;
	}
	if (nr_intervals == 0)
		return false;

	units = xcalloc(comparison->nr_units, sizeof(*units));
	for (size_t u = 0; u < comparison->nr_units; u++) {
		struct dispersion sum = {0};
		double samples = 0;

		for (enum side side = 0; side < SIDES; side++)
			samples += add_side(&sum, &comparison->units[u], side, &intervals[side]);
		if (sum.expected > 0)
			units[nr++] = (struct unit_phi){samples, sum.seen / sum.expected};
	}
	if (nr)
		*phi = fmin(fmax(phi_of_largest(units, nr, MIN_UNIT_SAMPLES * nr_intervals), 1),
			    MOST_PHI);
	free(units);
	return nr > 0;
}
