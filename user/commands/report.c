// SPDX-License-Identifier: GPL-2.0-only
/*
 * topstacks report: files of ours or of others, added up, filtered, and shown as text or turned
 * into another format.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/replace.h"
#include "base/text.h"
#include "commands/common_rows.h"
#include "commands/subcommand.h"
#include "formats/formats.h"
#include "run/annotator.h"
#include "run/gate.h"
#include "run/printer.h"
#include "symbols/packages.h"
#include "views/views.h"

enum by {
	BY_STACK,
	BY_FUNCTION,
	BY_SYMBOL,
	BY_MODULE,
	BY_PROCESS,
	BY_THREAD,
	BY_LINE,
	BY_CGROUP,
	BY_CONTAINER,
	BY_TIME,
};

struct report {
	unsigned int by, sort, tree, color;
	bool per_process, threads;
	struct line_options lines;
	const char *focus, *ignore;
	double percent_limit;
	unsigned int nr_rows;
	const char *sample_type, *format, *output, *title;
	double required_quality;
};

static const struct option_row rows[] = {
	{OPT_SECTION("What to show")},
	{0, "by", "stack|function|symbol|module|process|thread|line|cgroup|container|time",
	 OPT_CHOICE(struct report, by), "stack", "what the rows of the table are"},
	{0, "tree", "no|callees|callers", OPT_CHOICE(struct report, tree), "no",
	 "a tree instead: from the root to what is called, or from the leaf to its callers"},
	{0, "sort", "self|total|name", OPT_CHOICE(struct report, sort), "self",
	 "order of the table, except by stack"},
	{'n', "rows", "N", OPT_UNSIGNED(struct report, nr_rows, 1, 1000000000), "20",
	 "at most so many rows"},
	{0, "percent-limit", "PERCENT", OPT_NUMBER(struct report, percent_limit, 0, 100), "0.5",
	 "leave out rows with less"},
	{0, "per-process", NULL, OPT_FLAG(struct report, per_process), NULL,
	 "tell processes apart, not only program names"},
	{0, "threads", NULL, OPT_FLAG(struct report, threads), NULL,
	 "tell threads apart, where they were recorded"},
	{0, "lines", NULL, OPT_FLAG(struct report, lines.lines), NULL,
	 "with source lines; those that the files lack are looked for in the binaries, if these "
	 "are "
	 "still here, with inlined functions"},
	NO_INLINE_ROW(struct report, lines),
	{OPT_SECTION("Of what")},
	{0, "focus", "REGEX", OPT_STRING(struct report, focus), NULL,
	 "only stacks with a function or module that matches"},
	{0, "ignore", "REGEX", OPT_STRING(struct report, ignore), NULL,
	 "without stacks that have such a function or module"},
	{0, "sample-type", "NAME", OPT_STRING(struct report, sample_type), NULL,
	 "which values to show, such as cpu or inuse_space; otherwise what the file prefers, or "
	 "counts"},
	{OPT_SECTION("Output")},
	{0, "format", "NAME", OPT_STRING(struct report, format), "text",
	 "text, folded, pprof, json, csv, speedscope, firefox, html or svg"},
	{'o', "output", "FILE", OPT_STRING(struct report, output), NULL,
	 "write here instead of standard output"},
	{0, "title", "TEXT", OPT_STRING(struct report, title), NULL, "of a flame graph"},
	COLOR_ROW(struct report, color),
	QUALITY_ROW(struct report, required_quality),
	{0},
};

static enum merge merge_of(const struct report *report)
{
	if (report->threads)
		return MERGE_BY_THREAD;
	return report->per_process ? MERGE_BY_PROCESS : MERGE_BY_COMM;
}

/* ---- reading ---- */

static int merge_file(struct snapshot *snapshot, const char *path,
		      const struct read_options *options, struct error *err)
{
	struct snapshot more;
	int code = formats__read_file(&more, path, options, err);

	if (code)
		return code;
	code = snapshot__merge(snapshot, &more, err);
	snapshot__fini(&more);
	return code;
}

/* All files in one snapshot, which is the caller's to fini if this succeeds. */
static int read_files(struct snapshot *snapshot, const struct report *report, char **paths,
		      struct error *err)
{
	const struct read_options options = {.sample_type = report->sample_type};
	int code;

	if (!*paths)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "which file? report needs one or more, or - for standard input");
	code = formats__read_file(snapshot, *paths, &options, err);
	if (code)
		return code;
	while (!code && *++paths)
		code = merge_file(snapshot, *paths, &options, err);
	if (code)
		snapshot__fini(snapshot);
	return code;
}

/* What becomes of a snapshot. */
struct output {
	const struct report *report;
	const struct format *format; /* NULL: text */
	uint64_t whole;		     /* before anything was filtered out */
	struct quality quality;	     /* of what was not */
	struct packages *packages;
	char **paths;
};

