// SPDX-License-Identifier: GPL-2.0-only
#include "diff/totals.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "diff/ranks.h"
#include "diff/statistics.h"

#define CONFIDENCE 0.95

/* Means that are known less well than this tell little about functions, which differ by less. */
#define STEADY 0.10

/*
 * A change of all functions alike is one more question beside that of which function changed, and
 * the machine causes it more often: a burst on a shared core lasts for several runs.
 */
static double rank_alpha(const struct decision_options *options)
{
	return options->alpha / 2;
}

static double mean_of(const struct run_values *side)
{
	double sum = 0;

	for (size_t i = 0; i < side->nr; i++)
		sum += side->values[i];
	return side->nr ? sum / (double)side->nr : 0;
}

/* Of one value, relative to the mean and squared. */
static double variance_of(const struct run_values *side)
{
	const double mean = mean_of(side);
	double squares = 0;

	for (size_t i = 0; i < side->nr; i++)
		squares += (side->values[i] - mean) * (side->values[i] - mean);
	return squares / (double)(side->nr - 1) / (mean * mean);
}

/* By the delta method, with Welch's degrees of freedom. */
static void compare_means(const struct run_values *sides, struct totals *totals)
{
	const struct run_values *base = &sides[SIDE_BASE], *new = &sides[SIDE_NEW];
	double ratio, b, n, df;

	totals->change = totals->half = NAN;
	if (!(mean_of(base) > 0 && mean_of(new) > 0))
		return;
	ratio = mean_of(new) / mean_of(base);
	totals->change = ratio - 1;
	if (base->nr < 2 || new->nr < 2)
		return;
	b = variance_of(base) / (double)base->nr;
	n = variance_of(new) / (double)new->nr;
	df = b + n > 0 ? (b + n) * (b + n) /
				 (b * b / (double)(base->nr - 1) + n * n / (double)(new->nr - 1))
		       : INFINITY;
	totals->half = ratio * sqrt(b + n) * student__quantile((1 + CONFIDENCE) / 2, df);
}

static void compare_ranks(const struct run_values *sides, const struct decision_options *options,
			  struct totals *totals)
{
	const struct run_values *base = &sides[SIDE_BASE], *new = &sides[SIDE_NEW];
	const double margin = exp(test_margin(options->min_effect));

	totals->ratio = totals->p_up = totals->p_down = NAN;
	if (!base->nr || !new->nr)
		return;
	totals->ratio = ranks__ratio(base, new);
	totals->p_up = ranks__p_above(base, new, margin);
	totals->p_down = ranks__p_above(new, base, margin);
}

/* A side without runs is taken to be like the other. */
static bool need_ranks(const struct run_values *sides, const struct decision_options *options)
{
	const struct run_values *base = &sides[sides[SIDE_BASE].nr ? SIDE_BASE : SIDE_NEW];
	const struct run_values *new = &sides[sides[SIDE_NEW].nr ? SIDE_NEW : SIDE_BASE];
	double error, df;

	if (base->nr < 2 || new->nr < 2 || !ranks__suffice(base->nr, new->nr, rank_alpha(options)))
		return false;
	error = variance_of(base) / (double)base->nr + variance_of(new) / (double)new->nr;
	df = (double)(base->nr + new->nr - 2);
	return sqrt(error) * student__quantile((1 + CONFIDENCE) / 2, df) > STEADY;
}

/* 0: its weights are no CPU time. */
static double cpu_ns_of(const struct profile *profile)
{
	const struct metric *weight = &profile__metrics(profile)->of[VALUE_WEIGHT];
	const bool is_time = weight->unit && !strcmp(weight->unit, "nanoseconds");

	return is_time ? (double)profile__total(profile, VALUE_WEIGHT) : 0;
}

