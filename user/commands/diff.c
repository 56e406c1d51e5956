// SPDX-License-Identifier: GPL-2.0-only
/*
 * topstacks diff: runs of before against runs of after. What was recorded is read, what may not be
 * compared is told, and the decision of user/diff is shown; nothing is decided here but the order.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/quote.h"
#include "base/replace.h"
#include "commands/subcommand.h"
#include "diff/diff.h"
#include "diff/rates.h"
#include "diff/run_files.h"
#include "formats/formats.h"

#define MAX_CONFIG_BYTES (1u << 20)

struct diff {
	size_t against; /* 1 + the files before it */
	const char *base, *new;
	unsigned int by, nr_rows;
	struct rates rates;
	const char *config, *alpha, *min_effect, *min_share, *fail_on, *allow;
	double require_power;
	bool strict, show_config, unchanged;
	const char *format, *output, *flamegraph;
};

static const struct option_row rows[] = {
	{OPT_SECTION("Which runs")},
	{0, "against", NULL, OPT_MARK(struct diff, against), NULL,
	 "the files before it are base, those after it are new"},
	{0, "base", "GLOB", OPT_STRING(struct diff, base), NULL, "base: all files of such names"},
	{0, "new", "GLOB", OPT_STRING(struct diff, new), NULL, "new: all files of such names"},
	{OPT_SECTION("What is compared")},
	{0, "by", "function|module|stack|subtree", OPT_CHOICE(struct diff, by), "function",
	 "what is compared"},
	{0, "per", "share|second|work", OPT_CHOICE(struct diff, rates.per), "share",
	 "share of samples, CPU time a second of the recording, or CPU time a piece of work"},
	{0, "work-base", "N", OPT_NUMBER(struct diff, rates.work[SIDE_BASE], 1e-9, 1e18), NULL,
	 "with --per work: requests, items or the like that each run of base did"},
	{0, "work-new", "N", OPT_NUMBER(struct diff, rates.work[SIDE_NEW], 1e-9, 1e18), NULL,
	 "and each run of new"},
	{OPT_SECTION("Decision")},
	{0, "fail-on", "RULES", OPT_STRING(struct diff, fail_on), NULL,
	 "what ends with exit code 1: regressed unless given, or regressed:total>5%, improved, "
	 "several with commas, none"},
	{0, "alpha", "P", OPT_STRING(struct diff, alpha), NULL,
	 "chance of a false alarm in a whole comparison, 0.02 unless given"},
	{0, "min-effect", "PERCENT", OPT_STRING(struct diff, min_effect), NULL,
	 "smaller changes do not matter, 5 unless given"},
	{0, "min-share", "PERCENT", OPT_STRING(struct diff, min_share), NULL,
	 "changes by fewer of all samples do not matter, 0.5 unless given"},
	{0, "require-power", "PERCENT", OPT_NUMBER(struct diff, require_power, 0.01, 100000), NULL,
	 "exit code 2 if a slowdown by this of a function of 10 % might have been missed"},
	{0, "config", "FILE", OPT_STRING(struct diff, config), NULL,
	 "settings; options count more"},
	{0, "show-config", NULL, OPT_FLAG(struct diff, show_config), NULL,
	 "print all settings as such a file, and exit"},
	{OPT_SECTION("What may be compared")},
	{0, "strict", NULL, OPT_FLAG(struct diff, strict), NULL,
	 "exit code 2, not a warning, if runs are not comparable"},
	{0, "allow", "NAMES", OPT_STRING(struct diff, allow), NULL,
	 "what may differ: types, event, unwinding, cpu, cpus, kernel, host, rate, duration, "
	 "losses, empty; several with commas"},
	{OPT_SECTION("Output")},
	{0, "format", "NAME", OPT_STRING(struct diff, format), "text",
	 "text, markdown, json, junit, github, bmf or csv"},
	{'o', "output", "FILE", OPT_STRING(struct diff, output), NULL,
	 "write here instead of standard output"},
	{0, "flamegraph", "FILE", OPT_STRING(struct diff, flamegraph), NULL,
	 "also draw the comparison by subtree: .svg is a picture, .html a page to look closer"},
	{'n', "rows", "N", OPT_UNSIGNED(struct diff, nr_rows, 1, 1000000000), "30",
	 "at most so many rows, of text and Markdown"},
	{0, "unchanged", NULL, OPT_FLAG(struct diff, unchanged), NULL,
	 "show what did not change too"},
	{0},
};

