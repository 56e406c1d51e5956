// SPDX-License-Identifier: GPL-2.0-only
#include "actions/report.h"

#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include "actions/fetch_symbols.h"
#include "actions/rename.h"
#include "base/files.h"
#include "base/output/destination.h"
#include "base/plain.h"
#include "diff/matching/names.h"
#include "formats/annotation.h"
#include "formats/formats.h"
#include "profile/pool.h"
#include "profile/recording.h"
#include "profile/scatter.h"
#include "profile/select/drop.h"
#include "run/ending.h"
#include "run/notices.h"
#include "run/quality_gate.h"
#include "symbols/debug/packages.h"
#include "views/answer.h"

/*
 * Merges functions whose names differ only in numbers of compilers and JITs, as diff does. The
 * merged name of each function is kept, as many frames share a function.
 */
struct joining {
	struct compared_names names;
	struct pool functions; /* keys: names, which the dictionary keeps */
	char **joined;
	size_t capacity;
};

static long join_frame(void *context, const struct frame *frame, bool is_caller,
		       struct frame frames[MAX_EXPANSION])
{
	struct joining *joining = context;
	const size_t nr = joining->functions.nr_items;
	const char *name;
	uint32_t id;

	(void)is_caller;
	if (!frame->function)
		return FRAME_STAYS;
	array__reserve(&joining->joined, &joining->capacity, nr + 1);
	id = pool__number(&joining->functions, &frame->function, sizeof(frame->function));
	if (id == nr)
		joining->joined[id] = name_rule__apply_all(
			joining->names.rules, joining->names.nr_rules, frame->function);
	name = joining->joined[id];
	if (!name[0])
		return FRAME_STAYS;
	frames[0] = *frame;
	frames[0].function = name;
	return 1;
}

/* Merges the names of all events and slices of a recording. */
static void join_names(struct recording *recording)
{
	struct joining joining = {0};
	const struct expander expander = {join_frame, &joining};

	compared_names__init(&joining.names);
	recording__expand(recording, &expander);
	for (size_t i = 0; i < joining.functions.nr_items; i++)
		free(joining.joined[i]);
	free(joining.joined);
	pool__clear(&joining.functions);
	compared_names__fini(&joining.names);
}

/* ---- files: those that were named, and those in directories that were named ---- */

struct report_files {
	char **paths; /* NULL at the end */
	size_t nr, capacity;
};

static void add_path(struct report_files *files, const char *path)
{
	array__reserve(&files->paths, &files->capacity, files->nr + 2);
	files->paths[files->nr++] = xstrdup(path);
	files->paths[files->nr] = NULL;
}

static bool is_of_type(const char *path, mode_t type)
{
	struct stat status;

	return !stat(path, &status) && (status.st_mode & S_IFMT) == type;
}

/*
 * Adds the regular files that match; another user may have put a FIFO there. 0, -EIO, or -ENOMEM:
 * there are too many.
 */
static int add_matches(struct report_files *files, const char *directory, const char *names)
{
	char *pattern = files__pattern(directory, names);
	glob_t found = {0};
	int result = glob(pattern, 0, NULL, &found), code = 0;

	if (result && result != GLOB_NOMATCH)
		code = result == GLOB_NOSPACE ? -ENOMEM : -EIO;
	for (size_t i = 0; i < found.gl_pathc && !code; i++)
		if (is_of_type(found.gl_pathv[i], S_IFREG))
			add_path(files, found.gl_pathv[i]);
	globfree(&found);
	free(pattern);
	return code;
}

static int add_directory(struct report_files *files, const char *directory, struct error *err)
{
	const size_t nr = files->nr;
	struct quoted quoted;
	int code = add_matches(files, directory, "topstacks-*.pb.gz");

	if (!code)
		code = add_matches(files, directory, "run-*.pb.gz");
	if (code == -ENOMEM)
		return memory__error(err);
	if (code)
		return error__set(err, EXIT_USAGE, code, "cannot look into %s",
				  quote(&quoted, directory));
	if (files->nr == nr)
		return error__say(err, EXIT_USAGE, -ENOENT,
				  "%s has no recordings, which would be files called "
				  "topstacks-*.pb.gz or run-*.pb.gz",
				  quote(&quoted, directory));
	return 0;
}

/* ---- reading ---- */

struct report_reading {
	const struct report *report;
	struct read_options options;
	struct namer *namer;
	size_t nr_files;
};

