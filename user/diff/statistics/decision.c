// SPDX-License-Identifier: GPL-2.0-only
/*
 * The decision: counts in, one verdict a unit out. The steps are those of docs/diff.md and numbered
 * as there.
 *
 * What clearly changed moved everybody else's share too. So it leaves the reference that units are
 * measured against, and the pass over all units is made again; the last one is reported.
 */
#include "diff/statistics/comparison.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff/statistics/pass.h"
#include "diff/statistics/statistics.h"

#define POWER	    0.80 /* of which the runs needed and the smallest effect speak */
#define POWER_SHARE 0.10
#define TIE	    0.01

/*
 * What changed leaves the reference, as long as it is no less than this part of the samples of both sides, and as often
 * as this, for each time takes a pass over all units.
 */
#define LEAST_REFERENCE 0.01
#define MAX_CHANGED	32

#define SURELY_ABSENT 20 /* samples that would be there if nothing had changed: none is no chance */

struct decision_options decision_options__default(void)
{
	return (struct decision_options){
		.alpha = 0.02,
		.min_effect = 0.05,
		.min_points = 0.005,
	};
}

/* ---- setting up ---- */

/* Steps 1 and 2: N of each run, without the machine's. */
static void count_runs(struct state *state)
{
	const struct comparison *input = state->input;
	struct decision *decision = state->decision;

	for (size_t run = 0; run < input->nr_runs; run++) {
		enum side side = input->runs[run].side;
		wide sum = 0;

		for (size_t u = 0; u < input->nr_units; u++) {
			if (unit__is_reference(&input->units[u]))
				sum += input->units[u].counts[run];
		}
		state->reference[run] = state->all[run] = sum;
		decision->samples[side] += (double)sum;
		decision->nr_runs[side] += sum > 0;
	}
	for (size_t run = 0; run < input->nr_runs; run++) {
		enum side side = input->runs[run].side;

		if (state->all[run])
			decision->incomplete[side] += input->runs[run].incomplete *
						      (double)state->all[run] /
						      decision->samples[side];
	}
	for (enum side side = 0; side < SIDES; side++) {
		if (decision->nr_runs[side] > 1)
			decision->between_df += (unsigned int)decision->nr_runs[side] - 1;
	}
}

static int measure_phases(struct state *state)
{
	int err = phases__init(&state->phases, state->input);

	if (state->phases.df > 0) {
		state->decision->phi = state->phases.median;
		state->decision->phi_source = PHI_BY_UNIT;
	}
	return err;
}

/* Step 4: phi. */
static int measure_bursts(struct state *state)
{
	struct decision *decision = state->decision;
	int found;

	decision->phi = 1;
	decision->phi_source = PHI_NOT_NEEDED;
	if (decision->between_df > 0 || state->input->is_independent)
		return 0;
	decision->phi = PHI_ASSUMED;
	decision->phi_source = PHI_ASSUMED_BURSTS;
	if (state->options->phases)
		return measure_phases(state);
	found = bursts__estimate(state->input, &decision->phi);
	if (found > 0)
		decision->phi_source = PHI_ESTIMATED;
	return found < 0 ? found : 0;
}

static int state__init(struct state *state, const struct comparison *input,
		       const struct decision_options *options, struct decision *decision)
{
	*state = (struct state){.input = input, .options = options, .decision = decision};
	/* One more than needed, so that nothing is not mistaken for no memory. */
	decision->findings = calloc(input->nr_units + 1, sizeof(*decision->findings));
	state->reference = calloc(input->nr_runs + 1, sizeof(*state->reference));
	state->all = calloc(input->nr_runs + 1, sizeof(*state->all));
	state->moved = calloc(input->nr_units + 1, sizeof(*state->moved));
	decision->changed = calloc(input->nr_units + 1, sizeof(*decision->changed));
	if (!decision->findings || !decision->changed || !state->reference || !state->all ||
	    !state->moved)
		return -ENOMEM;
	decision->nr_units = input->nr_units;
	for (size_t u = 0; u < input->nr_units; u++)
		decision->findings[u].rival = SIZE_MAX;
	count_runs(state);
	if (comparison__is_of_rates(input) && decision->between_df == 0)
		return -EINVAL;
	return measure_bursts(state);
}

static void state__fini(struct state *state)
{
	phases__fini(&state->phases);
	free(state->moved);
	free(state->inside);
	free(state->all);
	free(state->reference);
}