/* ---- settings ---- */

static int read_config(struct diff_config *config, const char *path, struct error *err)
{
	struct quoted quoted;
	struct error inner = {0};
	char *text;
	int code = files__read(path, MAX_CONFIG_BYTES, &text, NULL);

	if (code)
		return error__set(err, EXIT_USAGE, code, "cannot read %s", quote(&quoted, path));
	code = diff_config__parse(config, text, &inner);
	free(text);
	return code ? error__say(err, inner.exit_code, code, "%s, %s", quote(&quoted, path),
				 inner.text)
		    : 0;
}

static int make_config(struct diff_config *config, const struct diff *diff, struct error *err)
{
	const struct {
		const char *key, *value;
	} given[] = {
		{"alpha", diff->alpha},		{"min-effect", diff->min_effect},
		{"min-share", diff->min_share}, {"fail-on", diff->fail_on},
		{"allow", diff->allow},
	};
	int code = diff_config__init(config) ? error__no_memory(err) : 0;

	if (!code && diff->config)
		code = read_config(config, diff->config, err);
	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]) && !code; i++) {
		if (given[i].value)
			code = diff_config__set(config, given[i].key, given[i].value, err);
	}
	return code;
}

/* ---- files ---- */

/* Words before --against are base, those after it new; all of them, if a glob is the other side. */
static int find_files(struct run_files *files, const struct diff *diff,
		      const struct options *options, struct error *err)
{
	size_t nr_base = diff->against ? diff->against - 1 : diff->new ? options->nr_words : 0;
	int code = 0;

	if (!diff->against && options->nr_words && !diff->new == !diff->base)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "which files are new? say BASE... --against NEW...");
	for (size_t i = 0; i < options->nr_words && !code; i++)
		code = run_files__add(files, options->words[i], i < nr_base ? SIDE_BASE : SIDE_NEW,
				      err);
	if (!code)
		code = run_files__add_glob(files, diff->base, SIDE_BASE, err);
	if (!code)
		code = run_files__add_glob(files, diff->new, SIDE_NEW, err);
	if (!code &&
	    !(run_files__has_side(files, SIDE_BASE) && run_files__has_side(files, SIDE_NEW)))
		code = error__say(err, EXIT_USAGE, -EINVAL,
				  "which files? diff needs one or more on both sides: BASE... "
				  "--against NEW...");
	return code;
}

/* ---- comparable? ---- */

static int refuse_strictly(const struct obstacles *obstacles, struct error *err)
{
	error__say(err, EXIT_USAGE, -EINVAL, "not comparable: %s", obstacles->reasons[0]);
	for (size_t i = 1; i < obstacles->nr; i++)
		error__remedy(err, "%s", obstacles->reasons[i]);
	return err->code;
}

static int check_files(struct obstacles *obstacles, const struct run_files *files,
		       const struct diff *diff, const struct diff_config *config, struct error *err)
{
	struct compared_file *compared = calloc(files->nr, sizeof(*compared));
	int code;

	if (!compared)
		return error__no_memory(err);
	for (size_t i = 0; i < files->nr; i++)
		compared[i] = (struct compared_file){files->list[i].path, &files->list[i].snapshot};
	code = obstacles__find(obstacles, compared, files->nr, config->allowed);
	free(compared);
	if (code)
		return error__no_memory(err);
	return diff->strict && obstacles->nr ? refuse_strictly(obstacles, err) : 0;
}

/* ---- runs ---- */

