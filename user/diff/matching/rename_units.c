// SPDX-License-Identifier: GPL-2.0-only
#include "diff/matching/rename_units.h"

#include <math.h>

#include "diff/matching/name_likeness.h"
#include "diff/statistics/statistics.h"

#define MOST_UNITS 256 /* on each side: pairs are its square */
/* Variance of the log of a share from run to run: shares that differ by 20 % agree by half. */
#define RUN_VARIANCE 0.0083

/* ---- units of one side only ---- */

double sum_of_side(const struct matched_frames *frames, const uint64_t *counts, enum side side)
{
	double sum = 0;

	for (size_t run = 0; run < frames->nr_runs; run++)
		if (frames->runs[run].side == side)
			sum += (double)counts[run];
	return sum;
}

static int by_total(const void *left, const void *right)
{
	const struct rename_unit *a = left, *b = right;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return strcmp(a->subject->name, b->subject->name);
}

static void choose_units(struct rename_units *units, const struct matched_frames *frames)
{
	for (enum side side = 0; side < SIDES; side++)
		units->of[side] = xcalloc(units->nr_subjects, sizeof(*units->of[side]));
	for (size_t i = 0; i < units->nr_subjects; i++) {
		const struct subject *subject = subjects__at(&frames->subjects, i);
		const double base = sum_of_side(frames, subject->total, SIDE_BASE);
		const double fresh = sum_of_side(frames, subject->total, SIDE_NEW);
		const enum side side = base > 0 ? SIDE_BASE : SIDE_NEW;

		units->canonical[i] = (uint32_t)i;
		if (subject->machine || (base > 0) == (fresh > 0))
			continue;
		units->canonical[i] = UNRESOLVED;
		units->of[side][units->nr[side]++] =
			(struct rename_unit){.subject = subject,
					     .self = sum_of_side(frames, subject->self, side),
					     .total = base + fresh,
					     .partner = SIZE_MAX};
	}
	for (enum side side = 0; side < SIDES; side++) {
		qsort(units->of[side], units->nr[side], sizeof(*units->of[side]), by_total);
		if (units->nr[side] > MOST_UNITS)
			units->nr[side] = MOST_UNITS;
	}
}

/*
 * Returns by how much the log of a function's share rises if the function takes as much of each run
 * (or second, or unit of work) as before, while the total of the run changes.
 */
static double shift_of_runs(const struct rename_units *units, const struct matched_frames *frames)
{
	double divisors[SIDES] = {0};

	for (size_t run = 0; run < frames->nr_runs; run++)
		if (profile__total(frames->runs[run].profile, VALUE_COUNT))
			divisors[frames->runs[run].side] +=
				frames->runs[run].divisor > 0 ? frames->runs[run].divisor : 1;
	return log(units->samples[SIDE_BASE] / units->samples[SIDE_NEW]) +
	       log(divisors[SIDE_NEW] / divisors[SIDE_BASE]);
}

/* A function that both sides have; the last entry is the shift of unchanged consumption per run. */
struct stayed {
	double shift, variance;
};

/*
 * Chooses the shifts of few functions, where the median may be that of a changed one. A shift with
 * which other functions agree, or the consumption of a run, likely belongs to an unchanged
 * function; if several have about as much support, all are kept. The consumption of a run counts
 * only if it changed.
 */
static void choose_shifts(struct rename_units *units, const struct stayed *stayed, size_t nr)
{
	double support[MOST_SHIFTS] = {0}, most = 0;

	for (size_t i = 0; i <= nr; i++)
		for (size_t j = 0; j < i; j++) {
			const double distance = stayed[i].shift - stayed[j].shift;
			const double both =
				agreement(distance, stayed[i].variance + stayed[j].variance);

			if (i == nr && fabs(distance) >= fabs(stayed[nr].shift) / 2)
				continue;
			support[i] += both;
			support[j] += both;
		}
	for (size_t i = 0; i <= nr; i++)
		most = fmax(most, support[i]);
	for (size_t i = 0; i <= nr; i++)
		if (most - support[i] < LEAST_SUPPORT)
			units->shifts[units->nr_shifts++] = stayed[i].shift;
}

