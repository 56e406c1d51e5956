// SPDX-License-Identifier: GPL-2.0-only
#include "actions/repeat.h"

#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files.h"
#include "base/output/destination.h"
#include "base/system/rights.h"
#include "diff/compare.h"

#define MIN_RUNS 3 /* needed before judging what the runs can show */

/*
 * Makes the directory of the runs, in which there must be none yet. 0, or negative errno with err
 * filled.
 */
static int prepare(const char *directory, struct error *err)
{
	struct quoted quoted;
	glob_t found = {0};
	char *pattern;
	bool has_runs;

	if (mkdir(directory, 0777) && errno != EEXIST)
		return error__set(err, destination__exit_code(-errno), -errno,
				  "cannot make the directory %s", quote(&quoted, directory));
	pattern = files__pattern(directory, "run-*");
	has_runs = !glob(pattern, GLOB_NOSORT, NULL, &found);
	globfree(&found);
	free(pattern);
	if (has_runs)
		return error__say(err, EXIT_USAGE, -EEXIST,
				  "%s has runs already; remove them, or name another directory",
				  quote(&quoted, directory));
	return 0;
}

static char *path_of(const char *directory, unsigned int run)
{
	char name[32];

	snprintf(name, sizeof(name), "run-%03u.pb.gz", run);
	return files__join(directory, name);
}

/* ---- a process for each step ---- */

struct step {
	int (*make)(const struct step *step, double *effect, struct error *err);
	const struct record_plan *run;
	const char *directory, *path; /* of the runs; of this run's file, or NULL */
	unsigned int nr_runs;	      /* in the directory */
};

struct step_end {
	int code;
	struct error err;
	double effect;
};

__attribute__((noreturn)) static void make_step(const struct step *step, int out, pid_t parent)
{
	struct step_end end = {.effect = INFINITY};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	end.code = step->make(step, &end.effect, &end.err);
	if (write(out, &end, sizeof(end)) != sizeof(end))
		_exit(1);
	_exit(0);
}

/*
 * Waits for the process of the step. Passes on signals that were sent to us alone; signals of the
 * terminal reach it by themselves.
 */
static int run_step(const struct step *step, const int *ends, struct step_end *end)
{
	const pid_t parent = getpid();
	sigset_t signals, before;
	siginfo_t info;
	int code = 0, last = 0;
	pid_t pid;

	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, &before);
	pid = fork();
	if (pid < 0)
		code = -errno;
	if (pid == 0) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		make_step(step, ends[1], parent);
	}
	close(ends[1]);
	while (pid > 0 && !waitpid(pid, NULL, WNOHANG)) {
		if (sigwaitinfo(&signals, &info) < 0 || info.si_signo == SIGCHLD)
			continue;
		last = info.si_signo;
		if (info.si_code != SI_KERNEL)
			kill(pid, last);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (!code && read(ends[0], end, sizeof(*end)) != sizeof(*end)) {
		*end = (struct step_end){0};
		code = last ? 0 : -ECHILD;
	}
	if (!end->code && last) /* a signal disturbed the run, so the series is over */
		end->code = 128 + last;
	return code;
}

/*
 * Makes a step in a child that gives up its rights for good. We keep ours for the next child, and
 * read no untrusted file.
 */
static int apart(const struct step *step, double *effect, struct error *err)
{
	struct step_end end = {0};
	int ends[2];
	int code = pipe2(ends, O_CLOEXEC) ? -errno : 0;

	if (!code) {
		code = run_step(step, ends, &end);
		close(ends[0]);
	}
	if (code == -ECHILD)
		return error__say(err, EXIT_CANCELED, code, "the process of a run was killed");
	if (code)
		return error__set(err, EXIT_CANCELED, code, "cannot start the process of a run");
	*effect = end.effect;
	*err = end.err;
	err->text[sizeof(err->text) - 1] = '\0';
	return end.code;
}

/* ---- the work of a step ---- */

static int record(const struct step *step, double *effect, struct error *err)
{
	(void)effect;
	return record__run(step->run, step->path, err);
}

static int take_effect(void *context, const struct diff_report *report, struct error *err)
{
	(void)err;
	*(double *)context = report->decision->found_effect;
	return 0;
}

