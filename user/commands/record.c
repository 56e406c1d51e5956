// SPDX-License-Identifier: GPL-2.0-only
/*
 * topstacks record: sample, and keep it in a file; or, for days, in a directory of files of which
 * the oldest go.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/gate.h"
#include "commands/target_options.h"
#include "run/annotator.h"
#include "run/repetition.h"
#include "run/rotation.h"
#include "run/saver.h"
#include "run/session.h"
#include "symbols/packages.h"

#define PROGRESS_S 0.5
#define NR_KEPT	   24 /* files, of those that --rotate makes */
#define MIN_RUNS   3  /* before they say what they can show */

struct record {
	struct target_options target;
	double duration_s;
	double intervals_s, rotate_s;
	unsigned int nr_kept;
	unsigned int nr_runs, nr_warm_up;
	double effect;
	const char *output;
	struct line_options lines;
	bool quiet;
	double required_quality;
};

static const struct option_row rows[] = {
	{OPT_SECTION("Output")},
	{'o', "output", "FILE", OPT_STRING(struct record, output), NULL,
	 "write here, a gzipped pprof profile; -: standard output; with --rotate, a directory"},
	{'q', "quiet", NULL, OPT_FLAG(struct record, quiet), NULL,
	 "no progress, and no word about what was written"},
	QUALITY_ROW(struct record, required_quality),
	LINE_ROWS(struct record, lines),
	{OPT_SECTION("Time")},
	{'d', "duration", "SEC", OPT_SECONDS(struct record, duration_s, 0.01, 1e8), NULL,
	 "stop after this time"},
	{0, "intervals", "SEC", OPT_SECONDS(struct record, intervals_s, 0.1, 1e6), NULL,
	 "keep apart in the file what was sampled in each such time"},
	{0, "rotate", "SEC", OPT_SECONDS(struct record, rotate_s, 1, 1e6), NULL,
	 "go on for days: a new file each time, named by when it begins"},
	{0, "keep", "N", OPT_UNSIGNED(struct record, nr_kept, 1, 1000000), NULL,
	 "with --rotate, remove all but the newest N files, 24 unless given"},
	{OPT_SECTION("Several runs")},
	{0, "repeat", "N", OPT_UNSIGNED(struct record, nr_runs, 1, 999), NULL,
	 "run the command N times: a file for each in the directory named by -o, for diff"},
	{0, "warm-up", "N", OPT_UNSIGNED(struct record, nr_warm_up, 0, 999), "0",
	 "with --repeat, so many runs before them, which are not kept"},
	{0, "effect", "PERCENT", OPT_NUMBER(struct record, effect, 0.01, 100000), NULL,
	 "with --repeat, stop as soon as diff would find a slowdown by this of a function of 10 %"},
	TARGET_ROWS(struct record, target),
	{0},
};

struct recording {
	const struct record *record;
	const char *output; /* NULL: nothing is written */
	struct saver saver;
	uint64_t nr_samples, nr_lost;
	struct quality quality; /* of the run; valid while the recorder lives */
	double file_s;		/* of intervals, in the file that is under way */
	bool shows_progress;
	bool is_shown; /* a line waits to be wiped */
};

static int check_repetition(const struct options *options, struct error *err)
{
	const struct record *record = options->values;

	if (!record->nr_runs && (record->nr_warm_up || record->effect > 0))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--warm-up and --effect are for --repeat");
	if (record->nr_runs && !options->nr_words)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--repeat needs a command to run: -- COMMAND");
	if (record->nr_runs && (record->rotate_s > 0 || !strcmp(record->output, "-")))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--repeat needs a directory for its runs: -o DIR/");
	return 0;
}

static int check_options(const struct options *options, struct error *err)
{
	const struct record *record = options->values;

	if (line_options__check(&record->lines, err))
		return -EINVAL;
	if (!record->output)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "where to? record needs -o FILE, or -o - for standard output");
	if (!strcmp(record->output, "-") && isatty(STDOUT_FILENO))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "a profile is not for terminals; use -o FILE, or a pipe");
	if (record->rotate_s > 0 && !strcmp(record->output, "-"))
		return error__say(err, EXIT_USAGE, -EINVAL, "--rotate needs a directory: -o DIR/");
	if (record->nr_kept && record->rotate_s <= 0)
		return error__say(err, EXIT_USAGE, -EINVAL, "--keep is for --rotate");
	if (record->rotate_s > 0 && record->intervals_s > record->rotate_s)
		return error__say(err, EXIT_USAGE, -EINVAL, "--intervals is longer than --rotate");
	return check_repetition(options, err);
}