/* Measures how much the shares of unchanged functions rose, as others take less, or fell. */
static void measure_shifts(struct rename_units *units, const struct matched_frames *frames)
{
	struct stayed few[MOST_SHIFTS];
	double *shifts = xcalloc(units->nr_subjects, sizeof(*shifts));
	size_t nr = 0;

	for (size_t i = 0; i < units->nr_subjects; i++) {
		const struct subject *subject = subjects__at(&frames->subjects, i);

		for (enum side side = 0; side < SIDES && !subject->machine; side++)
			units->samples[side] += sum_of_side(frames, subject->self, side);
	}
	for (size_t i = 0; i < units->nr_subjects; i++) {
		const struct subject *subject = subjects__at(&frames->subjects, i);
		const double base = sum_of_side(frames, subject->self, SIDE_BASE);
		const double fresh = sum_of_side(frames, subject->self, SIDE_NEW);

		if (subject->machine || base < 10 || fresh < 10)
			continue;
		shifts[nr] = log(fresh / units->samples[SIDE_NEW]) -
			     log(base / units->samples[SIDE_BASE]);
		if (nr < FEW)
			few[nr] = (struct stayed){shifts[nr], 1 / base + 1 / fresh + RUN_VARIANCE};
		nr++;
	}
	if (nr > FEW) {
		units->shifts[units->nr_shifts++] = median(shifts, nr);
	} else {
		few[nr] = (struct stayed){shift_of_runs(units, frames), RUN_VARIANCE};
		choose_shifts(units, few, nr);
	}
	free(shifts);
}

/* ---- callees and callers ---- */

/* The occurrences of a unit's subject in a stack. */
struct unit_place {
	uint32_t unit; /* index in base's units, then new's; UNRESOLVED: no unit */
	uint64_t stack;
	size_t outermost;
};

struct link_key {
	uint32_t unit, other, way;
};

struct linking {
	struct rename_units *units;
	struct unit_place *places; /* by subject */
	uint64_t stack;
	struct pool keys;
	double *samples; /* by key */
	size_t capacity;
};

static void add_link(struct linking *linking, uint32_t unit, uint32_t other, enum rename_way way,
		     double samples)
{
	const struct link_key key = {unit, other, way};
	const size_t nr = linking->keys.nr_items;
	const uint32_t id = pool__number(&linking->keys, &key, sizeof(key));

	array__reserve(&linking->samples, &linking->capacity, nr + 1);
	linking->samples[id] = id == nr ? samples : linking->samples[id] + samples;
}

static uint32_t id_at(const struct chain *chain, size_t i)
{
	return chain__subject(chain, i)->item.id;
}

/*
 * Adds the links of one stack: a unit's innermost frame shows its callee, and its outermost one its
 * caller and ancestor.
 */
static void link_stack(struct linking *linking, const struct chain *chain, double samples)
{
	uint32_t caller = (uint32_t)linking->units->nr_subjects, ancestor = caller;

	linking->stack++;
	for (size_t i = 0; i < chain->nr_frames; i++) {
		struct unit_place *place = &linking->places[id_at(chain, i)];

		if (place->unit != UNRESOLVED && place->stack != linking->stack && i)
			add_link(linking, place->unit, id_at(chain, i - 1), WAY_CALLEE, samples);
		place->stack = linking->stack;
		place->outermost = i;
	}
	for (size_t i = chain->nr_frames; i-- > 0; caller = id_at(chain, i)) {
		const struct unit_place *place = &linking->places[id_at(chain, i)];

		if (place->unit != UNRESOLVED && place->outermost == i) {
			add_link(linking, place->unit, caller, WAY_CALLER, samples);
			add_link(linking, place->unit, ancestor, WAY_ANCESTOR, samples);
		}
		if (linking->units->canonical[id_at(chain, i)] != UNRESOLVED)
			ancestor = id_at(chain, i);
	}
}

static struct rename_unit *unit_at(const struct rename_units *units, size_t index)
{
	return index < units->nr[SIDE_BASE] ? &units->of[SIDE_BASE][index]
					    : &units->of[SIDE_NEW][index - units->nr[SIDE_BASE]];
}

/* Sorts links by unit. */
static void sort_links(struct linking *linking)
{
	struct rename_units *units = linking->units;
	const size_t nr = linking->keys.nr_items, nr_units = units->nr[0] + units->nr[1];
	size_t *begins = xcalloc(nr_units + 2, sizeof(*begins));

	units->links = xcalloc(nr, sizeof(*units->links));
	for (uint32_t i = 0; i < nr; i++)
		begins[((const struct link_key *)pool__bytes(&linking->keys, i))->unit + 1]++;
	for (size_t u = 0; u < nr_units; u++) {
		unit_at(units, u)->links = &units->links[begins[u]];
		begins[u + 1] += begins[u];
	}
	for (uint32_t i = 0; i < nr; i++) {
		const struct link_key *key = pool__bytes(&linking->keys, i);
		struct rename_unit *unit = unit_at(units, key->unit);
		const double samples = linking->samples[i];

		units->links[begins[key->unit] + unit->nr_links++] =
			(struct rename_link){key->other, (enum rename_way)key->way, samples};
		unit->ways[key->way] += samples;
	}
	free(begins);
}

