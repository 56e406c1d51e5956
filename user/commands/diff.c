// SPDX-License-Identifier: GPL-2.0-only
/* topstacks diff: compares runs before a change with runs after it. */
#include <unistd.h>

#include "actions/rename.h"
#include "base/files.h"
#include "base/system/memory_limit.h"
#include "commands/common_rows.h"
#include "commands/subcommand.h"
#include "diff/compare.h"
#include "profile/select/drop.h"
#include "profile/select/filter.h"
#include "run/notices.h"

#define MAX_CONFIG_BYTES (1u << 20)

struct diff_options {
	size_t against; /* 1 + the number of files before it */
	const char *base, *new;
	const char *config, *alpha, *min_effect, *min_share, *fail_on, *allow;
	const char *sample_type;
	char *drop;
	struct symbol_places naming;
	bool show_config;
	uint64_t max_memory_bytes;
	struct compare_plan plan;
};

static const struct option_row rows[] = {
	{OPT_SECTION("Which runs")},
	{0, "against", NULL, OPT_MARK(struct diff_options, against), NULL,
	 "files before --against are base, files after it are new"},
	{0, "base", "GLOB", OPT_STRING_OF(struct diff_options, base, HINT_PROFILE), NULL,
	 "base: all files that match this pattern"},
	{0, "new", "GLOB", OPT_STRING_OF(struct diff_options, new, HINT_PROFILE), NULL,
	 "new: all files that match this pattern"},
	{OPT_SECTION("What is compared")},
	{0, "by", "function|module|stack|subtree", OPT_CHOICE(struct diff_options, plan.by),
	 "function", "what each row stands for"},
	{0, "per", "auto|share|second|work|run", OPT_CHOICE(struct diff_options, plan.rates.per),
	 "auto",
	 "compare shares of the samples, or CPU time per second, per unit of work or per run; "
	 "auto: run if all files are whole runs of a command, else share"},
	{0, "work-base", "N",
	 OPT_NUMBER(struct diff_options, plan.rates.work[SIDE_BASE], 1e-9, 1e18), NULL,
	 "with --per work: units of work, such as requests, that each run of base did"},
	{0, "work-new", "N", OPT_NUMBER(struct diff_options, plan.rates.work[SIDE_NEW], 1e-9, 1e18),
	 NULL, "with --per work: the same for each run of new"},
	DROP_ROW(struct diff_options, drop),
	SYMFS_ROW(struct diff_options, naming.symfs),
	DEBUGINFOD_ROW(struct diff_options, naming.debuginfod),
	{0, "sample-type", "NAME", OPT_STRING(struct diff_options, sample_type), NULL,
	 "which event of the files to compare, such as page-faults; otherwise the first"},
	{OPT_SECTION("Decision")},
	{0, "fail-on", "RULES", OPT_STRING(struct diff_options, fail_on), NULL,
	 "changes that give exit code 1 (default regressed): regressed:total>5%, improved, none; "
	 "several with commas"},
	{0, "alpha", "P", OPT_STRING(struct diff_options, alpha), NULL,
	 "chance of a false alarm in the whole comparison (default 0.02)"},
	{0, "min-effect", "PERCENT", OPT_STRING(struct diff_options, min_effect), NULL,
	 "ignore smaller relative changes (default 5)"},
	{0, "min-share", "PERCENT", OPT_STRING(struct diff_options, min_share), NULL,
	 "ignore changes by less than this part of all samples (default 0.5)"},
	{0, "require-power", "PERCENT",
	 OPT_NUMBER(struct diff_options, plan.required_power, 0.01, 100000), NULL,
	 "exit code 2 if diff could miss this slowdown of a function with 10 % of samples"},
	{0, "config", "FILE", OPT_STRING_OF(struct diff_options, config, HINT_FILE), NULL,
	 "read settings from this file; options override them"},
	{0, "show-config", NULL, OPT_FLAG(struct diff_options, show_config), NULL,
	 "print all settings in the format of --config, and exit"},
	{OPT_SECTION("What may be compared")},
	{0, "strict", NULL, OPT_FLAG(struct diff_options, plan.strict), NULL,
	 "exit code 2 instead of a warning if runs are not comparable"},
	{0, "allow", "NAMES", OPT_STRING_OF(struct diff_options, allow, HINT_OBSTACLE), NULL,
	 "differences to allow: types, event, unwinding, cpu, cpus, kernel, host, rate, duration, "
	 "losses, empty; several with commas"},
	{OPT_SECTION("Output")},
	{0, "format", "NAME", OPT_STRING_OF(struct diff_options, plan.format, HINT_DIFF_FORMAT),
	 "text", "text, markdown, json, junit, github, bmf or csv"},
	{'o', "output", "FILE", OPT_STRING_OF(struct diff_options, plan.output, HINT_FILE), NULL,
	 "write to this file instead of standard output"},
	{0, "flamegraph", "FILE", OPT_STRING_OF(struct diff_options, plan.flamegraph, HINT_PICTURE),
	 NULL,
	 "also draw the comparison by subtree: a picture (.svg) or an interactive page (.html)"},
	{'n', "rows", "N", OPT_UNSIGNED(struct diff_options, plan.nr_rows, 1, 1000000000), "30",
	 "show at most N rows, in text and Markdown"},
	{0, "budget", "BYTES",
	 OPT_UNSIGNED(struct diff_options, plan.budget, LEAST_DIFF_BUDGET, 1000000000), "30000",
	 "with --format markdown: at most this many bytes"},
	{0, "unchanged", NULL, OPT_FLAG(struct diff_options, plan.unchanged), NULL,
	 "also show rows that did not change, and rows that cannot be decided"},
	FILE_MEMORY_ROW(struct diff_options, max_memory_bytes),
	{0},
};