/* ---- composition: step 8 ---- */

static bool has_moved(const struct state *state, const struct tested_unit *test)
{
	return test->p_any <= 2 * state->options->alpha &&
	       fabs(test->log_ratio) > log1p(state->options->min_effect);
}

static double count_samples(const struct tested_unit *test)
{
	return test->sums[SIDE_BASE].k + test->sums[SIDE_NEW].k;
}

static bool is_tie(const struct tested_unit *a, const struct tested_unit *b)
{
	return fabs(a->score - b->score) <= TIE * fmax(a->score, b->score);
}

/* A run took so much more, or less, as it would if this unit alone had changed as its share did. */
static bool explains_runs(const struct state *state, const struct tested_unit *test)
{
	const struct decision *decision = state->decision;
	const double base = decision->samples[SIDE_BASE] / (double)decision->nr_runs[SIDE_BASE];
	const double new = decision->samples[SIDE_NEW] / (double)decision->nr_runs[SIDE_NEW];
	const double share = test->sums[SIDE_BASE].k / decision->samples[SIDE_BASE];
	const double expected = log1p(share * expm1(test->log_ratio));

	return fabs(log(new / base) - expected) < fabs(expected) / 2;
}

/*
 * Is a the clearer change? Where two functions are nearly all of a program, one's growth is the
 * other's shrinking. What runs took tells which, if they are whole runs. Else it is the smaller one
 * that changed, for that explains the counts with the smaller change of the program; and of equals the one that
 * grew, for a gate should rather see it.
 */
static bool is_clearer(const struct state *state, const struct tested_unit *a,
		       const struct tested_unit *b)
{
	if (!is_tie(a, b))
		return a->score > b->score;
	if (explains_runs(state, a) != explains_runs(state, b))
		return explains_runs(state, a);
	if (count_samples(a) != count_samples(b))
		return count_samples(a) < count_samples(b);
	return a->log_ratio > b->log_ratio;
}

static bool may_have_changed(const struct state *state, const struct tested_unit *test)
{
	return unit__is_reference(&state->input->units[test->unit]) &&
	       !state->decision->findings[test->unit].changed && has_moved(state, test);
}

/* The unit of the reference that changed most clearly; NULL: none did. */
static const struct tested_unit *find_change(const struct state *state, const struct pass *pass)
{
	const struct tested_unit *found = NULL;

	if (comparison__is_of_rates(state->input))
		return NULL; /* rates have no reference that one could leave */
	for (size_t i = 0; i < pass->nr; i++) {
		const struct tested_unit *test = &pass->tests[i];

		if (may_have_changed(state, test) && (!found || is_clearer(state, test, found)))
			found = test;
	}
	return found;
}

/* Which may have changed instead, the other way, and nothing tells; SIZE_MAX: none. */
static size_t find_rival(const struct state *state, const struct pass *pass,
			 const struct tested_unit *change)
{
	for (size_t i = 0; i < pass->nr; i++) {
		const struct tested_unit *test = &pass->tests[i];

		if (test != change && may_have_changed(state, test) && is_tie(test, change) &&
		    test->log_ratio * change->log_ratio < 0 &&
		    explains_runs(state, test) == explains_runs(state, change))
			return test->unit;
	}
	return SIZE_MAX;
}

/* Self units, from both sides alike. */
static int remove_from_reference(struct state *state, const bool *selves)
{
	const struct comparison *input = state->input;
	struct decision *decision = state->decision;

	if (!state->inside) {
		state->inside = calloc(input->nr_units * input->nr_runs, sizeof(*state->inside));
		if (!state->inside)
			return -ENOMEM;
	}
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
	return input->overlap ? input->overlap(input->context, selves, state->inside) : 0;
}

/* Is enough left to measure the others against? */
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

/* Nothing of it on one side, where so much of it would be if it had its share of the other. */
static bool is_one_sided(const struct state *state, const struct tested_unit *test)
{
	const double *samples = state->decision->samples;
	const double base = test->sums[SIDE_BASE].k, new = test->sums[SIDE_NEW].k;

	if (base > 0 && new > 0)
		return false;
	return fmax(base * fmin(1, samples[SIDE_NEW] / samples[SIDE_BASE]),
		    new *fmin(1, samples[SIDE_BASE] / samples[SIDE_NEW])) >= SURELY_ABSENT;
}

