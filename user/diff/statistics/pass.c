// SPDX-License-Identifier: GPL-2.0-only
/*
 * From counts to probabilities. For any counts all shares, variances and probabilities are finite:
 * 1/2 is added to avoid division by 0, and counts are subtracted before they are rounded to
 * doubles.
 */
#include "diff/statistics/pass.h"

#include <math.h>

#define ASSUMED_CV	0.05 /* between runs, if it cannot be estimated */
#define MIN_RUN_SAMPLES 10   /* a run, on average, for a unit to count in the estimate of tau */

/* ---- counts ---- */

bool unit__is_reference(const struct unit *unit)
{
	return unit->kind == UNIT_SELF && !unit->machine;
}

static double run_samples(const struct state *state, size_t unit, size_t run)
{
	return (double)state->input->units[unit].counts[run];
}

/* r of steps 2 and 3: samples of the reference outside of the unit. */
static double run_outside(const struct state *state, size_t unit, size_t run)
{
	const struct unit *u = &state->input->units[unit];
	wide samples = state->reference[run];

	if (u->machine)
		return (double)samples;
	if (state->inside)
		samples += state->inside[unit * state->input->nr_runs + run];
	return samples > u->counts[run] ? (double)(samples - u->counts[run]) : 0;
}

/* The denominator of a run's count: all samples, or the run's time or work. */
static double run_exposure(const struct state *state, size_t unit, size_t run)
{
	if (comparison__is_of_rates(state->input))
		return state->input->runs[run].divisor;
	return run_samples(state, unit, run) + run_outside(state, unit, run);
}

bool state__is_empty_run(const struct state *state, size_t run)
{
	return state->all[run] == 0;
}

double state__share(const struct state *state, enum side side, double samples)
{
	return (samples + 0.5) / (state->decision->samples[side] + 1);
}

void state__sum_runs(const struct state *state, size_t unit, struct side_sums sums[SIDES])
{
	memset(sums, 0, SIDES * sizeof(*sums));
	for (enum side side = 0; side < SIDES; side++)
		sums[side].rate = comparison__is_of_rates(state->input);
	for (size_t run = 0; run < state->input->nr_runs; run++) {
		struct side_sums *sum = &sums[state->input->runs[run].side];

		if (state__is_empty_run(state, run))
			continue;
		sum->k += run_samples(state, unit, run);
		sum->r += run_outside(state, unit, run);
		sum->t += run_exposure(state, unit, run);
	}
}

/* G: the factor of tau^2, which is 1/R_b + 1/R_n for runs of equal length. */
static double between_weight(const struct state *state, size_t unit, const struct side_sums *sums)
{
	double g = 0;

	for (size_t run = 0; run < state->input->nr_runs; run++) {
		double part = run_exposure(state, unit, run) / sums[state->input->runs[run].side].t;

		if (!state__is_empty_run(state, run))
			g += part * part;
	}
	return g;
}

/* ---- one pass ---- */

double state__min_effect(const struct state *state, size_t unit)
{
	double own = state->input->units[unit].min_effect;

	return own > 0 ? own : state->options->min_effect;
}

/* Step 2. */
enum untested state__why_untested(const struct state *state, size_t unit,
				  const struct side_sums sums[SIDES])
{
	const struct decision *decision = state->decision;
	double shares = 0;

	if (state->input->units[unit].machine)
		return UNTESTED_MACHINE;
	if (!decision->nr_runs[SIDE_BASE] || !decision->nr_runs[SIDE_NEW])
		return UNTESTED_EMPTY_SIDE;
	/*
	 * The share of all samples would hide a function that is new in a single run compared with
	 * many old ones.
	 */
	for (enum side side = 0; side < SIDES; side++)
		shares += state__share(state, side, sums[side].k);
	if (shares / SIDES < state->options->min_points / 2)
		return UNTESTED_SMALL;
	if (!comparison__is_of_rates(state->input) &&
	    (sums[SIDE_BASE].r < MIN_REFERENCE || sums[SIDE_NEW].r < MIN_REFERENCE))
		return UNTESTED_NO_REFERENCE;
	return TESTED;
}

/* The growth of a unit, as a log ratio, if it gets this additional part of all samples. */
static double shift_of(const struct state *state, enum side side, double samples, double part)
{
	double share = state__share(state, side, samples);

	if (!comparison__is_of_rates(state->input))
		return odds_shift(share, part);
	return part > 0 ? log1p(part / share) : 0;
}

static void choose_tests(const struct state *state, struct pass *pass)
{
	const double *incomplete = state->decision->incomplete;
	const double more = incomplete[SIDE_BASE] - incomplete[SIDE_NEW];

	pass->tests = xcalloc(state->input->nr_units, sizeof(*pass->tests));
	for (size_t u = 0; u < state->input->nr_units; u++) {
		struct tested_unit *test = &pass->tests[pass->nr];
		const struct side_sums *base = &test->sums[SIDE_BASE], *new = &test->sums[SIDE_NEW];
		double variance;

		state__sum_runs(state, u, test->sums);
		if (state__why_untested(state, u, test->sums) != TESTED)
			continue;
		variance = sampling_variance(base, new);
		if (state->phases.df > 0)
			variance = fmax(variance, null_variance(base, new));
		test->unit = u;
		test->g = between_weight(state, u, test->sums);
		test->log_ratio = log_ratio(base, new);
		test->sampling = state__phi(state, u) * variance;
		/*
		 * Step 6: a sample whose stack lacks callers is missing in their totals. If one
		 * side has more such samples, its totals may seem smaller by that much at most.
		 */
		if (state->input->units[u].kind == UNIT_TOTAL) {
			test->blur_up = shift_of(state, SIDE_BASE, base->k, more);
			test->blur_down = shift_of(state, SIDE_NEW, new->k, -more);
		}
		pass->nr++;
	}
}

