// SPDX-License-Identifier: GPL-2.0-only
#include "actions/record.h"

#include <sys/stat.h>
#include <unistd.h>

#include "actions/rotation.h"
#include "actions/saver.h"
#include "base/output/destination.h"
#include "run/ending.h"
#include "run/helpers.h"
#include "run/interrupt.h"
#include "run/late.h"
#include "run/notices.h"
#include "run/quality_gate.h"
#include "symbols/debug/packages.h"

#define PROGRESS_S 0.5
#define NR_KEPT	   24 /* files, when rotating */

/* The number of samples of an event, in all files. */
struct event_count {
	struct metric metric; /* valid while recorder and saver live */
	uint64_t nr;
};

struct recorded_run {
	const struct record_plan *plan;
	const char *output; /* NULL: nothing is written */
	struct rotation rotation;
	struct saver saver;
	struct event_count counted[ABI_MAX_EVENTS];
	size_t nr_events;
	uint64_t nr_all, nr_lost; /* of all events */
	struct quality quality;	  /* of the run or its file; valid while recorder and saver live */
	double file_s;		  /* length of the intervals in the current file */
	bool shows_progress;
	bool is_shown; /* a line of progress is on the terminal */
	bool said_later;
};

int record__check_output(const struct record_plan *plan, const char *output, struct error *err)
{
	struct rotation rotation;

	if (plan->rotate_s > 0)
		return rotation__prepare(&rotation, output, 0777, err);
	return destination__check(output, err);
}

static int open_file(void *context, bool has_command, struct error *err)
{
	struct recorded_run *run = context;
	const struct record_plan *plan = run->plan;

	(void)err;
	run->shows_progress = !plan->session.is_quiet && !has_command && isatty(STDERR_FILENO);
	if (plan->slice_s > 0)
		run->saver.slice_ns = (uint64_t)(plan->slice_s * 1e9);
	if (plan->session.capture.slice_ns)
		run->saver.slice_ns = plan->session.capture.slice_ns;
	run->saver.by_slice = plan->session.capture.slice_ns != 0;
	run->saver.shares_stacks = plan->rotate_s <= 0;
	run->saver.is_quiet = plan->session.is_quiet;
	run->saver.command_lines = plan->session.symbols.command_lines;
	saver__open(&run->saver);
	return 0;
}

/* Shows "recording, 12 s, 48 s left". */
static void show_progress(void *context, uint64_t elapsed_ns, uint64_t left_ns)
{
	struct recorded_run *run = context;
	char elapsed[32], left[32];

	if (run->saver.lines)
		lines__work(run->saver.lines, 0);
	if (!run->shows_progress)
		return;
	text__format_duration(elapsed, sizeof(elapsed), elapsed_ns / 1000000000 * 1000000000);
	text__format_duration(left, sizeof(left), (left_ns + 999999999) / 1000000000 * 1000000000);
	fprintf(stderr, "\r\033[Krecording, %s%s%s", elapsed,
		left_ns == UINT64_MAX ? "; Ctrl-C ends it" : ", ",
		left_ns == UINT64_MAX ? "" : left);
	if (left_ns != UINT64_MAX)
		fputs(" left", stderr);
	run->is_shown = true;
}

static void wipe_progress(struct recorded_run *run)
{
	if (run->is_shown)
		fputs("\r\033[K", stderr);
	run->is_shown = false;
}

/* The length of an interval: that of a slice, or else that of a file. */
static double interval_of(const struct record_plan *plan)
{
	return plan->slice_s > 0 ? plan->slice_s : plan->rotate_s;
}

/*
 * Writes the next of the files. If it could not be written and it is not the last, the next one
 * gets its samples, too, as the disk may have room by then.
 */
static int write_rotated(struct recorded_run *run, bool is_last, struct error *err)
{
	const unsigned int nr_kept = run->plan->nr_kept ? run->plan->nr_kept : NR_KEPT;
	struct quoted quoted;
	size_t nr_later = 0;
	int code = saver__rotate(&run->saver, &run->rotation, nr_kept, &nr_later, err);

	if (nr_later && !run->said_later && !run->plan->session.is_quiet) {
		run->said_later = true;
		wipe_progress(run);
		fprintf(stderr,
			"topstacks: %zu file%s in %s %s dated later than now; --keep neither "
			"counts nor removes %s\n",
			nr_later, text__plural(nr_later), quote(&quoted, run->output),
			nr_later == 1 ? "is" : "are", nr_later == 1 ? "it" : "them");
	}
	if (!code || is_last)
		return code;
	wipe_progress(run);
	fprintf(stderr, "topstacks: %s; sampling goes on, and the next file gets all of it\n",
		err->text);
	*err = (struct error){0};
	return 0;
}

static int take_interval(void *context, const struct recording *interval, bool is_last,
			 struct error *err)
{
	struct recorded_run *run = context;
	const struct record_plan *plan = run->plan;
	int code = saver__add(&run->saver, interval, err);