/* With whom they were called by and are: there they are if they were inlined, or no longer are. */
static void add_callers(const struct state *state, bool *selves, bool *with_callers)
{
	const struct comparison *input = state->input;

	memcpy(with_callers, selves, input->nr_units * sizeof(*selves));
	if (input->mark_callers)
		input->mark_callers(input->context, selves, with_callers);
	for (size_t u = 0; u < input->nr_units; u++)
		with_callers[u] &= unit__is_reference(&input->units[u]);
	if (may_leave(state, with_callers))
		memcpy(selves, with_callers, input->nr_units * sizeof(*selves));
}

/*
 * What is gone and what is new has changed, whatever the rest did, and as much as there may be of it: it
 * leaves before anybody is measured. Returns 1, 0 if there is nothing such, or negative errno.
 */
static int remove_one_sided(struct state *state, const struct pass *pass)
{
	const size_t nr = state->input->nr_units;
	bool *selves = calloc(2 * nr + 1, sizeof(*selves)); /* and room for their callers */
	bool leaves = false;
	int code = 0;

	if (!selves)
		return -ENOMEM;
	for (size_t i = 0; i < pass->nr; i++) {
		const struct tested_unit *test = &pass->tests[i];

		if (unit__is_reference(&state->input->units[test->unit]) &&
		    is_one_sided(state, test)) {
			selves[test->unit] = leaves = true;
		}
	}
	if (leaves)
		add_callers(state, selves, selves + nr);
	leaves = leaves && may_leave(state, selves);
	if (leaves)
		code = remove_from_reference(state, selves);
	free(selves);
	return code ? code : leaves;
}

/* The first one in any case: of two functions one leaves the other. Returns as remove_one_sided(). */
static int remove_change(struct state *state, size_t self)
{
	bool *selves = calloc(state->input->nr_units + 1, sizeof(*selves)), leaves;
	int code = 0;

	if (!selves)
		return -ENOMEM;
	selves[self] = true;
	leaves = !state->decision->nr_changed || may_leave(state, selves);
	if (leaves)
		code = remove_from_reference(state, selves);
	free(selves);
	return code ? code : leaves;
}

static int run_passes(struct state *state, struct pass *pass)
{
	int err = pass__run(pass, state), found;

	for (size_t i = 0; !err && i < pass->nr; i++)
		state->moved[pass->tests[i].unit] = has_moved(state, &pass->tests[i]);
	if (!err && !comparison__is_of_rates(state->input) && !state->options->phases) {
		found = remove_one_sided(state, pass);
		err = found > 0 ? pass__run(pass, state) : found;
	}
	for (unsigned int nr = 0; !err && nr < MAX_CHANGED; nr++) {
		const struct tested_unit *change = find_change(state, pass);

		if (change)
			state->decision->findings[change->unit].rival =
				find_rival(state, pass, change);
		found = change ? remove_change(state, change->unit) : 0;
		if (found <= 0)
			return found;
		err = pass__run(pass, state);
	}
	return err;
}

/* ---- findings ---- */

/*
 * The share of what is nearly everything hardly changes, however much slower it became: a small change
 * of it is a large one of the unit. Its rate can change like any other.
 */
static double floor_of(const struct state *state, size_t unit, enum side side, double samples)
{
	double share = state__share(state, side, samples);

	if (comparison__is_of_rates(state->input))
		share = fmin(share, 0.5);
	return effect_floor(state__min_effect(state, unit), state->options->min_points, share);
}

static void describe_unit(const struct state *state, size_t unit)
{
	struct finding *finding = &state->decision->findings[unit];
	struct side_sums sums[SIDES];

	state__sum_runs(state, unit, sums);
	finding->untested = state__why_untested(state, unit, sums);
	if (state->decision->nr_runs[SIDE_BASE] && state->decision->nr_runs[SIDE_NEW])
		finding->log_ratio = log_ratio(&sums[SIDE_BASE], &sums[SIDE_NEW]);
	for (enum side side = 0; side < SIDES; side++) {
		double all = state->decision->samples[side];
		double k = sums[side].k;

		if (state->input->units[unit].machine)
			all += k;
		finding->samples[side] = k;
		finding->share[side] = all > 0 ? k / all : 0;
	}
	finding->floor_up = floor_of(state, unit, SIDE_BASE, sums[SIDE_BASE].k);
	finding->floor_down = floor_of(state, unit, SIDE_NEW, sums[SIDE_NEW].k);
	finding->p_up = finding->p_down = 1;
	finding->high = INFINITY;
	finding->share_only =
		state->decision->nr_changed && state->moved[unit] && !finding->changed;
	finding->verdict = finding->untested == UNTESTED_EMPTY_SIDE ||
					   finding->untested == UNTESTED_NO_REFERENCE
				   ? VERDICT_NOT_ENOUGH
				   : VERDICT_NOT_COMPARED;
}

