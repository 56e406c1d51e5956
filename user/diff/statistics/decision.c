// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decides: turns counts into one verdict for each unit. The steps are those of docs/diff.md and
 * numbered as there.
 */
#include "diff/statistics/comparison.h"

#include <math.h>

#include "diff/statistics/pass.h"
#include "diff/statistics/statistics.h"

#define POWER	    0.80 /* probability of finding a change, for needed runs and found_effect */
#define POWER_SHARE 0.10

struct decision_options decision_options__default(void)
{
	return (struct decision_options){
		.alpha = 0.02,
		.min_effect = 0.05,
		.min_points = 0.005,
	};
}

/* ---- setting up ---- */

/* Steps 1 and 2: N of each run, without machine units. */
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

/* Step 4: phi. */
static void measure_phi(struct state *state)
{
	struct decision *decision = state->decision;

	decision->phi = 1;
	decision->phi_source = PHI_NOT_NEEDED;
	if (decision->between_df > 0 || state->input->is_independent)
		return;
	decision->phi = PHI_ASSUMED;
	decision->phi_source = PHI_ASSUMED_BURSTS;
	if (!state->options->phases) {
		if (bursts__estimate(state->input, &decision->phi))
			decision->phi_source = PHI_ESTIMATED;
		return;
	}
	phases__init(&state->phases, state->input);
	if (state->phases.df > 0) {
		decision->phi = state->phases.median;
		decision->phi_source = PHI_BY_UNIT;
	}
}

static int state__init(struct state *state, const struct comparison *input,
		       const struct decision_options *options, struct decision *decision)
{
	*decision = (struct decision){
		.findings = xcalloc(input->nr_units, sizeof(*decision->findings)),
		.nr_units = input->nr_units,
		.changed = xcalloc(input->nr_units, sizeof(*decision->changed)),
	};
	*state = (struct state){
		.input = input,
		.options = options,
		.decision = decision,
		.reference = xcalloc(input->nr_runs, sizeof(*state->reference)),
		.all = xcalloc(input->nr_runs, sizeof(*state->all)),
		.moved = xcalloc(input->nr_units, sizeof(*state->moved)),
	};
	for (size_t u = 0; u < input->nr_units; u++)
		decision->findings[u].rival = SIZE_MAX;
	count_runs(state);
	if (comparison__is_of_rates(input) && decision->between_df == 0)
		return -EINVAL;
	measure_phi(state);
	return 0;
}

/* ---- findings ---- */

/*
 * The floor of a unit. A unit with nearly all samples hardly changes its share, however much slower
 * it becomes, so its floor is large. Rates have no such limit.
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

/* False if some part of base, as long as new, had a share as extreme: then it may be a phase. */
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

/* The runs, and the length of runs, that would decide about an undecided unit. */
static void set_needed(const struct state *state, const struct tested_unit *test,
		       struct finding *finding)
{
	const double nr_base = (double)state->decision->nr_runs[SIDE_BASE];
	const double nr_new = (double)state->decision->nr_runs[SIDE_NEW];
	struct test_rule rule =
		rule_of(state, state__min_effect(state, test->unit), finding->floor_up);
	const struct standing now = {
		.sampling = test->sampling,
		.variance = test->variance,
		/* So many runs on both sides give the variance of these unequal sides. */
		.nr_runs = 2 / (1.0 / nr_base + 1.0 / nr_new),
		.between_df = state->decision->between_df,
	};

	if (test->sums[SIDE_BASE].k > 0 && test->sums[SIDE_NEW].k > 0) {
		/* The change to be found is twice the floor. */
		const double size = log1p(2 * expm1(finding->floor_up));

		rule.margin += test->blur_up;
		rule.floor += test->blur_up;
		finding->needed_runs = needed_runs(&rule, size, &now);
		finding->needed_length = needed_length(&rule, size, &now);
	} else {
		/* A unit that is new or gone needs the runs that find its own change. */
		const struct absent unit = {
			.size = fabs(test->log_ratio),
			.blur = test->log_ratio > 0 ? test->blur_up : test->blur_down,
		};

		finding->needed_runs = needed_runs_absent(&rule, &unit, &now);
		finding->needed_length = needed_length_absent(&rule, &unit, &now);
	}
	/*
	 * A unit that has the runs and is still undecided is near its floor: it needs at least one
	 * run more.
	 */
	finding->needed_runs = fmax(finding->needed_runs, fmax(nr_base, nr_new) + 1);
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
	/* Other units explain the change of a share only if the interval includes no change. */
	finding->share_only &= finding->low <= 1 && finding->high >= 1;
	if (finding->verdict == VERDICT_NOT_ENOUGH)
		set_needed(state, test, finding);
}

/* The mean of L^2 / v over unchanged units: 1 if the assumptions about the variance hold. */
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

/* Sums of an imaginary unit with a tenth of the samples of every run. Returns its G. */
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

	/* If no unit could be tested, as in a program without names, nothing would be found. */
	if (!pass->nr || sums[SIDE_BASE].r < MIN_REFERENCE || sums[SIDE_NEW].r < MIN_REFERENCE)
		return INFINITY;
	s = state->decision->phi * sampling_variance(&sums[SIDE_BASE], &sums[SIDE_NEW]);
	return expm1(found_size(&rule, d > 0 ? moderated_variance(s, g, pass->tau2, d, d)
					     : state__assumed_variance(state, s, g, pass->tau2)));
}

int decision__init(struct decision *decision, const struct comparison *comparison,
		   const struct decision_options *options)
{
	struct pass pass = {0};
	struct state state;
	const int code = state__init(&state, comparison, options, decision);

	if (!code) {
		pass__run_all(&pass, &state);
		decision->nr_tested = pass.nr;
		decision->cv = sqrt(pass.tau2);
		decision->cv_estimated = pass.tau2_estimated;
		for (size_t u = 0; u < decision->nr_units; u++)
			describe_unit(&state, u);
		for (size_t i = 0; i < pass.nr; i++)
			report_test(&state, &pass.tests[i]);
		for (size_t u = 0; u < decision->nr_units; u++)
			decision->nr[decision->findings[u].verdict]++;
		decision->found_effect = found_effect(&state, &pass);
		decision->spread = measure_spread(&state, &pass);
	}
	pass__fini(&pass);
	phases__fini(&state.phases);
	free(state.moved);
	free(state.inside);
	free(state.all);
	free(state.reference);
	return code;
}

void decision__fini(struct decision *decision)
{
	free(decision->changed);
	free(decision->findings);
	*decision = (struct decision){0};
}