static bool all_have_time(const struct run_files *files)
{
	for (size_t i = 0; i < files->nr; i++) {
		const struct profile *profile = files->list[i].recording.profile;

		if (profile__total(profile, VALUE_COUNT) && !(cpu_ns_of(profile) > 0))
			return false;
	}
	return true;
}

/* What each run with samples took: CPU time if all say it, else samples. 0 or -ENOMEM; then free. */
static int list_runs(const struct run_files *files, bool by_time, struct run_values *sides)
{
	for (enum side side = 0; side < SIDES; side++) {
		sides[side] = (struct run_values){.values = calloc(files->nr + 1, sizeof(double))};
		if (!sides[side].values)
			return -ENOMEM;
	}
	for (size_t i = 0; i < files->nr; i++) {
		const struct profile *profile = files->list[i].recording.profile;
		struct run_values *side = &sides[files->list[i].side];
		const double nr = (double)profile__total(profile, VALUE_COUNT);

		if (nr > 0)
			side->values[side->nr++] = by_time ? cpu_ns_of(profile) : nr;
	}
	return 0;
}

static void free_runs(struct run_values *sides)
{
	for (enum side side = 0; side < SIDES; side++)
		free(sides[side].values);
}

void totals__compare(struct totals *totals, const struct run_values *sides,
		     const struct decision_options *options)
{
	compare_means(sides, totals);
	compare_ranks(sides, options, totals);
	totals->need_ranks = need_ranks(sides, options);
}

int totals__init(struct totals *totals, const struct run_files *files,
		 const struct decision_options *options)
{
	const bool has_time = all_have_time(files);
	struct run_values samples[SIDES] = {0}, taken[SIDES] = {0};
	int err = list_runs(files, false, samples);

	*totals = (struct totals){0};
	if (!err)
		err = list_runs(files, has_time, taken);
	for (enum side side = 0; side < SIDES && !err; side++) {
		totals->samples[side] = mean_of(&samples[side]);
		totals->cpu_ns[side] = has_time ? mean_of(&taken[side]) : 0;
	}
	if (!err)
		totals__compare(totals, taken, options);
	free_runs(samples);
	free_runs(taken);
	return err;
}

void totals__judge(struct totals *totals, const struct decision_options *options)
{
	const double alpha = rank_alpha(options), change = log(totals->ratio);
	const double floor = log1p(options->min_effect);

	totals->verdict = VERDICT_NOT_ENOUGH;
	if (totals->p_up <= alpha && change >= floor)
		totals->verdict = VERDICT_REGRESSED;
	else if (totals->p_down <= alpha && -change >= floor)
		totals->verdict = VERDICT_IMPROVED;
}

/* ---- in words ---- */

static void print_change(FILE *out, const struct totals *totals)
{
	char half[ROUNDED_SIZE];

	if (isnan(totals->change))
		return;
	fprintf(out, ", %+.1f %%", 100 * totals->change);
	if (!isnan(totals->half))
		fprintf(out, " ± %s", text__format_rounded(half, 2, 100 * totals->half));
}

void totals__print(FILE *out, const struct totals *totals, const char *noun)
{
	char base[32], new[32];

	if (totals->cpu_ns[SIDE_BASE] > 0) {
		text__format_duration(base, sizeof(base), (uint64_t)totals->cpu_ns[SIDE_BASE]);
		text__format_duration(new, sizeof(new), (uint64_t)totals->cpu_ns[SIDE_NEW]);
		fprintf(out, "CPU time a run: %s → %s", base, new);
		print_change(out, totals);
		fputs("; ", out);
	}
	text__format_count(base, sizeof(base), (uint64_t)llrint(totals->samples[SIDE_BASE]));
	text__format_count(new, sizeof(new), (uint64_t)llrint(totals->samples[SIDE_NEW]));
	fprintf(out, "%s a run: %s → %s", noun, base, new);
	if (!(totals->cpu_ns[SIDE_BASE] > 0))
		print_change(out, totals);
	fputc('\n', out);
}
