// SPDX-License-Identifier: GPL-2.0-only
#include "diff/totals.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "diff/statistics.h"

#define CONFIDENCE 0.95

/* The values of a side, one a run. */
struct side_moments {
	double nr, sum, squares;
};

static void add(struct side_moments *moments, double value)
{
	moments->nr++;
	moments->sum += value;
	moments->squares += value * value;
}

static double mean_of(const struct side_moments *moments)
{
	return moments->nr ? moments->sum / moments->nr : 0;
}

/* Of the mean, relative to it and squared. */
static double error_of(const struct side_moments *moments)
{
	const double mean = mean_of(moments);
	const double variance = (moments->squares - moments->nr * mean * mean) / (moments->nr - 1);

	return fmax(variance, 0) / moments->nr / (mean * mean);
}

/* By the delta method, with Welch's degrees of freedom. */
static void compare_means(const struct side_moments *sides, struct totals *totals)
{
	const struct side_moments *base = &sides[SIDE_BASE], *new = &sides[SIDE_NEW];
	double ratio, b, n, df;

	totals->change = totals->half = NAN;
	if (!(mean_of(base) > 0 && mean_of(new) > 0))
		return;
	ratio = mean_of(new) / mean_of(base);
	totals->change = ratio - 1;
	if (base->nr < 2 || new->nr < 2)
		return;
	b = error_of(base);
	n = error_of(new);
	df = b + n > 0 ? (b + n) * (b + n) / (b * b / (base->nr - 1) + n * n / (new->nr - 1))
		       : INFINITY;
	totals->half = ratio * sqrt(b + n) * student__quantile((1 + CONFIDENCE) / 2, df);
}

/* 0: its weights are no CPU time. */
static double cpu_ns_of(const struct profile *profile)
{
	const struct metric *weight = &profile__metrics(profile)->of[VALUE_WEIGHT];
	const bool is_time = weight->unit && !strcmp(weight->unit, "nanoseconds");

	return is_time ? (double)profile__total(profile, VALUE_WEIGHT) : 0;
}

struct totals totals__of(const struct run_files *files)
{
	struct side_moments samples[SIDES] = {0}, cpu_ns[SIDES] = {0};
	struct totals totals = {0};
	bool has_time = true;

	for (size_t i = 0; i < files->nr; i++) {
		const struct profile *profile = files->list[i].recording.profile;
		const uint64_t nr = profile__total(profile, VALUE_COUNT);

		if (!nr)
			continue;
		add(&samples[files->list[i].side], (double)nr);
		add(&cpu_ns[files->list[i].side], cpu_ns_of(profile));
		has_time &= cpu_ns_of(profile) > 0;
	}
	for (enum side side = 0; side < SIDES; side++) {
		totals.samples[side] = mean_of(&samples[side]);
		totals.cpu_ns[side] = has_time ? mean_of(&cpu_ns[side]) : 0;
	}
	compare_means(has_time ? cpu_ns : samples, &totals);
	return totals;
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