/* What happens to be in new has been in a part of base, too, that was no longer. */
static bool is_beyond_phases(const struct state *state, size_t unit, enum verdict verdict)
{
	const struct finding *finding = &state->decision->findings[unit];
	const struct phases *phases = &state->phases;

	if (!(phases->df > 0))
		return true;
	if (verdict == VERDICT_REGRESSED)
		return finding->share[SIDE_NEW] > phases->high[unit];
	return verdict != VERDICT_IMPROVED || finding->share[SIDE_NEW] < phases->low[unit];
}

/* Step 7. */
static enum verdict judge(const struct finding *finding, double alpha)
{
	double l = finding->log_ratio;
	double reach = student__quantile(0.95, finding->df) * sqrt(finding->variance);

	if (finding->p_up <= alpha && l - finding->blur_up >= finding->floor_up)
		return VERDICT_REGRESSED;
	if (finding->p_down <= alpha && -l - finding->blur_down >= finding->floor_down)
		return VERDICT_IMPROVED;
	if (fabs(l) + fmax(finding->blur_up, finding->blur_down) + reach < finding->floor_up)
		return VERDICT_UNCHANGED;
	return VERDICT_NOT_ENOUGH;
}

/* Sides of unequal numbers have the variance of this number of runs on both. */
static double mean_runs(const struct decision *decision)
{
	return 2 / (1.0 / (double)decision->nr_runs[SIDE_BASE] +
		    1.0 / (double)decision->nr_runs[SIDE_NEW]);
}

static struct test_rule rule_of(const struct state *state, double effect, double floor)
{
	double nr = fmax((double)state->decision->nr_tested, 1);

	return (struct test_rule){
		.margin = test_margin(effect),
		.floor = floor,
		.tail = state->options->alpha / nr,
		.power = POWER,
	};
}

/* Sides of unequal numbers have the variance of their mean number of runs on both. */
static struct standing standing_of(const struct state *state, const struct tested_unit *test)
{
	return (struct standing){
		.sampling = test->sampling,
		.variance = test->variance,
		.nr_runs = mean_runs(state->decision),
		.between_df = state->decision->between_df,
	};
}

/* A new or vanished unit: its own change is what is to be found. */
static void set_needed_absent(const struct tested_unit *test, const struct test_rule *rule,
			      const struct standing *now, struct finding *finding)
{
	const struct absent unit = {
		.size = fabs(test->log_ratio),
		.blur = test->log_ratio > 0 ? test->blur_up : test->blur_down,
	};

	finding->needed_runs = needed_runs_absent(rule, &unit, now);
	finding->needed_length = needed_length_absent(rule, &unit, now);
}

static void set_needed(const struct state *state, const struct tested_unit *test,
		       struct finding *finding)
{
	const struct decision *decision = state->decision;
	struct test_rule rule =
		rule_of(state, state__min_effect(state, test->unit), finding->floor_up);
	double size =
		log1p(2 * expm1(finding->floor_up)); /* what is to be found: twice the floor */
	double most =
		fmax((double)decision->nr_runs[SIDE_BASE], (double)decision->nr_runs[SIDE_NEW]);
	struct standing now = standing_of(state, test);

	if (test->sums[SIDE_BASE].k > 0 && test->sums[SIDE_NEW].k > 0) {
		rule.margin += test->blur_up;
		rule.floor += test->blur_up;
		finding->needed_runs = needed_runs(&rule, size, &now);
		finding->needed_length = needed_length(&rule, size, &now);
	} else {
		set_needed_absent(test, &rule, &now, finding);
	}
	/* What is undecided now is near its floor if it has the runs: at least one more, then. */
	finding->needed_runs = fmax(finding->needed_runs, most + 1);
}

