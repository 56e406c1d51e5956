// SPDX-License-Identifier: GPL-2.0-only
/*
 * Step 8 of docs/diff.md. A unit that clearly changed moves the shares of all others, too. So it
 * leaves the reference, against which units are measured, and another pass over all units is made;
 * the last pass is reported.
 */
#include <math.h>

#include "diff/statistics/pass.h"
#include "diff/statistics/statistics.h"

/*
 * Units leave the reference only while it keeps at least this part of the samples of both sides,
 * and MAX_CHANGED times at most, as each time costs a pass.
 */
#define LEAST_REFERENCE 0.01
#define MAX_CHANGED	32

#define SURELY_ABSENT 20 /* expected samples from which on having none is no chance */

/* ---- leaving ---- */

/* True if the reference is still large enough without the units set in selves. */
static bool may_leave(const struct state *state, const bool *selves)
{
	const struct comparison *input = state->input;
	wide left[SIDES] = {0};

	for (size_t run = 0; run < input->nr_runs; run++) {
		left[input->runs[run].side] += state->reference[run];
		for (size_t self = 0; self < input->nr_units; self++)
			if (selves[self])
				left[input->runs[run].side] -= input->units[self].counts[run];
	}
	for (enum side side = 0; side < SIDES; side++)
		if ((double)left[side] < LEAST_REFERENCE * state->decision->samples[side])
			return false;
	return true;
}

/* Removes the units set in selves from the reference, on both sides. */
static void remove_from_reference(struct state *state, const bool *selves)
{
	const struct comparison *input = state->input;
	struct decision *decision = state->decision;

	if (!state->inside)
		state->inside = xcalloc(input->nr_units * input->nr_runs, sizeof(*state->inside));
	for (size_t self = 0; self < input->nr_units; self++) {
		if (!selves[self])
			continue;
		for (size_t run = 0; run < input->nr_runs; run++) {
			state->reference[run] -= input->units[self].counts[run];
			state->inside[self * input->nr_runs + run] = input->units[self].counts[run];
		}
		decision->findings[self].changed = true;
		decision->changed[decision->nr_changed++] = self;
	}
	if (input->overlap)
		input->overlap(input->context, selves, state->inside);
}

/* ---- units of one side only ---- */

/*
 * True if one side has no samples of the unit, although it would have many at the other side's
 * share.
 */
static bool is_one_sided(const struct state *state, const struct tested_unit *test)
{
	const double *samples = state->decision->samples;
	const double base = test->sums[SIDE_BASE].k, new = test->sums[SIDE_NEW].k;

	if (base > 0 && new > 0)
		return false;
	return fmax(base * fmin(1, samples[SIDE_NEW] / samples[SIDE_BASE]),
		    new *fmin(1, samples[SIDE_BASE] / samples[SIDE_NEW])) >= SURELY_ABSENT;
}

/*
 * Units that are gone or new have changed for certain, whatever the others did, so they leave the
 * reference before any unit is measured. Their callers leave with them if the reference stays large
 * enough: a unit that was inlined is in its caller now. False: there are no such units.
 */
static bool remove_one_sided(struct state *state, const struct pass *pass)
{
	const struct comparison *input = state->input;
	bool *selves = xcalloc(2 * input->nr_units, sizeof(*selves));
	bool *with_callers = selves + input->nr_units, leaves = false;

	for (size_t i = 0; i < pass->nr; i++) {
		const struct tested_unit *test = &pass->tests[i];

		if (unit__is_reference(&input->units[test->unit]) && is_one_sided(state, test))
			selves[test->unit] = with_callers[test->unit] = leaves = true;
	}
	if (leaves && input->mark_callers)
		input->mark_callers(input->context, selves, with_callers);
	for (size_t u = 0; u < input->nr_units; u++)
		with_callers[u] &= unit__is_reference(&input->units[u]);
	leaves = leaves && may_leave(state, selves);
	if (leaves)
		remove_from_reference(state,
				      may_leave(state, with_callers) ? with_callers : selves);
	free(selves);
	return leaves;
}

/* ---- changed units ---- */

/* Two scores, or two supports, are equal if they differ by less. */
#define TIE	     0.01 /* relative */
#define SAME_SUPPORT 0.1

static bool has_moved(const struct state *state, const struct tested_unit *test)
{
	return test->p_any <= 2 * state->options->alpha &&
	       fabs(test->log_ratio) > log1p(state->options->min_effect);
}

static bool is_in_reference(const struct state *state, const struct tested_unit *test)
{
	return unit__is_reference(&state->input->units[test->unit]) &&
	       !state->decision->findings[test->unit].changed;
}

static double log_samples_a_run(const struct state *state, enum side side, double samples)
{
	return log((samples + 0.5) / (double)state->decision->nr_runs[side]);
}

/*
 * The variance of the log of a run's consumption, new to base, from the differences between runs of
 * a side.
 */
static double length_variance(const struct state *state)
{
	const struct decision *decision = state->decision;
	double variance = 0;

	for (size_t run = 0; run < state->input->nr_runs; run++) {
		const enum side side = state->input->runs[run].side;
		const double nr = (double)decision->nr_runs[side];
		const double off = (double)state->all[run] * nr / decision->samples[side] - 1;

		if (!state__is_empty_run(state, run) && nr > 1)
			variance += off * off / nr / (nr - 1);
	}
	return variance;
}