/* What a run would find out at its end is found out before it. */
static int check_output(const struct record *record, struct error *err)
{
	if (record->rotate_s > 0)
		return rotation__prepare(record->output, err);
	return saver__check(record->output, err);
}

static int open_file(void *context, bool has_command, struct error *err)
{
	struct recording *recording = context;
	const struct record *record = recording->record;

	recording->shows_progress = !record->quiet && !has_command && isatty(STDERR_FILENO);
	if (record->intervals_s > 0)
		recording->saver.slice_ns = (uint64_t)(record->intervals_s * 1e9);
	return saver__open(&recording->saver, err);
}

/* "recording, 12 s, 48 s left" */
static void show_progress(void *context, uint64_t elapsed_ns, uint64_t left_ns)
{
	struct recording *recording = context;
	char elapsed[32], left[32];

	if (recording->saver.lines)
		lines__work(recording->saver.lines, 0);
	if (!recording->shows_progress)
		return;
	text__format_duration(elapsed, sizeof(elapsed), elapsed_ns / 1000000000 * 1000000000);
	text__format_duration(left, sizeof(left), (left_ns + 999999999) / 1000000000 * 1000000000);
	fprintf(stderr, "\r\033[Krecording, %s%s%s", elapsed,
		left_ns == UINT64_MAX ? "; Ctrl-C ends it" : ", ",
		left_ns == UINT64_MAX ? "" : left);
	if (left_ns != UINT64_MAX)
		fputs(" left", stderr);
	recording->is_shown = true;
}

static void wipe_progress(struct recording *recording)
{
	if (recording->is_shown)
		fputs("\r\033[K", stderr);
	recording->is_shown = false;
}

static int write_rotated(struct recording *recording, struct error *err)
{
	const struct record *record = recording->record;
	char *path = rotation__path(record->output,
				    recording->saver.snapshot.provenance.start_realtime_ns);
	int code;

	if (!path)
		return error__no_memory(err);
	code = saver__write_soon(&recording->saver, path, err);
	free(path);
	return code ? code
		    : rotation__remove_old(record->output,
					   record->nr_kept ? record->nr_kept : NR_KEPT, err);
}

/* The length of an interval: what is kept apart, else what goes into one file. */
static double interval_of(const struct record *record)
{
	return record->intervals_s > 0 ? record->intervals_s : record->rotate_s;
}

static int take_interval(void *context, const struct interval *interval, bool is_last,
			 struct error *err)
{
	struct recording *recording = context;
	const struct record *record = recording->record;
	int code = saver__add(&recording->saver, interval, err);

	recording->nr_samples += interval->ledger.counted;
	recording->nr_lost += ledger__lost(&interval->ledger);
	recording->quality = interval->quality; /* a single interval has no sum */
	recording->file_s += (double)interval->duration_ns / 1e9;
	if (code || record->rotate_s <= 0)
		return code;
	/* Half an interval early is nearer than half an interval late. */
	if (!is_last && recording->file_s + interval_of(record) / 2 < record->rotate_s)
		return 0;
	recording->file_s = 0;
	return write_rotated(recording, err);
}

static int take_sum(void *context, const struct interval *run, struct error *err)
{
	(void)err;
	((struct recording *)context)->quality = run->quality;
	return 0;
}

static void say_quality(struct quality *quality)
{
	struct packages *packages = packages__new(NULL);

	gate__find_packages(quality, packages);
	gate__say(quality);
	packages__free(packages);
}

/* "1,234 samples, 0 lost, in x.pb.gz (12 kB)" */
static void say_what_was_written(const struct recording *recording)
{
	char samples[32], lost[32], size[32] = "";
	struct stat status;

	text__format_count(samples, sizeof(samples), recording->nr_samples);
	text__format_count(lost, sizeof(lost), recording->nr_lost);
	fprintf(stderr, "topstacks: %s sample%s, %s lost", samples,
		text__plural(recording->nr_samples), lost);
	if (strcmp(recording->output, "-")) {
		fputs(", in ", stderr);
		text__print_safe(stderr, recording->output, 0);
		if (!stat(recording->output, &status) && S_ISREG(status.st_mode)) {
			text__format_bytes(size, sizeof(size), (uint64_t)status.st_size);
			fprintf(stderr, " (%s)", size);
		}
	}
	fputc('\n', stderr);
}

/* Sampling failed; what there was before is a recording, if a short one. */
static int keep_what_there_is(struct recording *recording, int code)
{
	struct error other = {0};

	if (recording->output && recording->nr_samples && recording->record->rotate_s <= 0 &&
	    !saver__write(&recording->saver, recording->output, &other))
		say_what_was_written(recording);
	return code;
}