/* ---- text ---- */

/* What an interval of a report is called, and what it counts, in words. */
struct words {
	char *target, *values;
};

static void print_metric(FILE *out, const struct metric *type)
{
	text__print_safe(out, *type->name ? type->name : "(unnamed)", 40);
	fputs(" in ", out);
	text__print_safe(out, *type->unit ? type->unit : "(unnamed)", 40);
}

static void print_others(FILE *out, const struct metric *other, const char *left_out)
{
	fputs(" (also there: ", out);
	if (other->name)
		print_metric(out, other);
	fputs(other->name && left_out ? ", " : "", out);
	text__print_safe(out, left_out ? left_out : "", 120);
	fputs(left_out ? "; see --sample-type)" : ")", out);
}

static char *describe_files(char **paths)
{
	struct quoted quoted;
	const char *first = *paths ? *paths : "-";
	size_t nr_files = 0;
	char *text;
	int length;

	while (paths[nr_files])
		nr_files++;
	first = strcmp(first, "-") != 0 ? quote(&quoted, first) : "standard input";
	if (nr_files > 1)
		length = asprintf(&text, "%s and %zu more", first, nr_files - 1);
	else
		length = asprintf(&text, "%s", first);
	return length < 0 ? NULL : text;
}

/* "inuse_space in bytes (also there: inuse_objects in count, alloc_space; see --sample-type)" */
static char *describe_values(const struct snapshot *snapshot, uint64_t whole)
{
	const struct metric *shown = metrics__shown(&snapshot->metrics);
	const struct metric *other = metrics__other(&snapshot->metrics);
	uint64_t total = profile__total(snapshot->profile, snapshot->metrics.shown);
	char *text = NULL;
	size_t nr_bytes;
	FILE *out = open_memstream(&text, &nr_bytes);

	if (!out)
		return NULL;
	if (shown->name)
		print_metric(out, shown);
	else
		fputs("none", out);
	if (other->name || snapshot->left_out)
		print_others(out, other, snapshot->left_out);
	if (whole != total)
		fprintf(out, ", %.1f %% of them selected",
			whole ? 100.0 * (double)total / (double)whole : 0);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static int write_groups(FILE *out, const struct report *report, const struct interval *interval,
			const struct view_options *view)
{
	static const struct {
		enum group_by by;
		const char *name;
	} groupings[] = {
		[BY_FUNCTION] = {GROUP_BY_FUNCTION, "function"},
		[BY_SYMBOL] = {GROUP_BY_SYMBOL, "symbol"},
		[BY_MODULE] = {GROUP_BY_MODULE, "module"},
		[BY_PROCESS] = {GROUP_BY_PROCESS, "process"},
		[BY_THREAD] = {GROUP_BY_THREAD, "thread"},
		[BY_LINE] = {GROUP_BY_LINE, "line"},
		[BY_CGROUP] = {GROUP_BY_CGROUP, "cgroup"},
		[BY_CONTAINER] = {GROUP_BY_CONTAINER, "container"},
	};
	struct group_row *groups;
	long nr_groups = profile__group(interval->profile, groupings[report->by].by, view->value,
					(enum sort)report->sort, &groups);
	int code;

	if (nr_groups < 0)
		return (int)nr_groups;
	code = view__write_header(out, interval, view);
	if (!code)
		code = view__write_groups(out, interval, view, groups, (size_t)nr_groups,
					  groupings[report->by].name);
	free(groups);
	return code;
}

static int write_tree(FILE *out, const struct report *report, const struct interval *interval,
		      const struct view_options *view)
{
	int code = view__write_header(out, interval, view);

	return code ? code
		    : view__write_tree(out, interval, view,
				       report->tree == 1 ? TREE_FROM_ROOT : TREE_FROM_LEAF);
}

static int write_timeline(FILE *out, const struct snapshot *snapshot,
			  const struct interval *interval, const struct view_options *view)
{
	int code = view__write_header(out, interval, view);

	return code ? code : view__write_timeline(out, snapshot, view);
}

static int write_text(FILE *out, const struct output *output, const struct snapshot *snapshot,
		      const struct words *words)
{
	const struct report *report = output->report;
	const struct metric *type = metrics__shown(&snapshot->metrics);
	const struct view_options view = {
		.merge = merge_of(report),
		.nr_rows = report->nr_rows,
		.color = !report->output && printer__use_color((enum color)report->color),
		.pids = report->per_process || report->threads,
		.lines = report->lines.lines,
		.value = snapshot->metrics.shown,
		.value_name = snapshot->metrics.shown == VALUE_COUNT ? NULL : type->name,
		.value_unit = type->unit,
		.whole = output->whole,
		.percent_limit = report->percent_limit,
	};
	struct interval interval;

	snapshot__as_interval(snapshot, &interval);
	if (!interval.target)
		interval.target = words->target;
	interval.values = words->values;
	interval.quality = output->quality;
	if (report->tree)
		return write_tree(out, report, &interval, &view);
	if (report->by == BY_TIME)
		return write_timeline(out, snapshot, &interval, &view);
	if (report->by != BY_STACK)
		return write_groups(out, report, &interval, &view);
	return view__write_block(out, &interval, &view);
}

static int write_described(FILE *out, const struct output *output, const struct snapshot *snapshot)
{
	struct words words = {describe_files(output->paths),
			      describe_values(snapshot, output->whole)};
	int code =
		words.target && words.values ? write_text(out, output, snapshot, &words) : -ENOMEM;

	free(words.target);
	free(words.values);
	return code;
}

/* ---- any output ---- */

static int write_any(FILE *out, const struct output *output, const struct snapshot *snapshot)
{
	const struct write_options options = {.merge = merge_of(output->report),
					      .title = output->report->title,
					      .quality = &output->quality};

	if (!output->format)
		return write_described(out, output, snapshot);
	return output->format->write(out, snapshot, &options);
}

static int write_file(const struct output *output, const struct snapshot *snapshot)
{
	struct replace replace;
	int code = replace__open(&replace, output->report->output);

	if (code)
		return code;
	code = write_any(replace.out, output, snapshot);
	if (!code)
		return replace__commit(&replace);
	replace__abandon(&replace);
	return code;
}

static int write_output(const struct output *output, const struct snapshot *snapshot,
			struct error *err)
{
	const char *path = output->report->output;
	struct quoted quoted;
	int code;

	if (!path || !strcmp(path, "-"))
		code = write_any(stdout, output, snapshot);
	else
		code = write_file(output, snapshot);
	return code ? error__set(err, EXIT_INTERNAL, code, "cannot write %s",
				 path ? quote(&quoted, path) : "standard output")
		    : 0;
}

/* The ledger is that of the whole run: of a part of it nobody knows how much is truncated. */
static int measure_quality(struct output *output, const struct snapshot *snapshot,
			   struct error *err)
{
	const bool is_part = output->report->focus || output->report->ignore;
	const bool counts = snapshot->has_ledger && !is_part;

	if (quality__measure(&output->quality, snapshot->profile, counts ? &snapshot->ledger : NULL,
			     counts ? VALUE_COUNT : snapshot->metrics.shown))
		return error__no_memory(err);
	output->packages = packages__new(NULL);
	gate__find_packages(&output->quality, output->packages);
	return 0;
}

static int find_lines(struct snapshot *snapshot, const struct line_options *options,
		      struct error *err)
{
	struct lines *lines = NULL;
	int code = 0;

	if (options->lines) {
		lines = annotator__open(options, &(struct symbols_options){.demangle = true});
		code = lines ? annotator__complete(lines, snapshot, UINT64_MAX, true) : -ENOMEM;
	}
	if (!code && options->no_inline)
		code = annotator__drop_inlined(snapshot);
	lines__free(lines);
	return code ? error__no_memory(err) : 0;
}

static int check_slices(const struct snapshot *snapshot, const struct report *report,
			struct error *err)
{
	if (report->by != BY_TIME || snapshot->nr_slices)
		return 0;
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "no intervals to show by time: use one file of record --intervals SEC");
}