/*
 * Compares the runs with themselves: each is on both sides, as a stand-in for another run like it.
 */
static int decide(const struct run_files *files, const struct diff_config *config, double *effect,
		  struct error *err)
{
	static const struct diff_report report;
	struct run *runs;
	struct rates rates = {0};
	struct totals totals;
	int code;

	totals__init(&totals, files, &config->decision);
	runs = xcalloc(files->nr, 2 * sizeof(*runs));
	rates.per = compare__per(PER_AUTO, files, &totals);
	for (size_t i = 0; i < files->nr; i++) {
		runs[i] = runs[files->nr + i] = compare__run(files, i, &rates);
		runs[files->nr + i].side = SIDE_NEW;
	}
	code = compare__decide(runs, 2 * files->nr, MATCH_FUNCTIONS, config, &report, take_effect,
			       effect, err);
	free(runs);
	return code;
}

/*
 * Finds the smallest slowdown (as a share, 1 = 100 %) of a function of 10 % that diff would find
 * with a probability of 80 % if these runs were compared with as many others like them. INFINITY:
 * none. 0 or negative errno.
 */
static int find_effect(const struct step *step, double *effect, struct error *err)
{
	struct run_files files = {0};
	struct diff_config config;
	int code = 0;

	rights__give_up();
	for (unsigned int run = 1; !code && run <= step->nr_runs; run++) {
		char *path = path_of(step->directory, run);

		code = run_files__add(&files, path, SIDE_BASE, err);
		free(path);
	}
	if (!code)
		code = run_files__read(&files, err);
	if (!code) {
		diff_config__init(&config);
		code = decide(&files, &config, effect, err);
		diff_config__fini(&config);
	}
	run_files__free(&files);
	return code;
}

/* ---- the series ---- */

/* Makes one run. Removes its file if the command failed, as that run is not like the others. */
static int record_one(const struct record_plan *plan, const char *directory, unsigned int run,
		      struct error *err)
{
	char *path = path_of(directory, run);
	const struct step step = {.make = record, .run = plan, .path = path};
	double effect;
	int code = apart(&step, &effect, err);

	if (code && !unlink(path) && code > 0)
		fprintf(stderr, "topstacks: run %u is not kept: it ended with status %d\n", run,
			code);
	free(path);
	return code;
}

static void say_what_would_be_found(const struct repeat_plan *plan, bool is_quiet,
				    unsigned int nr_runs, double effect)
{
	bool is_missed = plan->effect > 0 && 100 * effect > plan->effect;
	char percent[ROUNDED_SIZE];

	if (is_quiet && !is_missed)
		return;
	fprintf(stderr, "topstacks: %u run%s; in diff against as many others, ", nr_runs,
		text__plural(nr_runs));
	if (isfinite(effect))
		fprintf(stderr,
			"a function with 10 %% of the samples must become %s %% slower to be found",
			text__format_rounded(percent, 2, 100 * effect));
	else
		fputs("no slowdown of a function with 10 % of the samples would be found", stderr);
	if (is_missed)
		fprintf(stderr, ", more than the %s %% of --effect; raise --repeat or the rate",
			text__format_rounded(percent, 3, plan->effect));
	fputc('\n', stderr);
}

int repeat__run(const struct repeat_plan *plan, const struct record_plan *run,
		const char *directory, struct error *err)
{
	const struct step warm_up = {.make = record, .run = run};
	struct step judge = {.make = find_effect, .directory = directory};
	double effect = INFINITY;
	unsigned int nr = 0;
	int code = prepare(directory, err);

	rights__hide_memory();
	for (unsigned int i = 0; !code && i < plan->nr_warm_up; i++)
		code = apart(&warm_up, &effect, err);
	while (!code && nr < plan->nr_runs && 100 * effect > plan->effect) {
		code = record_one(run, directory, ++nr, err);
		judge.nr_runs = nr;
		if (!code && (nr == plan->nr_runs || (plan->effect > 0 && nr >= MIN_RUNS)))
			code = apart(&judge, &effect, err);
	}
	if (!code)
		say_what_would_be_found(plan, run->session.is_quiet, nr, effect);
	return code;
}
