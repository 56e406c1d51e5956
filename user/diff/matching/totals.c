// SPDX-License-Identifier: GPL-2.0-only
#include "diff/matching/totals.h"

#include <math.h>

#include "diff/matching/byte_counts.h"

static bool weighs(const struct profile *profile, const char *name, const char *unit)
{
	const struct metric *weight = &profile__metrics(profile)->of[VALUE_WEIGHT];

	return weight->name && (!name || !strcmp(weight->name, name)) &&
	       !strcmp(weight->unit, unit);
}

/*
 * The consumption of a run: CPU time or bytes. 0: its weights are not what samples stand for, but
 * the time of waits, for instance.
 */
static double taken_by(const struct profile *profile)
{
	return weighs(profile, "cpu", "nanoseconds") ||
			       byte_counts__are_made(profile__metrics(profile))
		       ? (double)profile__total(profile, VALUE_WEIGHT)
		       : 0;
}

/* The number of events: of sampled events the number that the samples stand for. */
static double nr_of(const struct profile *profile)
{
	const bool stands_for_more = weighs(profile, NULL, "events");

	return (double)profile__total(profile, stands_for_more ? VALUE_WEIGHT : VALUE_COUNT);
}

/* The metric of what runs took. NULL: some run lacks it. */
static const struct metric *find_taken(const struct run_files *files)
{
	const struct metric *metric = NULL;

	for (size_t i = 0; i < files->nr; i++) {
		const struct profile *profile = files->list[i].recording.profile;

		if (profile__total(profile, VALUE_COUNT) && !(taken_by(profile) > 0))
			return NULL;
		if (taken_by(profile) > 0)
			metric = &profile__metrics(profile)->of[VALUE_WEIGHT];
	}
	return metric;
}

/* Lists value_of() each run with samples. free_runs() frees it. */
static void list_runs(const struct run_files *files, double (*value_of)(const struct profile *),
		      struct run_values *sides)
{
	for (enum side side = 0; side < SIDES; side++)
		sides[side] = (struct run_values){.values = xcalloc(files->nr, sizeof(double))};
	for (size_t i = 0; i < files->nr; i++) {
		const struct profile *profile = files->list[i].recording.profile;
		struct run_values *side =
			&sides[files->list[i].side == SIDE_BASE ? SIDE_BASE : SIDE_NEW];

		if (nr_of(profile) > 0)
			side->values[side->nr++] = value_of(profile);
	}
}

static void free_runs(struct run_values *sides)
{
	for (enum side side = 0; side < SIDES; side++)
		free(sides[side].values);
}

static double weight_of(const struct profile *profile)
{
	return (double)profile__total(profile, VALUE_WEIGHT);
}

void totals__init(struct totals *totals, const struct run_files *files,
		  const struct decision_options *options)
{
	const struct metric *metric = find_taken(files);
	struct run_values samples[SIDES], taken[SIDES], weights[SIDES];

	*totals = (struct totals){.taken_metric = metric};
	/* Files without a duration, as folded text, count as whole runs. */
	for (size_t i = 0; i < files->nr; i++)
		totals->end_by_time |= files->list[i].recording.duration_ns &&
				       !files->list[i].recording.is_whole_run;
	list_runs(files, nr_of, samples);
	list_runs(files, metric ? taken_by : nr_of, taken);
	for (enum side side = 0; side < SIDES; side++) {
		totals->samples[side] = run_values__mean(&samples[side]);
		totals->taken[side] = metric ? run_values__mean(&taken[side]) : 0;
	}
	/* Sums up weights that are not judged. */
	for (size_t i = 0; i < files->nr && !totals->weight; i++)
		if (run_file__has_unjudged_weights(&files->list[i]))
			totals->weight = &profile__metrics(files->list[i].recording.profile)
						  ->of[VALUE_WEIGHT];
	if (totals->weight) {
		list_runs(files, weight_of, weights);
		for (enum side side = 0; side < SIDES; side++)
			totals->weights[side] = run_values__mean(&weights[side]);
		free_runs(weights);
	}
	totals__compare(totals, taken, options);
	free_runs(samples);
	free_runs(taken);
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
	const struct metric *taken = totals->taken[SIDE_BASE] > 0 ? totals->taken_metric : NULL;
	char base[32], new[32];

	if (taken) {
		/* Other files may call a metric anything: only known ones have a title. */
		const char *title = metric__named(taken->name, taken->unit).title;

		metric__format(taken, (uint64_t)totals->taken[SIDE_BASE], base, sizeof(base));
		metric__format(taken, (uint64_t)totals->taken[SIDE_NEW], new, sizeof(new));
		fprintf(out, "%s a run: %s → %s", title ? title : "bytes", base, new);
		print_change(out, totals);
		fputs("; ", out);
	}
	text__format_count(base, sizeof(base), (uint64_t)llrint(totals->samples[SIDE_BASE]));
	text__format_count(new, sizeof(new), (uint64_t)llrint(totals->samples[SIDE_NEW]));
	fprintf(out, "%s a run: %s → %s", noun, base, new);
	if (!taken)
		print_change(out, totals);
	fputc('\n', out);
}

void totals__print_weights(FILE *out, const struct totals *totals, const char *noun)
{
	struct quoted quoted;
	char weights[SIDES][64];

	if (!totals->weight)
		return;
	for (enum side side = 0; side < SIDES; side++)
		metric__format(totals->weight, (uint64_t)llrint(totals->weights[side]),
			       weights[side], sizeof(weights[side]));
	fprintf(out,
		"compared are counts of %s; their weight is not judged, as nothing tells how "
		"much "
		"of it is chance: %s → %s",
		noun, weights[SIDE_BASE], weights[SIDE_NEW]);
	if (!metric__brings_unit(totals->weight))
		fprintf(out, " %s", quote__noun(&quoted, metric__noun(totals->weight)));
	fputs(" a run\n", out);
}