static int run_report(const struct options *options, struct error *err)
{
	const struct report *report = options->values;
	struct output output = {.report = report, .paths = options->words};
	struct snapshot snapshot;
	int code;

	if (strcmp(report->format, "text") != 0) {
		output.format = formats__find(report->format, err);
		if (!output.format)
			return err->code;
	}
	code = read_files(&snapshot, report, options->words, err);
	if (code)
		return code;
	code = check_slices(&snapshot, report, err);
	if (!code)
		code = find_lines(&snapshot, &report->lines, err);
	output.whole = profile__total(snapshot.profile, snapshot.metrics.shown);
	if (!code)
		code = snapshot__filter(&snapshot, report->focus, report->ignore, err);
	if (!code)
		code = measure_quality(&output, &snapshot, err);
	if (!code)
		code = write_output(&output, &snapshot, err);
	if (!code)
		code = gate__check(&output.quality, report->required_quality, err);
	packages__free(output.packages);
	snapshot__fini(&snapshot);
	return code;
}

const struct subcommand subcommand_report = {
	.name = "report",
	.summary = "show what is in files, or turn them into another format",
	.usage = "[OPTION...] FILE...",
	.description = "Reads gzipped or plain pprof profiles, by topstacks or others, and folded "
		       "stacks; -: standard input. Several files are added up.",
	.operands = OPERANDS_WORDS,
	.rows = rows,
	.values_size = sizeof(struct report),
	.run = run_report,
};