static int close_file(void *context, int code, struct error *err)
{
	struct recording *recording = context;

	wipe_progress(recording);
	if (code)
		return keep_what_there_is(recording, code);
	if (!recording->output)
		return 0;
	if (recording->record->rotate_s <= 0)
		code = saver__write(&recording->saver, recording->output, err);
	if (!code && !recording->record->quiet) {
		say_what_was_written(recording);
		say_quality(&recording->quality);
	}
	return code ? code
		    : gate__check(&recording->quality, recording->record->required_quality, err);
}

/* One run from its beginning to its end; output: of its file, NULL: it is only run. */
static int run_once(const struct options *options, const char *output, struct error *err)
{
	const struct record *record = options->values;
	struct lines *lines = NULL;
	struct recording recording = {.record = record, .output = output};
	struct session_plan plan = {
		.target = &record->target,
		.interval_s = interval_of(record),
		.duration_s = record->duration_s,
		.tick_s = PROGRESS_S,
		.keeps_all = true,
	};
	const struct session_steps steps = {
		.context = &recording,
		.on_open = open_file,
		.on_tick = show_progress,
		.on_interval = take_interval,
		.on_sum = take_sum,
		.on_close = close_file,
	};
	int code = 0;

	if (!record->lines.no_lines) {
		lines = annotator__open(&record->lines, !record->target.no_demangle,
					record->target.symfs);
		code = lines ? 0 : error__no_memory(err);
	}
	plan.lines = recording.saver.lines = lines;
	if (!code)
		code = session__run(&plan, &steps, options, err);
	saver__close(&recording.saver);
	lines__free(lines);
	return code;
}

/* ---- several runs ---- */

/* What a command that failed left is no run of it. */
static int run_kept(const struct options *options, unsigned int run, struct error *err)
{
	const struct record *record = options->values;
	char *path = repetition__path(record->output, run);
	int code = path ? run_once(options, path, err) : error__no_memory(err);

	if (code && path)
		unlink(path);
	free(path);
	return code;
}

static void say_what_would_be_found(const struct record *record, unsigned int nr_runs,
				    double effect)
{
	bool is_missed = record->effect > 0 && 100 * effect > record->effect;

	if (record->quiet && !is_missed)
		return;
	fprintf(stderr, "topstacks: %u run%s; diff against as many others would find ", nr_runs,
		text__plural(nr_runs));
	if (isfinite(effect))
		fprintf(stderr, "a 10 %% function slower by %.3g %%", 100 * effect);
	else
		fputs("no slowdown of a 10 % function", stderr);
	if (is_missed)
		fprintf(stderr, ", not by %.3g %%; raise --repeat or the rate", record->effect);
	fputc('\n', stderr);
}

static int repeat_runs(const struct options *options, struct error *err)
{
	const struct record *record = options->values;
	double effect = INFINITY;
	unsigned int run = 0;
	int code = repetition__prepare(record->output, err);

	for (unsigned int i = 0; !code && i < record->nr_warm_up; i++)
		code = run_once(options, NULL, err);
	while (!code && run < record->nr_runs && 100 * effect > record->effect) {
		code = run_kept(options, ++run, err);
		if (!code && (run == record->nr_runs || (record->effect > 0 && run >= MIN_RUNS)))
			code = repetition__found_effect(record->output, run, &effect, err);
	}
	if (!code)
		say_what_would_be_found(record, run, effect);
	return code;
}

static int run_record(const struct options *options, struct error *err)
{
	const struct record *record = options->values;
	int code = check_options(options, err);

	if (!code && !record->nr_runs)
		code = check_output(record, err);
	if (code)
		return code;
	if (!record->quiet)
		target_options__note_slowdown(&record->target);
	return record->nr_runs ? repeat_runs(options, err) : run_once(options, record->output, err);
}

const struct command command_record = {
	.name = "record",
	.summary = "sample, and keep it in a file for later",
	.usage = "[-p PID[,PID...] | -t TID | -a] [-d SEC] [OPTION...] -o FILE\n"
		 "[OPTION...] -o FILE -- COMMAND [ARG...]\n"
		 "[OPTION...] --rotate SEC [--keep N] -o DIR/\n"
		 "[OPTION...] --repeat N [--warm-up N] [--effect PERCENT] -o DIR/ -- COMMAND "
		 "[ARG...]",
	.description =
		"Samples until the time is over, the command or the target has ended, or "
		"Ctrl-C, and writes a gzipped pprof profile, which topstacks report, go tool "
		"pprof and others read.",
	.operands = OPERANDS_COMMAND,
	.rows = rows,
	.values_size = sizeof(struct record),
	.run = run_record,
};