/*
 * Measures the evidence that a unit did not change. The shares of all unchanged units rise or fall
 * alike, so each other unit that changed as this one did is evidence. So is an unchanged number of
 * samples a run, if the total changed. Even the clearest change may have support: if two of three
 * units doubled, the third seems to have halved.
 */
static void find_support(const struct state *state, struct pass *pass)
{
	const double *samples = state->decision->samples;
	const double between = length_variance(state);
	const double all = log_samples_a_run(state, SIDE_NEW, samples[SIDE_NEW]) -
			   log_samples_a_run(state, SIDE_BASE, samples[SIDE_BASE]);

	for (size_t i = 0; i < pass->nr; i++) {
		struct tested_unit *a = &pass->tests[i];

		a->growth = log_samples_a_run(state, SIDE_NEW, a->sums[SIDE_NEW].k) -
			    log_samples_a_run(state, SIDE_BASE, a->sums[SIDE_BASE].k);
		a->support = 0;
		if (!is_in_reference(state, a))
			continue;
		if (fabs(a->growth) < fabs(all) / 2)
			a->support = agreement(a->growth, a->variance.v + between);
		for (size_t j = 0; j < i; j++) {
			struct tested_unit *b = &pass->tests[j];
			const double both =
				agreement(a->growth - b->growth, a->variance.v + b->variance.v);

			if (!is_in_reference(state, b))
				continue;
			a->support += both;
			b->support += both;
		}
	}
}

/*
 * Orders changes by clearness. If two are equally clear, the smaller unit changed: that explains
 * the program with less change. Of equal units the one that grew did.
 */
static bool is_clearer(const struct tested_unit *a, const struct tested_unit *b)
{
	const double samples_a = a->sums[SIDE_BASE].k + a->sums[SIDE_NEW].k;
	const double samples_b = b->sums[SIDE_BASE].k + b->sums[SIDE_NEW].k;

	if (fabs(a->score - b->score) > TIE * fmax(a->score, b->score))
		return a->score > b->score;
	return samples_a != samples_b ? samples_a < samples_b : a->log_ratio > b->log_ratio;
}

/*
 * Finds the clearest change among the units of the reference with the least support; NULL: none
 * changed. Sets *most to the largest support in the reference.
 */
static const struct tested_unit *find_change(const struct state *state, const struct pass *pass,
					     double *most)
{
	const struct tested_unit *found = NULL;
	double least = INFINITY;

	*most = 0;
	for (size_t i = 0; i < pass->nr; i++) {
		const struct tested_unit *test = &pass->tests[i];

		if (!is_in_reference(state, test))
			continue;
		*most = fmax(*most, test->support);
		if (has_moved(state, test))
			least = fmin(least, test->support);
	}
	for (size_t i = 0; i < pass->nr; i++) {
		const struct tested_unit *test = &pass->tests[i];

		if (is_in_reference(state, test) && has_moved(state, test) &&
		    test->support < least + SAME_SUPPORT && (!found || is_clearer(test, found)))
			found = test;
	}
	return found;
}

/*
 * Finds the unit that may have changed instead, in the other direction. There is one if no unit has
 * clearly more support than the change; or if it is also the rival of the change before. SIZE_MAX:
 * none.
 */
static size_t find_rival(const struct state *state, const struct pass *pass,
			 const struct tested_unit *change, double most)
{
	const struct decision *decision = state->decision;
	const size_t last = decision->nr_changed ? decision->changed[decision->nr_changed - 1] : 0;
	const size_t before = decision->nr_changed ? decision->findings[last].rival : SIZE_MAX;
	const struct tested_unit *rival = NULL;

	for (size_t i = 0; i < pass->nr; i++) {
		const struct tested_unit *test = &pass->tests[i];

		if (is_in_reference(state, test) && test->log_ratio * change->log_ratio < 0 &&
		    (most - change->support < LEAST_SUPPORT || test->unit == before) &&
		    (!rival || test->support > rival->support))
			rival = test;
	}
	return rival ? rival->unit : SIZE_MAX;
}

/*
 * Removes the clearest change. The first one leaves even if little is left: of two functions one
 * must. False: none left.
 */
static bool remove_change(struct state *state, struct pass *pass)
{
	bool *selves = xcalloc(state->input->nr_units, sizeof(*selves)), leaves = false;
	const struct tested_unit *change;
	double most;

	find_support(state, pass);
	change = find_change(state, pass, &most);
	if (change) {
		selves[change->unit] = true;
		leaves = !state->decision->nr_changed || may_leave(state, selves);
		state->decision->findings[change->unit].rival =
			find_rival(state, pass, change, most);
	}
	if (leaves)
		remove_from_reference(state, selves);
	free(selves);
	return leaves;
}

void pass__run_all(struct pass *pass, struct state *state)
{
	pass__run(pass, state);
	for (size_t i = 0; i < pass->nr; i++)
		state->moved[pass->tests[i].unit] = has_moved(state, &pass->tests[i]);
	/* Rates are not measured against a reference. */
	if (comparison__is_of_rates(state->input))
		return;
	if (!state->options->phases && remove_one_sided(state, pass))
		pass__run(pass, state);
	for (unsigned int nr = 0; nr < MAX_CHANGED && remove_change(state, pass); nr++)
		pass__run(pass, state);
}