static void find_links(struct rename_units *units, const struct matched_frames *frames)
{
	struct linking linking = {.units = units};

	linking.places = xcalloc(units->nr_subjects, sizeof(*linking.places));
	for (size_t i = 0; i < units->nr_subjects; i++)
		linking.places[i].unit = UNRESOLVED;
	for (size_t u = 0; u < units->nr[0] + units->nr[1]; u++)
		linking.places[unit_at(units, u)->subject->item.id].unit = (uint32_t)u;

	for (size_t run = 0; run < frames->nr_runs; run++) {
		size_t nr_samples;
		const struct sample *samples =
			profile__samples(frames->runs[run].profile, &nr_samples);

		for (size_t i = 0; i < nr_samples; i++) {
			const struct chain chain = chain__of(frames, run, &samples[i]);

			if (!chain__leaf(&chain, frames)->machine)
				link_stack(&linking, &chain,
					   (double)samples[i].values[VALUE_COUNT]);
		}
	}
	sort_links(&linking);
	free(linking.places);
	free(linking.samples);
	pool__clear(&linking.keys);
}

void rename_units__init(struct rename_units *units, const struct matched_frames *frames)
{
	*units = (struct rename_units){.nr_subjects = frames->subjects.all.nr_items};
	units->canonical = xcalloc(units->nr_subjects + 1, sizeof(*units->canonical));
	units->scratch = xcalloc(units->nr_subjects + 1, sizeof(*units->scratch));
	units->canonical[units->nr_subjects] = (uint32_t)units->nr_subjects;
	choose_units(units, frames);
	if (units->nr[SIDE_BASE] && units->nr[SIDE_NEW]) {
		measure_shifts(units, frames);
		find_links(units, frames);
	}
}

void rename_units__fini(struct rename_units *units)
{
	for (enum side side = 0; side < SIDES; side++)
		free(units->of[side]);
	free(units->canonical);
	free(units->links);
	free(units->scratch);
	*units = (struct rename_units){0};
}

/* ---- comparing a unit of base with one of new ---- */

#define LEAST_EVIDENCE 5   /* least samples of callees that both sides have */
#define LEAST_SAMPLES  5   /* least samples of a unit with an unrelated new name */
#define SAME_CALLERS   0.7 /* least parts of samples in common */
#define SAME_CALLEES   0.6
#define TELLING_PART   0.3 /* least part of samples in equal callees that is no chance */
#define SURE	       3.0 /* standard deviations */

/* The parts of two units' samples that have the same callers, or callees. */
struct overlap {
	double known;		/* with an equal neighbour */
	double known_in[SIDES]; /* with a neighbour that both sides have */
	/* with a neighbour of one side only, which may be a renamed one */
	double unresolved_in[SIDES];
};

static struct overlap find_overlap(const struct rename_units *units,
				   const struct rename_unit *const pair[SIDES], enum rename_way way)
{
	struct overlap overlap = {0};

	for (enum side side = 0; side < SIDES; side++)
		for (size_t i = 0; i < pair[side]->nr_links; i++) {
			const struct rename_link *link = &pair[side]->links[i];
			const uint32_t id = units->canonical[link->other];
			double part;

			if (link->way != way)
				continue;
			part = link->samples /
			       (pair[side]->ways[way] + (way == WAY_CALLEE ? pair[side]->self : 0));
			if (id == UNRESOLVED) {
				overlap.unresolved_in[side] += part;
				continue;
			}
			overlap.known_in[side] += part;
			if (side == SIDE_BASE) {
				units->scratch[id] += part;
			} else {
				const double both = fmin(part, units->scratch[id]);

				overlap.known += both;
				units->scratch[id] -= both;
			}
		}
	for (size_t i = 0; i < pair[SIDE_BASE]->nr_links; i++) {
		const uint32_t id = units->canonical[pair[SIDE_BASE]->links[i].other];

		if (id != UNRESOLVED)
			units->scratch[id] = 0;
	}
	return overlap;
}

/*
 * The part of samples with equal callers. Callers of one side only may be renamed ones. A caller
 * that was inlined is skipped: then the nearest common ancestors are compared.
 */