static struct run *make_runs(const struct run_files *files, const struct diff *diff)
{
	struct run *runs = calloc(files->nr, sizeof(*runs));

	for (size_t i = 0; runs && i < files->nr; i++) {
		const struct run_file *file = &files->list[i];

		runs[i] = (struct run){
			.profile = file->snapshot.profile,
			.side = file->side,
			.divisor = rates__divisor(&diff->rates, files, i),
			.incomplete = run_file__incomplete(file),
			.slices = file->snapshot.slices,
			.nr_slices = file->snapshot.nr_slices,
		};
	}
	return runs;
}

/* ---- report ---- */

typedef int write_report_as(FILE *out, const struct diff_report *report, const void *how);

static int write_text(FILE *out, const struct diff_report *report, const void *format)
{
	return diff_report__write(out, report, format);
}

static int write_picture(FILE *out, const struct diff_report *report, const void *is_page)
{
	return diff_flame__write(out, report, *(const bool *)is_page);
}

static int replace_file(const char *path, const struct diff_report *report, write_report_as *write,
			const void *how, struct error *err)
{
	struct quoted quoted;
	struct replace replace;
	int code = replace__open(&replace, path);

	if (!code) {
		code = write(replace.out, report, how);
		if (code)
			replace__abandon(&replace);
		else
			code = replace__commit(&replace);
	}
	return code ? error__set(err, EXIT_INTERNAL, code, "cannot write %s", quote(&quoted, path))
		    : 0;
}

static int write_report(const struct diff *diff, const struct diff_report *report,
			struct error *err)
{
	int code;

	if (diff->output && strcmp(diff->output, "-") != 0)
		return replace_file(diff->output, report, write_text, diff->format, err);
	code = diff_report__write(stdout, report, diff->format);
	return code ? error__set(err, EXIT_INTERNAL, code, "cannot write standard output") : 0;
}

static bool ends_in(const char *text, const char *end)
{
	size_t length = strlen(text), wanted = strlen(end);

	return length > wanted && !strcmp(text + length - wanted, end);
}

static int write_flamegraph(const struct diff *diff, const struct diff_report *report,
			    struct error *err)
{
	bool is_page = ends_in(diff->flamegraph, ".html");

	return replace_file(diff->flamegraph, report, write_picture, &is_page, err);
}

/* The report is written: what is left to say if it decides nothing. */
static int conclude(const struct diff_report *report, struct error *err)
{
	const struct decision *decision = report->decision;
	enum exit_code code = outcome__exit_code(report->outcome, decision, report->required_power);

	if (code != EXIT_USAGE)
		return (int)code;
	for (enum side side = 0; side < SIDES; side++) {
		if (!decision->nr_runs[side])
			return error__say(err, code, -ENODATA, "no run of %s has samples",
					  side == SIDE_BASE ? "base" : "new");
	}
	return error__say(err, code, -ENODATA,
			  "a function of 10 %% could be %.3g %% slower unseen; more runs or longer "
			  "ones would show it",
			  100 * report->required_power);
}

struct comparison_of {
	const struct diff *diff;
	const struct diff_config *config;
	const struct run *runs;
	size_t nr_runs;
	const struct obstacles *obstacles;
};

/* What becomes of a report: an exit code or negative errno. */
typedef int use_report(const struct diff *diff, const struct diff_report *report,
		       struct error *err);

static int decide(const struct comparison_of *of, const struct match *match, use_report *use,
		  struct error *err)
{
	struct decision decision = {0};
	struct outcome outcome = {0};
	const struct diff_report report = {
		.match = match,
		.decision = &decision,
		.outcome = &outcome,
		.options = &of->config->decision,
		.nr_rows = of->diff->nr_rows,
		.unchanged = of->diff->unchanged,
		.required_power = of->diff->require_power / 100,
		.warnings = of->obstacles->reasons,
		.nr_warnings = of->obstacles->nr,
	};
	int code = decision__init(&decision, match__comparison(match), &of->config->decision);