/* Limits of the runs that are kept apart only for error bars. */
#define MOST_RUNS	MAX_INTERVALS
#define MOST_RUN_PIECES 4096

/* Whether the report's format shows error bars. */
static bool has_errors(const struct report *report)
{
	static const char *const formats[] = {"text", "csv", "json", REPORT_MARKDOWN, "html"};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(report->format, formats[i]))
			return true;
	return false;
}

/*
 * Whether to keep the intervals of each file apart: always if the report shows or chooses times;
 * else for a few runs, whose differences give the error bars.
 */
static bool keeps_apart(const struct report_reading *reading, const struct recording *recording,
			const struct recording *more)
{
	return reading->report->by == BY_TIME || choice__is_of_time(&reading->report->choice) ||
	       (has_errors(reading->report) && reading->nr_files <= MOST_RUNS &&
		recording__nr_pieces(recording) + recording__nr_pieces(more) <= MOST_RUN_PIECES);
}

/* Reads a file, or the bytes of the report (path NULL), and names its frames. */
static int read_input(struct recording *recording, const char *path,
		      const struct report_reading *reading, struct error *err)
{
	const struct report *report = reading->report;
	const int code = path ? formats__read_file(recording, path, &reading->options, err)
			      : formats__read(recording, report->bytes, report->nr_bytes,
					      &reading->options, err);

	if (code)
		return code;
	recording->is_private |= !path;
	rename__name(reading->namer, recording);
	return 0;
}

static int merge_file(struct recording *recording, const char *path,
		      const struct report_reading *reading, struct error *err)
{
	struct recording more;
	int code = read_input(&more, path, reading, err);

	if (code)
		return code;
	recording__share_units(recording, &more);
	recording__align_decimals(recording, &more);
	code = keeps_apart(reading, recording, &more) ? recording__join(recording, &more, err)
						      : recording__merge(recording, &more, err);
	recording__fini(&more);
	return code;
}

/*
 * Adds all files up in one recording. A directory stands for the files that record --rotate or
 * --repeat wrote there, by name, which is by time. On success the caller calls recording__fini().
 */
static int read_files(struct recording *recording, struct report_reading *reading,
		      struct error *err)
{
	const struct report *report = reading->report;
	struct report_files files = {0};
	int code = 0;

	if (!*report->paths)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "which file? report needs one or more, or - for standard input");
	for (char *const *path = report->paths; *path && !code; path++) {
		if (is_of_type(*path, S_IFDIR))
			code = add_directory(&files, *path, err);
		else
			add_path(&files, *path);
	}
	reading->nr_files = files.nr;
	if (!code)
		code = read_input(recording, files.paths[0], reading, err);
	for (size_t i = 1; !code && i < files.nr; i++) {
		code = merge_file(recording, files.paths[i], reading, err);
		if (code)
			recording__fini(recording);
	}
	for (size_t i = 0; i < files.nr; i++)
		free(files.paths[i]);
	free(files.paths);
	return code;
}

/* The output of a report. */
struct report_output {
	const struct report *report;
	const struct format *format; /* NULL: text, or the answer to a question */
	uint64_t whole;		     /* total time before filtering */
	struct packages *packages;
	struct annotate annotate; /* of one function, if asked for */
};

/* ---- writing ---- */

static int write_annotation(FILE *out, const struct report_output *output,
			    const struct recording *recording)
{
	const struct annotated_text *text = &output->annotate.text;

	if (output->format)
		return json__write_annotation(out, recording, text);
	return report__write_annotation(out, output->report, recording, text, output->whole);
}

static bool is_answer(const struct report *report)
{
	return !strcmp(report->format, REPORT_MARKDOWN);
}

static int write_answer(FILE *out, const struct report_output *output,
			const struct recording *recording)
{
	const struct report *report = output->report;
	const bool is_one = report->paths && report->paths[0] && !report->paths[1];
	char *selection = report__selection(report, false);
	char *focus = report__selection(report, true);
	const struct answer_options options = {
		.budget = report->budget,
		.nr_rows = report->nr_rows,
		.percent_limit = report->percent_limit,
		.merge = report->merge,
		.whole = output->whole,
		.file = is_one && strcmp(report->paths[0], "-") ? report->paths[0] : NULL,
		.selection = selection,
		.focus = focus,
	};
	const int code = view__write_answer(out, recording, &options);

	free(selection);
	free(focus);
	return code;
}