static size_t list_deviations(const struct state *state, const struct tested_unit *test,
			      struct deviation *deviations)
{
	size_t nr = 0;

	for (size_t run = 0; run < state->input->nr_runs; run++) {
		if (state__is_empty_run(state, run))
			continue;
		deviations[nr++] = run_deviation(run_samples(state, test->unit, run),
						 run_exposure(state, test->unit, run),
						 &test->sums[state->input->runs[run].side]);
	}
	return nr;
}

/*
 * Step 5: estimates one tau^2 for all self units with enough samples. Totals would count samples
 * twice, and a total with nearly all samples is as unsteady as the small rest.
 */
static void estimate_tau2(const struct state *state, struct pass *pass)
{
	const struct decision *decision = state->decision;
	double nr_runs = (double)(decision->nr_runs[SIDE_BASE] + decision->nr_runs[SIDE_NEW]);
	struct deviation *deviations;
	size_t nr = 0, nr_units = 0;

	pass->tau2 = ASSUMED_CV * ASSUMED_CV;
	if (decision->between_df == 0)
		return;
	deviations = xcalloc(pass->nr * state->input->nr_runs, sizeof(*deviations));
	for (size_t i = 0; i < pass->nr; i++) {
		const struct tested_unit *test = &pass->tests[i];

		if (!unit__is_reference(&state->input->units[test->unit]) ||
		    test->sums[SIDE_BASE].k + test->sums[SIDE_NEW].k < MIN_RUN_SAMPLES * nr_runs)
			continue;
		nr += list_deviations(state, test, deviations + nr);
		nr_units++;
	}
	pass->tau2_estimated = nr_units > 0;
	if (nr_units)
		pass->tau2 = run_variance(deviations, nr, decision->between_df * (double)nr_units);
	free(deviations);
}

struct variance state__assumed_variance(const struct state *state, double sampling, double g,
					double tau2)
{
	return state->phases.df > 0 ? phases_variance(sampling, state->phases.df, g, tau2)
				    : assumed_variance(sampling, g, tau2);
}

/*
 * Steps 4 and 5: the variance and degrees of freedom of each unit, and the clearness of its change,
 * which is lower for a unit with more variance between runs than others.
 */
static void set_variances(const struct state *state, struct pass *pass)
{
	double d = state->decision->between_df;
	struct deviation *deviations = xcalloc(state->input->nr_runs, sizeof(*deviations));

	for (size_t i = 0; i < pass->nr; i++) {
		struct tested_unit *test = &pass->tests[i];
		const double between = test->g * pass->tau2;

		if (d > 0) {
			size_t nr = list_deviations(state, test, deviations);
			double chi2 = chi_square(deviations, nr, pass->tau2);

			test->variance =
				moderated_variance(test->sampling, test->g, pass->tau2, chi2, d);
		} else {
			test->variance =
				state__assumed_variance(state, test->sampling, test->g, pass->tau2);
		}
		test->score = change_score(&test->sums[SIDE_BASE], &test->sums[SIDE_NEW],
					   state__phi(state, test->unit), between) /
			      sqrt(test->variance.v / (test->sampling + between));
	}
	free(deviations);
}

/* Step 6: the probabilities, corrected for the number of tests. */
static void set_probabilities(const struct state *state, struct pass *pass)
{
	double *up = xcalloc(3 * pass->nr, sizeof(*up));
	double *down = up + pass->nr, *any = down + pass->nr;

	for (size_t i = 0; i < pass->nr; i++) {
		const struct tested_unit *test = &pass->tests[i];
		double margin = test_margin(state__min_effect(state, test->unit));
		double sigma = sqrt(test->variance.v), df = test->variance.df;

		up[i] = student__upper((test->log_ratio - test->blur_up - margin) / sigma, df);
		down[i] = student__upper((-test->log_ratio - test->blur_down - margin) / sigma, df);
		any[i] = fmin(1, 2 * student__upper(fabs(test->log_ratio) / sigma, df));
	}
	holm__adjust(up, pass->nr, up);
	holm__adjust(down, pass->nr, down);
	holm__adjust(any, pass->nr, any);
	for (size_t i = 0; i < pass->nr; i++) {
		pass->tests[i].p_up = up[i];
		pass->tests[i].p_down = down[i];
		pass->tests[i].p_any = any[i];
	}
	free(up);
}

void pass__fini(struct pass *pass)
{
	free(pass->tests);
	*pass = (struct pass){0};
}

void pass__run(struct pass *pass, const struct state *state)
{
	pass__fini(pass);
	choose_tests(state, pass);
	estimate_tau2(state, pass);
	set_variances(state, pass);
	set_probabilities(state, pass);
}
