// SPDX-License-Identifier: GPL-2.0-only
/*
 * topstacks baseline: runs kept for later comparisons. save keeps runs, show prints their paths,
 * and diff takes these.
 */
#include <sys/utsname.h>

#include "base/system/memory_limit.h"
#include "commands/common_rows.h"
#include "commands/subcommand.h"
#include "diff/baselines/baseline_store.h"
#include "diff/matching/run_files.h"

struct baseline_options {
	const char *directory, *benchmark, *machine, *branch, *sample_type;
	unsigned int nr_kept;
	uint64_t max_memory_bytes;
};

static const struct option_row rows[] = {
	{OPT_SECTION("Which baselines")},
	{0, "dir", "DIR", OPT_STRING_OF(struct baseline_options, directory, HINT_DIRECTORY),
	 "baselines", "the directory of the baselines"},
	{0, "benchmark", "NAME", OPT_STRING(struct baseline_options, benchmark), NULL,
	 "only this benchmark; save and show take \"default\" unless given"},
	{0, "machine", "NAME", OPT_STRING(struct baseline_options, machine), NULL,
	 "only this machine; save and show take this host's name unless given"},
	{0, "branch", "NAME", OPT_STRING(struct baseline_options, branch), NULL,
	 "only this branch; save and show take \"main\" unless given"},
	{0, "keep", "N", OPT_UNSIGNED(struct baseline_options, nr_kept, 1, 1000000), "10",
	 "prune: remove all but the newest N of each benchmark, machine and branch"},
	{0, "sample-type", "NAME", OPT_STRING(struct baseline_options, sample_type), NULL,
	 "save: refuse files without this event, such as page-faults"},
	FILE_MEMORY_ROW(struct baseline_options, max_memory_bytes),
	{0},
};

static struct baseline_key key_of(const struct baseline_options *wanted)
{
	return (struct baseline_key){wanted->benchmark, wanted->machine, wanted->branch};
}

/* The key with defaults of this machine for all fields not given. */
static struct baseline_key full_key(const struct baseline_options *wanted, struct utsname *host)
{
	struct baseline_key key = key_of(wanted);

	if (!key.benchmark)
		key.benchmark = "default";
	if (!key.machine)
		key.machine = uname(host) ? "localhost" : host->nodename;
	if (!key.branch)
		key.branch = "main";
	return key;
}

/* Prints the path, unchanged for other programs. */
static void print_path(const struct baseline *baseline)
{
	printf("%s\n", baseline->path);
}

/* Reads the runs first, so that only runs that diff can read are kept. */
static int save(const struct options *options, struct error *err)
{
	const struct baseline_options *wanted = options->values;
	struct run_files files = {.max_memory_bytes = wanted->max_memory_bytes,
				  .sample_type = wanted->sample_type};
	struct utsname host;
	struct baseline_key key = full_key(wanted, &host);
	char **paths, *saved = NULL;
	int code = 0;

	if (options->nr_words < 2)
		return error__say(err, EXIT_USAGE, -EINVAL, "save what? say save FILE...");
	for (size_t i = 1; i < options->nr_words && !code; i++)
		code = run_files__add(&files, options->words[i], SIDE_BASE, err);
	if (!code)
		code = run_files__read(&files, err);
	paths = xcalloc(files.nr + 1, sizeof(*paths));
	for (size_t i = 0; i < files.nr; i++)
		paths[i] = files.list[i].path;
	if (!code)
		code = baseline_store__save(wanted->directory, &key, paths, files.nr, &saved, err);
	if (!code)
		printf("%s\n", saved);
	free(saved);
	free(paths);
	run_files__free(&files);
	return code;
}

static int show(const struct options *options, struct error *err)
{
	const struct baseline_options *wanted = options->values;
	struct baselines found = {0};
	struct quoted names[3];
	struct utsname host;
	struct baseline_key key = full_key(wanted, &host);
	int code = baseline_store__find(wanted->directory, &key, &found, err);

	if (!code && !found.nr)
		code = error__say(err, EXIT_USAGE, -ENOENT,
				  "no baseline of benchmark %s, machine %s, branch %s; \"topstacks "
				  "baseline list\" shows what is there",
				  quote(&names[0], key.benchmark), quote(&names[1], key.machine),
				  quote(&names[2], key.branch));
	if (!code)
		print_path(&found.list[found.nr - 1]);
	baselines__fini(&found);
	return code;
}

static void print_cell(const char *text)
{
	size_t columns = text__print_safe(stdout, text, 0);

	printf("%*s", columns < 20 ? (int)(22 - columns) : 2, "");
}

static int list(const struct options *options, struct error *err)
{
	const struct baseline_options *wanted = options->values;
	struct baseline_key key = key_of(wanted);
	struct baselines found = {0};
	int code = baseline_store__find(wanted->directory, &key, &found, err);

	if (!code && found.nr)
		printf("%-22s%-22s%-22s%-22s%s\n", "BENCHMARK", "MACHINE", "BRANCH", "SAVED",
		       "RUNS");
	for (size_t i = 0; !code && i < found.nr; i++) {
		const struct baseline *one = &found.list[i];

		print_cell(one->benchmark);
		print_cell(one->machine);
		print_cell(one->branch);
		print_cell(one->time);
		printf("%zu\n", one->nr_runs);
	}
	baselines__fini(&found);
	return code;
}

static int prune(const struct options *options, struct error *err)
{
	const struct baseline_options *wanted = options->values;
	struct baseline_key key = key_of(wanted);

	return baseline_store__prune(wanted->directory, &key, wanted->nr_kept, print_path, err);
}

static const struct {
	const char *name;
	int (*run)(const struct options *options, struct error *err);
	bool takes_files;
} actions[] = {
	{"save", save, true},
	{"show", show, false},
	{"list", list, false},
	{"prune", prune, false},
};

static int run_baseline(const struct options *options, struct error *err)
{
	const struct baseline_options *wanted = options->values;
	struct quoted quoted;

	for (size_t i = 0; options->nr_words && i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (strcmp(actions[i].name, options->words[0]) != 0)
			continue;
		if (!actions[i].takes_files && options->nr_words > 1)
			return error__say(err, EXIT_USAGE, -EINVAL, "%s takes no files: %s",
					  actions[i].name, quote(&quoted, options->words[1]));
		memory_limit__set(wanted->max_memory_bytes);
		return memory_limit__explain(actions[i].run(options, err), err);
	}
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "what to do with baselines? say save FILE..., show, list or prune");
}

const struct subcommand subcommand_baseline = {
	.name = "baseline",
	.summary = "keep runs for later comparisons, and find them again",
	.usage = "[OPTION...] save FILE...\n"
		 "[OPTION...] show\n"
		 "[OPTION...] list\n"
		 "[OPTION...] prune",
	.description =
		"save copies runs into a directory of baselines, by benchmark, machine and branch. "
		"show prints the newest one's path: topstacks diff \"$(topstacks baseline show)\" "
		"--against new. list shows all baselines, prune removes old ones. save and prune "
		"print the paths that they made or removed.",
	.examples = "topstacks baseline save new\n"
		    "topstacks diff \"$(topstacks baseline show)\" --against new\n"
		    "topstacks baseline --keep 10 prune",
	.exit_codes = "0  done\n"
		      "2  there is no such baseline, wrong usage, or a file that cannot be used\n"
		      "4  an internal or I/O error, such as a write to a full disk",
	.operands = OPERANDS_WORDS,
	.actions = "save|show|list|prune",
	.hint = HINT_PROFILE,
	.rows = rows,
	.values_size = sizeof(struct baseline_options),
	.run = run_baseline,
};
