// SPDX-License-Identifier: GPL-2.0-only
#include "run/repetition.h"

#include <errno.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/destination.h"
#include "base/files.h"
#include "base/numbers.h"
#include "base/quote.h"
#include "diff/compare.h"

#define MIN_RUNS 3 /* before it is worth while to ask what they can show */

static bool has_runs(const char *directory)
{
	char *pattern = files__pattern(directory, "run-*");
	glob_t found = {0};
	int code;

	if (!pattern)
		return false;
	code = glob(pattern, GLOB_NOSORT, NULL, &found);
	globfree(&found);
	free(pattern);
	return !code;
}

static int prepare(const char *directory, struct error *err)
{
	struct quoted quoted;

	if (mkdir(directory, 0777) && errno != EEXIST)
		return error__set(err, destination__exit_code(-errno), -errno,
				  "cannot make the directory %s", quote(&quoted, directory));
	if (has_runs(directory))
		return error__say(err, EXIT_USAGE, -EEXIST,
				  "%s has runs already; remove them, or name another directory",
				  quote(&quoted, directory));
	return 0;
}

static char *path_of(const char *directory, unsigned int run)
{
	const char *slash = directory[strlen(directory) - 1] == '/' ? "" : "/";
	char *path;

	return asprintf(&path, "%s%srun-%03u.pb.gz", directory, slash, run) < 0 ? NULL : path;
}

static int take_effect(void *context, const struct diff_report *report, struct error *err)
{
	(void)err;
	*(double *)context = report->decision->found_effect;
	return 0;
}

/* Each run is on both sides, as if others like it were on the other. */
static int decide(const struct run_files *files, const struct diff_config *config, double *effect,
		  struct error *err)
{
	static const struct rates shares = {.per = PER_SHARE};
	static const struct diff_report report;
	struct run *runs = calloc(files->nr, 2 * sizeof(*runs));
	int code;

	if (!runs)
		return error__no_memory(err);
	for (size_t i = 0; i < files->nr; i++) {
		runs[i] = runs[files->nr + i] = compare__run(files, i, &shares);
		runs[files->nr + i].side = SIDE_NEW;
	}
	code = compare__decide(runs, 2 * files->nr, MATCH_FUNCTIONS, config, &report, take_effect,
			       effect, err);
	free(runs);
	return code;
}

/*
 * The smallest slowdown (of 1) of a function of 10 % that diff would find with 80 % if these runs
 * were compared with as many others like them. INFINITY: none. 0 or negative errno.
 */
static int find_effect(struct run_files *files, double *effect, struct error *err)
{
	struct diff_config config;
	int code = run_files__read(files, err);

	if (code)
		return code;
	code = diff_config__init(&config) ? error__no_memory(err)
					  : decide(files, &config, effect, err);
	diff_config__fini(&config);
	return code;
}

/* The file of a command that failed is removed: it is no run like the others. */
static int record_one(const struct kept_run_plan *plan, const char *directory, unsigned int run,
		      struct run_files *files, struct error *err)
{
	char *path = path_of(directory, run);
	int code = path ? kept_run__record(plan, path, err) : error__no_memory(err);

	if (code && path)
		unlink(path);
	if (!code)
		code = run_files__add(files, path, SIDE_BASE, err);
	free(path);
	return code;
}

static void say_what_would_be_found(const struct repetition_plan *plan, bool is_quiet,
				    unsigned int nr_runs, double effect)
{
	bool is_missed = plan->effect > 0 && 100 * effect > plan->effect;
	char percent[ROUNDED_SIZE];

	if (is_quiet && !is_missed)
		return;
	fprintf(stderr, "topstacks: %u run%s; diff against as many others would find ", nr_runs,
		text__plural(nr_runs));
	if (isfinite(effect))
		fprintf(stderr, "a 10 %% function slower by %s %%",
			text__format_rounded(percent, 3, 100 * effect));
	else
		fputs("no slowdown of a 10 % function", stderr);
	if (is_missed)
		fprintf(stderr, ", not by %.3g %%; raise --repeat or the rate", plan->effect);
	fputc('\n', stderr);
}

int repetition__record(const struct repetition_plan *plan, const struct kept_run_plan *run,
		       const char *directory, struct error *err)
{
	struct run_files files = {0};
	double effect = INFINITY;
	unsigned int nr = 0;
	int code = prepare(directory, err);

	for (unsigned int i = 0; !code && i < plan->nr_warm_up; i++)
		code = kept_run__record(run, NULL, err);
	while (!code && nr < plan->nr_runs && 100 * effect > plan->effect) {
		code = record_one(run, directory, ++nr, &files, err);
		if (!code && (nr == plan->nr_runs || (plan->effect > 0 && nr >= MIN_RUNS)))
			code = find_effect(&files, &effect, err);
	}
	if (!code)
		say_what_would_be_found(plan, run->is_quiet, nr, effect);
	run_files__free(&files);
	return code;
}