static void report_test(const struct state *state, const struct tested_unit *test)
{
	struct finding *finding = &state->decision->findings[test->unit];
	double reach = student__quantile(0.975, test->variance.df) * sqrt(test->variance.v);

	finding->log_ratio = test->log_ratio;
	finding->blur_up = test->blur_up;
	finding->blur_down = test->blur_down;
	finding->phi = state__phi(state, test->unit);
	finding->variance = test->variance.v;
	finding->df = test->variance.df;
	finding->low = exp(test->log_ratio - reach);
	finding->high = exp(test->log_ratio + reach);
	finding->p_up = test->p_up;
	finding->p_down = test->p_down;
	finding->verdict = judge(finding, state->options->alpha);
	if (!is_beyond_phases(state, test->unit, finding->verdict))
		finding->verdict = VERDICT_NOT_ENOUGH;
	/* Others explain what moved only if a change of its own is not what the interval shows. */
	finding->share_only &= finding->low <= 1 && finding->high >= 1;
	if (finding->verdict == VERDICT_NOT_ENOUGH)
		set_needed(state, test, finding);
}

/* How large the changes of what is taken as unchanged are, in terms of their assumed size. */
static double measure_spread(const struct state *state, const struct pass *pass)
{
	double sum = 0, nr = 0;

	for (size_t i = 0; i < pass->nr; i++) {
		const struct tested_unit *test = &pass->tests[i];

		if (!unit__is_reference(&state->input->units[test->unit]) ||
		    state->decision->findings[test->unit].changed)
			continue;
		sum += test->log_ratio * test->log_ratio / test->variance.v;
		nr++;
	}
	return nr > 0 ? sum / nr : 0;
}

/* Sums of a unit that has a tenth of all samples, in every run. */
static double imagine_unit(const struct state *state, struct side_sums sums[SIDES])
{
	const struct comparison *input = state->input;
	double g = 0;

	memset(sums, 0, SIDES * sizeof(*sums));
	for (int squares = 0; squares < 2; squares++) {
		for (size_t run = 0; run < input->nr_runs; run++) {
			struct side_sums *sum = &sums[input->runs[run].side];
			double n = (double)state->all[run];
			double t = input->runs[run].divisor > 0 ? input->runs[run].divisor : n;

			if (state__is_empty_run(state, run))
				continue;
			if (squares) {
				g += t / sum->t * (t / sum->t);
				continue;
			}
			sum->rate = comparison__is_of_rates(input);
			sum->k += POWER_SHARE * n;
			sum->r += (1 - POWER_SHARE) * n;
			sum->t += t;
		}
	}
	return g;
}

static double found_effect(const struct state *state, const struct pass *pass)
{
	const struct decision_options *options = state->options;
	double floor = effect_floor(options->min_effect, options->min_points, POWER_SHARE);
	struct test_rule rule = rule_of(state, options->min_effect, floor);
	double d = state->decision->between_df;
	struct side_sums sums[SIDES];
	double g = imagine_unit(state, sums), s;

	/* Where nothing could be tested, as in a program without names, all would pass. */
	if (!pass->nr || sums[SIDE_BASE].r < MIN_REFERENCE || sums[SIDE_NEW].r < MIN_REFERENCE)
		return INFINITY;
	s = state->decision->phi * sampling_variance(&sums[SIDE_BASE], &sums[SIDE_NEW]);
	return expm1(found_size(&rule, d > 0 ? moderated_variance(s, g, pass->tau2, d, d)
					     : state__assumed_variance(state, s, g, pass->tau2)));
}

static void report(const struct state *state, const struct pass *pass)
{
	struct decision *decision = state->decision;

	decision->nr_tested = pass->nr;
	decision->cv = sqrt(pass->tau2);
	decision->cv_estimated = pass->tau2_estimated;
	for (size_t u = 0; u < decision->nr_units; u++)
		describe_unit(state, u);
	for (size_t i = 0; i < pass->nr; i++)
		report_test(state, &pass->tests[i]);
	for (size_t u = 0; u < decision->nr_units; u++)
		decision->nr[decision->findings[u].verdict]++;
	decision->found_effect = found_effect(state, pass);
	decision->spread = measure_spread(state, pass);
}

int decision__init(struct decision *decision, const struct comparison *comparison,
		   const struct decision_options *options)
{
	struct pass pass = {0};
	struct state state;
	int err;

	*decision = (struct decision){0};
	err = state__init(&state, comparison, options, decision);
	if (!err)
		err = run_passes(&state, &pass);
	if (!err)
		report(&state, &pass);
	pass__fini(&pass);
	state__fini(&state);
	return err;
}

void decision__fini(struct decision *decision)
{
	free(decision->changed);
	free(decision->findings);
	*decision = (struct decision){0};
}
