// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds renamed modules first, then renamed functions. Sure pairs of functions come first, as they
 * are evidence on their neighbours; then pairs with nothing against them.
 */
#include "diff/matching/rename_units.h"

#define MOST_ROUNDS 16 /* each round may find one more of a chain of renamed functions */

struct unit_pair {
	size_t base, fresh;
	double score;
};

static int by_score(const void *left, const void *right)
{
	const struct unit_pair *a = left, *b = right;

	if (a->score != b->score)
		return a->score < b->score ? 1 : -1;
	return a->base != b->base ? (a->base > b->base) - (a->base < b->base)
				  : (a->fresh > b->fresh) - (a->fresh < b->fresh);
}

static void pair_up(struct rename_units *units, size_t base, size_t fresh, bool is_sure)
{
	struct rename_unit *b = &units->of[SIDE_BASE][base], *n = &units->of[SIDE_NEW][fresh];

	b->partner = fresh;
	n->partner = base;
	b->is_sure = n->is_sure = is_sure;
	units->canonical[b->subject->item.id] = units->canonical[n->subject->item.id] =
		n->subject->item.id;
}

/* Pairs up units without a partner, the best pairs first. Returns the number of pairs. */
static size_t take_pairs(struct rename_units *units, struct unit_pair *pairs, bool sure_only)
{
	size_t nr = 0, nr_taken = 0;

	for (size_t b = 0; b < units->nr[SIDE_BASE]; b++)
		for (size_t n = 0; n < units->nr[SIDE_NEW]; n++) {
			struct rename_match match;

			if (units->of[SIDE_BASE][b].partner != SIZE_MAX ||
			    units->of[SIDE_NEW][n].partner != SIZE_MAX)
				continue;
			match = rename_units__compare(units, b, n);
			if (match.is_possible && (match.is_sure || !sure_only))
				pairs[nr++] = (struct unit_pair){b, n, match.score};
		}
	if (nr)
		qsort(pairs, nr, sizeof(*pairs), by_score);
	for (size_t i = 0; i < nr; i++) {
		const struct unit_pair *pair = &pairs[i];

		if (units->of[SIDE_BASE][pair->base].partner != SIZE_MAX ||
		    units->of[SIDE_NEW][pair->fresh].partner != SIZE_MAX)
			continue;
		pair_up(units, pair->base, pair->fresh, sure_only);
		nr_taken++;
	}
	return nr_taken;
}

/* How much two differ, in their shares and in what they do themselves. */
static double misfit(const struct rename_match *match)
{
	return match->distance * match->distance + match->self_distance * match->self_distance;
}

/*
 * Unsure pairs swap partners if their shares differ less then: taking the best pair first leaves a
 * bad one for the rest.
 */
static void change_partners(struct rename_units *units)
{
	for (size_t a = 0; a < units->nr[SIDE_BASE]; a++)
		for (size_t b = 0; b < a; b++) {
			const struct rename_unit *first = &units->of[SIDE_BASE][a];
			const struct rename_unit *second = &units->of[SIDE_BASE][b];
			const size_t x = first->partner, y = second->partner;
			struct rename_match ax, by, ay, bx;

			if (x == SIZE_MAX || y == SIZE_MAX || first->is_sure || second->is_sure)
				continue;
			ay = rename_units__compare(units, a, y);
			bx = rename_units__compare(units, b, x);
			if (!ay.is_possible || !bx.is_possible)
				continue;
			ax = rename_units__compare(units, a, x);
			by = rename_units__compare(units, b, y);
			if (misfit(&ay) + misfit(&bx) >= misfit(&ax) + misfit(&by))
				continue;
			pair_up(units, a, y, false);
			pair_up(units, b, x, false);
		}
}

static void find_renamed_functions(struct renames *renames, const struct matched_frames *frames)
{
	struct rename_units units;
	struct unit_pair *pairs;

	rename_units__init(&units, frames);
	pairs = xcalloc(units.nr[SIDE_BASE] * units.nr[SIDE_NEW], sizeof(*pairs));
	for (int round = 0; round < MOST_ROUNDS; round++)
		if (!take_pairs(&units, pairs, true) && !take_pairs(&units, pairs, false))
			break;
	change_partners(&units);
	free(pairs);

	for (size_t i = 0; i < units.nr[SIDE_BASE]; i++) {
		const struct rename_unit *unit = &units.of[SIDE_BASE][i];
		const struct subject *base = unit->subject, *fresh;

		if (unit->partner == SIZE_MAX)
			continue;
		fresh = units.of[SIDE_NEW][unit->partner].subject;
		renames__add(renames, &(struct rename){.name = base->name,
						       .module = base->rename ? base->rename->module
									      : base->module,
						       .found_in = base->module,
						       .new_name = fresh->name,
						       .new_module = fresh->module,
						       .is_sure = unit->is_sure});
	}
	rename_units__fini(&units);
}

/* Counts anew only if there are new names since: most comparisons have none. */
void find_renames(struct renames *renames, struct matched_frames *frames, const struct run *runs,
		  size_t nr_runs, const struct match_options *options)
{
	void (*const finders[])(struct renames * renames, const struct matched_frames *frames) = {
		find_renamed_modules, find_renamed_functions};
	struct match_options by_function = *options;

	by_function.by = MATCH_FUNCTIONS;
	matched_frames__count(frames, runs, nr_runs, &by_function, renames);
	for (size_t i = 0; i < sizeof(finders) / sizeof(finders[0]); i++) {
		const size_t nr = renames->nr;

		finders[i](renames, frames);
		if (renames->nr == nr)
			continue;
		matched_frames__fini(frames);
		matched_frames__count(frames, runs, nr_runs, &by_function, renames);
	}
}