/* ---- settings ---- */

static int read_config(struct diff_config *config, const char *path, struct error *err)
{
	struct quoted quoted;
	struct error inner = {0};
	char *text;
	const int fd = files__open_named(path);
	int code = fd < 0 ? fd : files__read_fd(fd, MAX_CONFIG_BYTES, &text, NULL);

	if (fd >= 0)
		close(fd);
	if (code) {
		error__set(err, EXIT_USAGE, code, "cannot read %s", quote(&quoted, path));
		return code == -ENODATA ? error__remedy(err, "no program writes to it") : code;
	}
	code = diff_config__parse(config, text, &inner);
	free(text);
	return code ? error__say(err, inner.exit_code, code, "%s, %s", quote(&quoted, path),
				 inner.text)
		    : 0;
}

static int make_config(struct diff_config *config, const struct diff_options *diff,
		       struct error *err)
{
	const struct {
		const char *key, *value;
	} given[] = {
		{"alpha", diff->alpha},		{"min-effect", diff->min_effect},
		{"min-share", diff->min_share}, {"fail-on", diff->fail_on},
		{"allow", diff->allow},
	};
	int code = 0;

	diff_config__init(config);
	if (diff->config)
		code = read_config(config, diff->config, err);
	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]) && !code; i++) {
		if (given[i].value)
			code = diff_config__set(config, given[i].key, given[i].value, err);
	}
	return code;
}

/* ---- files ---- */

/*
 * Finds the files: words before --against are the base, those after it new; all words, if a glob is
 * the other side.
 */
static int find_files(struct run_files *files, const struct diff_options *diff,
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
				  "which files? each side needs some: BASE... --against NEW...");
	return code;
}

/* State of preparing each file before it is compared. */
struct completing {
	struct namer namer;
	const char *drop; /* NULL: nothing */
	struct dropped dropped;
	uint64_t all; /* total that was read */
};

static int complete(void *context, struct recording *recording)
{
	struct completing *completing = context;
	struct error err = {0};
	int code = 0;

	rename__name(&completing->namer, recording);
	if (completing->drop)
		code = recording__drop(recording, completing->drop, &completing->dropped, &err);
	completing->all = sum_of(completing->all, profile__shown_total(recording->profile));
	return code;
}

static int compare_files(const struct options *options, const struct diff_config *config,
			 struct error *err)
{
	const struct diff_options *diff = options->values;
	struct completing completing = {.drop = diff->drop};
	struct run_files files = {.max_memory_bytes = diff->max_memory_bytes,
				  .sample_type = diff->sample_type,
				  .complete = complete,
				  .context = &completing};
	int code = find_files(&files, diff, options, err);

	if (!code && diff->drop)
		code = filter__check(diff->drop, err);
	if (!code)
		code = rename__start(&completing.namer, &diff->naming, false, err);
	files.placing = rename__placing(&completing.namer);
	if (!code)
		code = compare__files(&diff->plan, config, &files, err);
	rename__tell(&completing.namer);
	if (completing.drop && completing.all)
		notices__dropped(&completing.dropped, completing.all);
	/* The first event was taken, unless the user chose one. */
	for (size_t i = 0; i < files.nr && !files.sample_type; i++)
		if (files.list[i].is_read && files.list[i].recording.more) {
			notices__more_events(&files.list[i].recording, "compared");
			break;
		}
	run_files__free(&files);
	rename__stop(&completing.namer);
	return code;
}

static int run_diff(const struct options *options, struct error *err)
{
	const struct diff_options *diff = options->values;
	struct diff_config config;
	int code = compare__check(&diff->plan, err);

	if (code)
		return code;
	memory_limit__set(diff->max_memory_bytes);
	code = make_config(&config, diff, err);
	if (!code && diff->show_config)
		diff_config__print(stdout, &config);
	else if (!code)
		code = compare_files(options, &config, err);
	diff_config__fini(&config);
	return memory_limit__explain(code, err);
}

const struct subcommand subcommand_diff = {
	.name = "diff",
	.summary = "compare runs before and after a change, and find what is slower",
	.usage = "[OPTION...] BASE... --against NEW...",
	.description = "Each file is one run: a recording, a pprof profile with counts of "
		       "samples, or folded stacks. Three to five runs per side tell a change from "
		       "chance.",
	.examples = "topstacks diff base --against new        # directories of record --repeat\n"
		    "topstacks diff --require-power 50 base-*.pb.gz --against new-*.pb.gz\n"
		    "topstacks diff --flamegraph diff.html base --against new",
	.exit_codes = "0  nothing failed\n"
		      "1  a function regressed, or another rule of --fail-on holds\n"
		      "2  no decision: files that --strict refuses, a side without samples,\n"
		      "   less power than --require-power; or wrong usage\n"
		      "4  an internal or I/O error, such as a write to a full disk",
	.operands = OPERANDS_WORDS,
	.hint = HINT_PROFILE,
	.rows = rows,
	.values_size = sizeof(struct diff_options),
	.run = run_diff,
};
