// SPDX-License-Identifier: GPL-2.0-only
#include "run/repetition.h"

#include <errno.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/quote.h"
#include "base/text.h"
#include "diff/run_files.h"

#define MIN_RUNS 3 /* before they say what they can show */

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
		return error__set(err, EXIT_USAGE, -errno, "cannot make the directory %s",
				  quote(&quoted, directory));
	if (has_runs(directory))
		return error__say(err, EXIT_USAGE, -EEXIST,
				  "%s has runs already; remove them, or name another directory",
				  quote(&quoted, directory));
	return 0;
}

static char *path_of(const char *directory, unsigned int run)
{
	char *path;

	return asprintf(&path, "%s/run-%03u.pb.gz", directory, run) < 0 ? NULL : path;
}

/* Each run is on both sides: these, and others like them. */
static int add_runs(struct run_files *files, const char *directory, unsigned int nr_runs,
		    struct error *err)
{
	int code = 0;

	for (unsigned int run = 1; run <= nr_runs && !code; run++) {
		char *path = path_of(directory, run);

		code = path ? run_files__add(files, path, SIDE_BASE, err) : error__no_memory(err);
		if (!code)
			code = run_files__add(files, path, SIDE_NEW, err);
		free(path);
	}
	return code ? code : run_files__read(files, err);
}

static int decide(const struct run_files *files, const struct diff_config *config, double *effect)
{
	const struct match_options options = {.rules = config->names, .machine = config->machine};
	struct run *runs = calloc(files->nr, sizeof(*runs));
	struct decision decision = {0};
	struct match *match = NULL;
	int code = runs ? 0 : -ENOMEM;

	for (size_t i = 0; !code && i < files->nr; i++)
		runs[i] = (struct run){.profile = files->list[i].snapshot.profile,
				       .side = files->list[i].side};
	if (!code)
		code = match__new(&match, runs, files->nr, &options);
	if (!code)
		code = decision__init(&decision, match__comparison(match), &config->decision);
	*effect = decision.found_effect;
	decision__fini(&decision);
	match__free(match);
	free(runs);
	return code;
}

static int find_effect(const char *directory, unsigned int nr_runs, double *effect,
		       struct error *err)
{
	struct run_files files = {0};
	struct diff_config config;
	int code = add_runs(&files, directory, nr_runs, err);

	if (!code) {
		code = diff_config__init(&config);
		if (!code)
			code = decide(&files, &config, effect);
		diff_config__fini(&config);
		if (code)
			code = error__set(err, EXIT_INTERNAL, code, "cannot judge the runs");
	}
	run_files__free(&files);
	return code;
}

/* What a command that failed left is no run of it. */
static int record_one(const struct kept_run_plan *plan, const char *directory, unsigned int run,
		      struct error *err)
{
	char *path = path_of(directory, run);
	int code = path ? kept_run__record(plan, path, err) : error__no_memory(err);

	if (code && path)
		unlink(path);
	free(path);
	return code;
}

static void say_what_would_be_found(const struct repetition_plan *plan, bool is_quiet,
				    unsigned int nr_runs, double effect)
{
	bool is_missed = plan->effect > 0 && 100 * effect > plan->effect;

	if (is_quiet && !is_missed)
		return;
	fprintf(stderr, "topstacks: %u run%s; diff against as many others would find ", nr_runs,
		text__plural(nr_runs));
	if (isfinite(effect))
		fprintf(stderr, "a 10 %% function slower by %.3g %%", 100 * effect);
	else
		fputs("no slowdown of a 10 % function", stderr);
	if (is_missed)
		fprintf(stderr, ", not by %.3g %%; raise --repeat or the rate", plan->effect);
	fputc('\n', stderr);
}

int repetition__record(const struct repetition_plan *plan, const struct kept_run_plan *run,
		       const char *directory, struct error *err)
{
	double effect = INFINITY;
	unsigned int nr = 0;
	int code = prepare(directory, err);

	for (unsigned int i = 0; !code && i < plan->nr_warm_up; i++)
		code = kept_run__record(run, NULL, err);
	while (!code && nr < plan->nr_runs && 100 * effect > plan->effect) {
		code = record_one(run, directory, ++nr, err);
		if (!code && (nr == plan->nr_runs || (plan->effect > 0 && nr >= MIN_RUNS)))
			code = find_effect(directory, nr, &effect, err);
	}
	if (!code)
		say_what_would_be_found(plan, run->is_quiet, nr, effect);
	return code;
}