static double compare_callers(const struct rename_units *units,
			      const struct rename_unit *const pair[SIDES])
{
	const struct overlap near = find_overlap(units, pair, WAY_CALLER);
	const struct overlap far = find_overlap(units, pair, WAY_ANCESTOR);

	return fmax(near.known + fmin(near.unresolved_in[SIDE_BASE], near.unresolved_in[SIDE_NEW]),
		    far.known);
}

enum callee_likeness { CALLEES_UNKNOWN, CALLEES_SAME, CALLEES_DIFFER };

/*
 * Compares callees. Inlining a callee turns its time into the caller's own, and its callees into
 * the caller's: a callee of one side only is evidence for that side alone, and may be any part of
 * the other's.
 */
static enum callee_likeness compare_callees(const struct rename_unit *const pair[SIDES],
					    const struct overlap *callees)
{
	double known = 0, samples = 0, missing = 0, loose = 1;

	for (enum side side = 0; side < SIDES; side++) {
		const double in = callees->known_in[side];

		known = fmax(known, in);
		samples = fmax(samples, in * pair[side]->total);
		missing = fmax(missing, in - callees->known - callees->unresolved_in[!side]);
		loose = fmin(loose, 1 - in);
	}
	if (samples >= LEAST_EVIDENCE && missing > (1 - SAME_CALLEES) * known)
		return CALLEES_DIFFER;
	if (missing > 0 && callees->known + loose < SAME_CALLEES)
		return CALLEES_DIFFER;
	return samples >= LEAST_EVIDENCE && callees->known >= TELLING_PART ? CALLEES_SAME
									   : CALLEES_UNKNOWN;
}

static double find_distance(const struct rename_units *units,
			    const struct rename_unit *const pair[SIDES])
{
	const double shift = log(pair[SIDE_NEW]->total / units->samples[SIDE_NEW]) -
			     log(pair[SIDE_BASE]->total / units->samples[SIDE_BASE]);
	double least = INFINITY;

	for (size_t i = 0; i < units->nr_shifts; i++)
		least = fmin(least, fabs(shift - units->shifts[i]));
	return least;
}

/*
 * How much the shares may differ: the more evidence for one function, the more it may have changed.
 */
static double most_distance(const struct rename_unit *const pair[SIDES], enum name_likeness names,
			    enum callee_likeness callees)
{
	const double chance = SURE * sqrt(1 / pair[SIDE_BASE]->total + 1 / pair[SIDE_NEW]->total);

	if (names >= NAMES_OF_ONE)
		return log(4) + chance;
	return log(callees == CALLEES_SAME ? 1.5 : 1.2) + chance;
}

struct rename_match rename_units__compare(const struct rename_units *units, size_t base,
					  size_t fresh)
{
	const struct rename_unit *const pair[SIDES] = {&units->of[SIDE_BASE][base],
						       &units->of[SIDE_NEW][fresh]};
	struct rename_match match = {
		.distance = find_distance(units, pair),
		/* The self part tells a caller from its callee, whose shares may be the same. */
		.self_distance = fabs(pair[SIDE_NEW]->self / pair[SIDE_NEW]->total -
				      pair[SIDE_BASE]->self / pair[SIDE_BASE]->total),
	};
	enum callee_likeness callees;
	enum name_likeness names;
	struct overlap to;
	double callers;

	/* Cheap tests come first. */
	if (pair[SIDE_BASE]->subject->kind != pair[SIDE_NEW]->subject->kind ||
	    match.distance > most_distance(pair, NAMES_EQUAL, CALLEES_SAME))
		return match;
	names = name_likeness__of(pair[SIDE_BASE]->subject->name, pair[SIDE_NEW]->subject->name);
	to = find_overlap(units, pair, WAY_CALLEE);
	callees = compare_callees(pair, &to);
	if (match.distance > most_distance(pair, names, callees))
		return match;
	callers = compare_callers(units, pair);
	if (names == NAMES_EQUAL)
		match.is_possible = callees != CALLEES_DIFFER || callers >= SAME_CALLERS;
	else if (names == NAMES_OF_ONE)
		match.is_possible = callees != CALLEES_DIFFER &&
				    (callees == CALLEES_SAME || callers >= SAME_CALLERS);
	else
		match.is_possible =
			callees != CALLEES_DIFFER && callers >= SAME_CALLERS &&
			fmin(pair[SIDE_BASE]->total, pair[SIDE_NEW]->total) >= LEAST_SAMPLES;
	match.is_sure = match.is_possible && (names >= NAMES_OF_ONE || callees == CALLEES_SAME);
	match.score = 2 * (double)names + (callees == CALLEES_SAME ? 2 + to.known : 0) + callers -
		      match.distance - match.self_distance;
	return match;
}