static int write_for_people(FILE *out, const struct report_output *output,
			    const struct recording *recording)
{
	FILE *plain = plain__begin(out);
	int code, ended;

	if (!plain)
		return -ENOMEM;
	if (output->report->annotate.function)
		code = write_annotation(plain, output, recording);
	else if (is_answer(output->report))
		code = write_answer(plain, output, recording);
	else
		code = report__write_text(plain, output->report, recording, output->whole);
	ended = plain__end(plain, out);
	return code ? code : ended;
}

static int write_output(const struct report_output *output, const struct recording *recording,
			struct error *err)
{
	const struct report *report = output->report;
	const struct write_options options = {
		.merge = report->merge, .title = report->title, .command_lines = true};
	const mode_t mode = recording->is_private ? DESTINATION_PRIVATE : DESTINATION_SHARED;
	struct destination destination;
	int code = destination__open(&destination, report->output, mode, err);

	if (code)
		return code;
	if (output->format && output->format->is_of_one)
		notices__more_events(recording, "written");
	if (!output->format)
		code = write_for_people(destination.out, output, recording);
	else if (report->annotate.function)
		code = write_annotation(destination.out, output, recording);
	else
		code = output->format->write(destination.out, recording, &options);
	return destination__close(&destination, code, err);
}

/*
 * Measures the quality of names, and of stacks if the report is of the whole recording: the ledger
 * does not say how many stacks of a part are truncated.
 */
static void measure_quality(struct report_output *output, struct recording *recording)
{
	const bool is_part = !choice__is_all(&output->report->choice);
	const bool counts = recording->has_ledger && !is_part;

	for (struct recording *event = recording; event; event = event->more)
		quality__measure(&event->quality, event->profile, counts ? &event->ledger : NULL,
				 recording__has_tables(event));
	output->packages = packages__new(NULL);
	if (output->packages && !rename__is_of_here(recording))
		packages__set_elsewhere(output->packages);
	if (output->packages)
		packages__set_symfs(output->packages, output->report->naming.symfs);
	quality_gate__find_packages(&recording->quality, output->packages);
}

/* Looks lines up in the files of this machine. telling: what to print about missing lines. */
static void look_for_lines(struct recording *recording, const struct line_options *options,
			   const struct namer *namer, enum lines_telling telling)
{
	struct symbols_options symbols = {.demangle = true, .symfs = namer->naming.symfs};
	struct lines *lines = annotator__open(options, &namer->helpers, &symbols);

	annotator__complete(lines, recording, UINT64_MAX, telling);
	lines__free(lines);
}

/*
 * Whether a debug file would give lines to the frame. A frame with a line shows that its file's
 * debug information is here.
 */
static enum lack lacks_line(void *nothing, const struct frame *frame)
{
	(void)nothing;
	return frame->file || frame->inlined ? LACK_NEVER : LACK_YES;
}

static void find_lines(struct recording *recording, const struct line_options *options,
		       const struct namer *namer)
{
	const struct lacks lacks = {.of = lacks_line};

	if (options->lines)
		look_for_lines(recording, options, namer,
			       namer->fetching ? TELL_NOTHING : TELL_ALL);
	if (options->lines && namer->fetching) {
		fetching__get(namer->fetching, namer->helpers.readers, recording, &lacks);
		fetching__tell(namer->fetching);
		look_for_lines(recording, options, namer, TELL_ALL);
	}
	if (options->no_inline)
		annotator__drop_inlined(recording);
}

static bool tells_threads_apart(const struct profile *profile)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++)
		if (samples[i].tid)
			return true;
	return !nr_samples;
}

/* Whether the recording has what the report is to show. 0, or -EINVAL with err filled. */
static int check_recording(const struct recording *recording, const struct report *report,
			   struct error *err)
{
	const bool wants_threads =
		report->by == BY_THREAD || report->merge == MERGE_BY_THREAD || report->choice.tid;
	const bool wants_waits = report->by == BY_WAIT || report->by == BY_STATE ||
				 choice__is_of_waits(&report->choice);
	const bool is_empty = !profile__shown_total(recording->profile);

