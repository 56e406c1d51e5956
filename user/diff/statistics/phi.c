// SPDX-License-Identifier: GPL-2.0-only
/*
 * Step 4 of docs/diff.md: phi, the factor by which counts of one run vary more than independent
 * samples would, from its slices. With phases each unit has its own.
 */
#include "diff/statistics/pass.h"

#include <math.h>

#include "diff/statistics/statistics.h"
#include "profile/scatter.h"

#define MIN_UNIT_SAMPLES 5 /* in an interval or a part, on average, to count for the median */
#define MOST_PHI	 10

/* ---- bursts ---- */

/*
 * A single run cannot show how much runs differ, but its own course shows whether samples are
 * independent: compare the share of a unit in one interval with that in the next. Only neighbours
 * are compared, as a program has phases, which every run repeats and which are no noise.
 *
 *   slices   3 0 4 2 ... as recorded          intervals   7 9 8 ... at least 20 samples each
 */

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

/* ---- phases ---- */

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

static bool has_slices(const struct unit *unit)
{
	return !unit->machine && unit->slices[SIDE_BASE];
}

/* Units with few samples are expected to have at least the median phi of large ones. */
static void measure_units(struct phases *phases, const struct comparison *comparison,
			  const struct phase_parts *parts)
{
	struct unit_phi *units = xcalloc(comparison->nr_units, sizeof(*units));
	size_t nr = 0;

	for (size_t u = 0; u < comparison->nr_units; u++) {
		const struct unit *unit = &comparison->units[u];
		double samples;

		phases->phi[u] = 1;
		if (!has_slices(unit))
			continue;
		phases->phi[u] = measure_phi(unit, parts);
		find_range(phases, u, unit, parts);
		samples = sum_parts(unit, parts);
		if (unit->kind == UNIT_SELF && samples > 0)
			units[nr++] = (struct unit_phi){samples, phases->phi[u]};
	}
	phases->median = phi_of_largest(units, nr, MIN_UNIT_SAMPLES * (double)parts->nr);
	free(units);
	if (phases->median < 1)
		phases->median = 1;
	for (size_t u = 0; u < comparison->nr_units; u++)
		if (phases->phi[u] < phases->median)
			phases->phi[u] = phases->median;
	phases->df = (double)parts->nr - 1;
}

void phases__init(struct phases *phases, const struct comparison *comparison)
{
	const size_t nr_slices = comparison->nr_slices[SIDE_BASE], nr_units = comparison->nr_units;
	size_t *index = xcalloc(nr_slices, sizeof(*index));
	double *totals = xcalloc(nr_slices, sizeof(*totals));
	struct phase_parts parts = {.index = index, .totals = totals};

	phases->phi = xcalloc(nr_units, sizeof(*phases->phi));
	phases->low = xcalloc(nr_units, sizeof(*phases->low));
	phases->high = xcalloc(nr_units, sizeof(*phases->high));
	for (size_t i = 0; i < nr_slices; i++) {
		double total = 0;

		for (size_t u = 0; u < nr_units; u++)
			if (has_slices(&comparison->units[u]) &&
			    comparison->units[u].kind == UNIT_SELF)
				total += (double)comparison->units[u].slices[SIDE_BASE][i];
		if (total <= 0)
			continue;
		index[parts.nr] = i;
		totals[parts.nr++] = total;
	}
	if (parts.nr >= MIN_PHASE_SLICES)
		measure_units(phases, comparison, &parts);
	free(totals);
	free(index);
}

void phases__fini(struct phases *phases)
{
	free(phases->phi);
	free(phases->low);
	free(phases->high);
	*phases = (struct phases){0};
}