	run->nr_events = 0;
	for (const struct recording *event = interval; event; event = event->more) {
		struct event_count *counted = &run->counted[run->nr_events++];

		counted->metric = profile__metrics(event->profile)->of[VALUE_COUNT];
		counted->nr += event->ledger.counted;
		run->nr_all += event->ledger.counted;
		run->nr_lost += ledger__lost(&event->ledger);
	}
	run->quality = interval->quality; /* replaced by the sum's, if there is one */
	run->file_s += (double)interval->duration_ns / 1e9;
	if (code || plan->rotate_s <= 0)
		return code;
	/* A file ends with the interval whose end is nearest to rotate_s. */
	if (!is_last && run->file_s + interval_of(plan) / 2 < plan->rotate_s)
		return 0;
	run->file_s = 0;
	return write_rotated(run, is_last, err);
}

static int take_late_names(void *context, struct late *late, struct error *err)
{
	(void)err;
	late__rename_saved(late, &((struct recorded_run *)context)->saver.recording);
	return 0;
}

static int take_sum(void *context, const struct recording *sum, struct error *err)
{
	(void)err;
	((struct recorded_run *)context)->quality = sum->quality;
	return 0;
}

/* Prints "1,234 samples, 12,345 page-faults, 0 lost, in x.pb.gz (12 kB)". */
static void say_what_was_written(const struct recorded_run *run)
{
	char counted[128], lost[32], size[32] = "";
	struct stat status;

	fputs("topstacks: ", stderr);
	for (size_t i = 0; i < run->nr_events; i++) {
		metric__describe(&run->counted[i].metric, run->counted[i].nr, counted,
				 sizeof(counted));
		fputs(i ? ", " : "", stderr);
		text__print_safe(stderr, counted, 0);
	}
	text__format_count(lost, sizeof(lost), run->nr_lost);
	fprintf(stderr, ", %s lost", lost);
	if (strcmp(run->output, "-")) {
		fputs(", in ", stderr);
		text__print_safe(stderr, run->output, 0);
		if (!stat(run->output, &status) && S_ISREG(status.st_mode)) {
			text__format_bytes(size, sizeof(size), (uint64_t)status.st_size);
			fprintf(stderr, " (%s)", size);
		}
	}
	fputc('\n', stderr);
}

/* Says what was written, from when on samples have no slices, and how good the stacks are. */
static void say_result(struct recorded_run *run)
{
	const struct recording *recording = &run->saver.recording;
	struct packages *packages = packages__new(NULL);
	char length[32];

	say_what_was_written(run);
	if (recording__nr_unsliced(recording)) {
		text__format_duration(length, sizeof(length),
				      recording->nr_slices * recording->slice_ns);
		fprintf(stderr,
			"topstacks: slices end after %s, as they took too much memory; raise "
			"--slices, or use --rotate\n",
			length);
	}
	quality_gate__find_packages(&run->quality, packages);
	notices__quality(&run->quality);
	packages__free(packages);
}

static int close_file(void *context, int code, struct error *err)
{
	struct recorded_run *run = context;
	const struct record_plan *plan = run->plan;
	struct recording *recording = &run->saver.recording;
	const bool is_rotated = plan->rotate_s > 0;
	struct error other = {0};

	wipe_progress(run);
	if (code) {
		/* Sampling failed: the samples taken before are a shorter recording. */
		if (run->output && run->nr_all && !is_rotated &&
		    !saver__write(&run->saver, run->output, false, &other))
			say_what_was_written(run);
		return code;
	}
	if (!run->output)
		return 0;
	recording->is_whole_run = plan->session.target.command && !(plan->session.duration_s > 0) &&
				  !is_rotated && !interrupt__has_come();
	if (!is_rotated) {
		code = saver__write(&run->saver, run->output, false, err);
		/* Measured as written, so that record and report print the same quality. */
		if (!code)
			quality__measure(&run->quality, recording->profile, &recording->ledger,
					 recording__has_tables(recording));
	}
	if (!code && !plan->session.is_quiet)
		say_result(run);
	return code ? code : quality_gate__check(&run->quality, plan->required_quality, err);
}

int record__run(const struct record_plan *plan, const char *output, struct error *err)
{
	struct recorded_run run = {.plan = plan, .output = output};
	struct session_plan session = plan->session;
	const struct session_steps steps = {
		.context = &run,
		.on_open = open_file,
		.on_tick = show_progress,
		.on_late = take_late_names,
		.on_interval = take_interval,
		.on_sum = take_sum,
		.on_close = close_file,
	};
	const char *meant = plan->session.is_quiet ? NULL : ending__format(output);
	struct helpers helpers = {0};
	struct quoted quoted;
	int code = 0;

	if (plan->rotate_s > 0)
		code = rotation__prepare(&run.rotation, output, 0777, err);
	else if (meant && strcmp(meant, "pprof") != 0) /* as of "-o x.html" */
		fprintf(stderr,
			"topstacks: %s gets a pprof profile; report --format %s makes of it what "
			"its name says\n",
			quote(&quoted, output), meant);
	if (!code)
		code = helpers__start(&helpers, plan->session.java_names, err);
	session.helpers = &helpers;
	session.interval_s = interval_of(plan);
	session.tick_s = PROGRESS_S;
	session.keeps_all = true;
	run.saver.line_options = &plan->lines;
	if (!code && !plan->lines.no_lines) {
		session.lines = annotator__open(&plan->lines, &helpers, &session.symbols);
		run.saver.lines = session.lines;
	}
	if (!code)
		code = session__run(&session, &steps, err);
	saver__close(&run.saver);
	lines__free(run.saver.lines);
	helpers__stop(&helpers);
	return code;
}