	if (report->by == BY_TIME && !recording->nr_slices && !is_empty)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "no intervals to show by time: use a file of record --slices "
				  "TIME or --intervals SEC, or several files");
	if (wants_threads && !tells_threads_apart(recording->profile))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "threads were not told apart when this was recorded: record with "
				  "--threads");
	if (wants_waits && !profile__has_waits(recording->profile) && !is_empty)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "the values shown are not waits: record them with -e off-cpu, "
				  "and choose them with --sample-type off-cpu");
	return 0;
}

/* ---- the pipeline ---- */

static int read_and_write(struct report_output *output, struct namer *namer, struct error *err)
{
	const struct report *report = output->report;
	struct report_reading reading = {
		.report = report,
		.options = {.placing = rename__placing(namer),
			    .sample_type = report->sample_type,
			    .max_memory_bytes = report->max_memory_bytes},
		.namer = namer,
	};
	struct recording recording;
	struct dropped dropped = {0};
	struct quoted quoted;
	uint64_t total[VALUES];
	int code = report->bytes ? read_input(&recording, NULL, &reading, err)
				 : read_files(&recording, &reading, err);

	if (code)
		return code;
	rename__tell(namer);
	if (recording.is_difference)
		fprintf(stderr,
			"topstacks: %s is a difference of two runs, with a count of before and one "
			"of after: those of after are shown; to compare them: topstacks diff FILE "
			"--against the same FILE\n",
			report->bytes ? "the input" : quote(&quoted, report->paths[0]));
	code = check_recording(&recording, report, err);
	if (!code)
		find_lines(&recording, &report->lines, namer);
	if (!code && report->join_names)
		join_names(&recording);
	if (!code && report->drop) {
		code = recording__drop(&recording, report->drop, &dropped, err);
		if (!code)
			notices__dropped(&dropped, profile__shown_total(recording.profile));
	}
	if (!code)
		code = recording__choose_time(&recording, &report->choice, err);
	output->whole = profile__shown_total(recording.profile);
	for (enum value value = 0; value < VALUES; value++)
		total[value] = profile__total(recording.profile, value);
	if (!code)
		code = recording__choose(&recording, &report->choice, err);
	if (!code && report->annotate.function)
		code = annotate__make(&output->annotate, &recording, total, &report->annotate,
				      namer, err);
	if (!code)
		measure_quality(output, &recording);
	if (!code)
		code = write_output(output, &recording, err);
	if (!code)
		code = quality_gate__check(&recording.quality, report->required_quality, err);
	packages__free(output->packages);
	annotate__fini(&output->annotate);
	recording__fini(&recording);
	return code;
}

/* Finds the format; *format NULL: text. 0, or -EINVAL with err filled. */
static int find_format(const struct report *report, const struct format **format, struct error *err)
{
	const bool is_printed = !report->output || !strcmp(report->output, "-");
	const char *meant = ending__format(report->output);
	struct quoted quoted;

	if (is_answer(report))
		return 0;
	if (!strcmp(report->format, "text")) {
		/* The ending of -o, such as "x.html", does not choose the format. */
		if (meant)
			fprintf(stderr,
				"topstacks: %s gets text; --format %s is what its name says\n",
				quote(&quoted, report->output), meant);
		return 0;
	}
	*format = formats__find(report->format, err);
	if (!*format)
		return err->code;
	if ((*format)->is_binary && is_printed && isatty(STDOUT_FILENO))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "a profile is not for terminals; use -o FILE, or a pipe");
	return 0;
}

static int check_annotate(const struct report *report, const struct format *format,
			  struct error *err)
{
	if (!report->annotate.function) {
		if (report->annotate.source || report->annotate.whole)
			return error__say(err, EXIT_USAGE, -EINVAL,
					  "--source and --whole are of a function: which one? "
					  "--annotate FUNCTION names it");
		return 0;
	}
	if (report->by != BY_STACK || report->tree != REPORT_TABLE)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--annotate shows one function: it does not go together with "
				  "--by or --tree");
	if (is_answer(report) || (format && strcmp(format->name, "json") != 0))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--annotate is written as text or json, not as %s",
				  report->format);
	return 0;
}

int report__write(const struct report *report, struct error *err)
{
	struct report_output output = {.report = report};
	struct namer namer = {0};
	int code = find_format(report, &output.format, err);

	if (!code)
		code = check_annotate(report, output.format, err);
	if (code)
		return code;
	code = rename__start(&namer, &report->naming, report->lines.lines, err);
	if (!code)
		code = read_and_write(&output, &namer, err);
	rename__stop(&namer);
	return code;
}