	if (!code)
		code = outcome__init(&outcome, match, &decision, of->config->rules,
				     of->config->nr_rules);
	code = code ? error__set(err, EXIT_INTERNAL, code, "cannot compare")
		    : use(of->diff, &report, err);
	outcome__fini(&outcome);
	decision__fini(&decision);
	return code;
}

static int match_and_decide(const struct comparison_of *of, enum match_by by, use_report *use,
			    struct error *err)
{
	const struct match_options options = {
		.by = by,
		.rules = of->config->names,
		.machine = of->config->machine,
		.effects = of->config->effects,
		.nr_effects = of->config->nr_effects,
	};
	struct match *match = NULL;
	int code = match__new(&match, of->runs, of->nr_runs, &options)
			   ? error__no_memory(err)
			   : decide(of, match, use, err);

	match__free(match);
	return code;
}

static int write_and_conclude(const struct diff *diff, const struct diff_report *report,
			      struct error *err)
{
	int code = write_report(diff, report, err);

	return code ? code : conclude(report, err);
}

/* The picture first: the report's exit code is the last word. */
static int compare(const struct diff *diff, const struct diff_config *config,
		   const struct run_files *files, const struct obstacles *obstacles,
		   struct error *err)
{
	struct run *runs = make_runs(files, diff);
	const struct comparison_of of = {diff, config, runs, files->nr, obstacles};
	int code = runs ? 0 : error__no_memory(err);

	if (!code && diff->flamegraph)
		code = match_and_decide(&of, MATCH_SUBTREES, write_flamegraph, err);
	if (!code)
		code = match_and_decide(&of, (enum match_by)diff->by, write_and_conclude, err);
	free(runs);
	return code;
}

static int check_format(const char *format, struct error *err)
{
	struct quoted quoted;
	const char *name;

	for (size_t i = 0; (name = diff_report__format(i)); i++) {
		if (!strcmp(name, format))
			return 0;
	}
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "no format %s; there are text, markdown, json, junit, "
			  "github, bmf, csv",
			  quote(&quoted, format));
}

static int check_flamegraph(const char *path, struct error *err)
{
	struct quoted quoted;

	if (!path || ends_in(path, ".html") || ends_in(path, ".svg"))
		return 0;
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "%s names no kind of flame graph; let it end in .html or .svg",
			  quote(&quoted, path));
}

static int compare_files(const struct options *options, const struct diff_config *config,
			 struct error *err)
{
	const struct diff *diff = options->values;
	struct obstacles obstacles = {0};
	struct run_files files = {0};
	int code = find_files(&files, diff, options, err);

	if (!code)
		code = run_files__read(&files, err);
	if (!code)
		code = rates__check(&diff->rates, &files, err);
	if (!code)
		code = check_files(&obstacles, &files, diff, config, err);
	if (!code)
		code = compare(diff, config, &files, &obstacles, err);
	obstacles__fini(&obstacles);
	run_files__free(&files);
	return code;
}

static int run_diff(const struct options *options, struct error *err)
{
	const struct diff *diff = options->values;
	struct diff_config config;
	int code = check_format(diff->format, err);

	if (!code)
		code = check_flamegraph(diff->flamegraph, err);
	if (code)
		return code;
	code = make_config(&config, diff, err);
	if (!code && diff->show_config)
		diff_config__print(stdout, &config);
	else if (!code)
		code = compare_files(options, &config, err);
	diff_config__fini(&config);
	return code;
}

const struct subcommand subcommand_diff = {
	.name = "diff",
	.summary = "compare runs of before and after: what became slower, and is that real?",
	.usage = "[OPTION...] BASE... --against NEW...",
	.description = "Each file is one run: what record wrote, a pprof profile with counts of "
		       "samples, or folded stacks. Three to five runs a side tell a change from "
		       "chance. Exit code 1: something regressed; 2: bad or incomparable input.",
	.operands = OPERANDS_WORDS,
	.rows = rows,
	.values_size = sizeof(struct diff),
	.run = run_diff,
};
