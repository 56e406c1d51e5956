// SPDX-License-Identifier: GPL-2.0-only
#include "diff/compare.h"

#include "base/output/destination.h"
#include "base/plain.h"
#include "diff/comparable.h"
#include "diff/reports/report.h"
#include "diff/statistics/comparison.h"

/* ---- comparable? ---- */

static int check_files(struct obstacles *obstacles, const struct run_files *files,
		       const struct compare_plan *plan, const struct diff_config *config,
		       struct error *err)
{
	obstacles__find(obstacles, files->list, files->nr, config->allowed);
	if (obstacles->refused) {
		bool has_more = false; /* another event may be one that all files have */

		for (size_t i = 0; i < files->nr; i++)
			has_more |= files->list[i].recording.more != NULL;
		error__say(err, EXIT_USAGE, -EINVAL, "not comparable: %s", obstacles->refused);
		return has_more ? error__remedy(err, "--sample-type picks an event that all have")
				: err->code;
	}
	if (!plan->strict || !obstacles->nr)
		return 0;
	error__say(err, EXIT_USAGE, -EINVAL, "not comparable: %s", obstacles->reasons[0]);
	for (size_t i = 1; i < obstacles->nr; i++)
		error__remedy(err, "%s", obstacles->reasons[i]);
	return err->code;
}

/* ---- rates ---- */

/* If all files have a period, runs of different rates can be compared. */
static bool all_have_periods(const struct run_files *files)
{
	for (size_t i = 0; i < files->nr; i++) {
		if (recording__period(&files->list[i].recording) <= 0)
			return false;
	}
	return true;
}

/* Rates need a measure of the difference between runs: a side with two runs that have samples. */
static bool has_replicates(const struct run_files *files)
{
	size_t nr[SIDES] = {0};

	for (size_t i = 0; i < files->nr; i++) {
		if (profile__total(files->list[i].recording.profile, VALUE_COUNT))
			nr[files->list[i].side]++;
	}
	return nr[SIDE_BASE] > 1 || nr[SIDE_NEW] > 1;
}

enum per compare__per(enum per wanted, const struct run_files *files, const struct totals *totals)
{
	if (wanted == PER_AUTO) {
		bool are_whole_runs = true;

		for (size_t i = 0; i < files->nr; i++)
			are_whole_runs &= files->list[i].recording.is_whole_run;
		wanted = are_whole_runs && has_replicates(files) ? PER_RUN : PER_SHARE;
	}
	return wanted == PER_RUN && totals->need_ranks ? PER_RANKS : wanted;
}

/* Checks that the files and options suffice for these rates. 0, or -EINVAL and EXIT_USAGE. */
static int check_rates(const struct rates *rates, const struct run_files *files, struct error *err)
{
	static const char *const names[] = {[PER_SECOND] = "second",
					    [PER_WORK] = "work",
					    [PER_RUN] = "run",
					    [PER_RANKS] = "run"};
	struct quoted quoted;

	if (rates->per == PER_WORK && !(rates->work[SIDE_BASE] > 0 && rates->work[SIDE_NEW] > 0))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "how much work? --per work needs --work-base and --work-new");
	if (rates->per != PER_WORK && (rates->work[SIDE_BASE] > 0 || rates->work[SIDE_NEW] > 0))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--work-base and --work-new are for --per work");
	if (rates->per != PER_SHARE && !has_replicates(files))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "rates differ from run to run, and one run a side cannot tell by "
				  "how much: --per %s needs more runs",
				  names[rates->per]);
	for (size_t i = 0; rates->per == PER_SECOND && i < files->nr; i++) {
		if (!files->list[i].recording.duration_ns)
			return error__say(
				err, EXIT_USAGE, -EINVAL,
				"%s does not say how long it was recorded, as --per second "
				"needs it",
				quote(&quoted, files->list[i].path));
	}
	return 0;
}

/* ---- deciding ---- */

/*
 * The denominator of a run's samples is its seconds, work or runs, divided by the period of a
 * sample, in billions of its unit, if all files have one. 0: shares are compared.
 */
struct run compare__run(const struct run_files *files, size_t index, const struct rates *rates)
{
	const struct run_file *file = &files->list[index];
	double amount = rates->per == PER_SHARE || rates->per == PER_RANKS ? 0 : 1;

	if (rates->per == PER_WORK)
		amount = rates->work[file->side];
	else if (rates->per == PER_SECOND)
		amount = (double)file->recording.duration_ns / 1e9;
	if (amount > 0 && all_have_periods(files))
		amount = amount / recording__period(&file->recording) * 1e9;
	return (struct run){
		.profile = file->recording.profile,
		.side = file->side,
		.divisor = amount,
		.incomplete = run_file__incomplete(file),
		.slices = file->recording.slices,
		.nr_slices = file->recording.nr_slices,
	};
}

int compare__decide(const struct run *runs, size_t nr_runs, enum match_by by,
		    const struct diff_config *config, const struct diff_report *said,
		    int (*use)(void *context, const struct diff_report *report, struct error *err),
		    void *context, struct error *err)
{
	const struct match_options options = {
		.by = by,
		.names = &config->names,
		.effects = config->effects,
		.nr_effects = config->nr_effects,
		.phases = config->decision.phases,
	};
	struct match *match = match__new(runs, nr_runs, &options);
	struct diff_report report = *said;
	struct decision decision;
	struct outcome outcome = {0};
	int code = decision__init(&decision, match__comparison(match), &config->decision);

	report.match = match;
	report.decision = &decision;
	report.outcome = &outcome;
	report.options = &config->decision;
	if (code) {
		error__set(err, EXIT_INTERNAL, code, "cannot compare");
	} else {
		outcome__init(&outcome, match, &decision, config->rules, config->nr_rules);
		if (said->totals)
			outcome__add_run(&outcome, said->totals, config->rules, config->nr_rules);
		code = use(context, &report, err);
	}
	outcome__fini(&outcome);
	decision__fini(&decision);
	match__free(match);
	return code;
}

/* ---- writing ---- */

struct outputs {
	const struct compare_plan *plan;
	mode_t mode; /* of new files */
};

static bool ends_in(const char *text, const char *end)
{
	size_t length = strlen(text), wanted = strlen(end);

	return length > wanted && !strcmp(text + length - wanted, end);
}

static int write_flamegraph(void *context, const struct diff_report *report, struct error *err)
{
	const struct outputs *outputs = context;
	const char *path = outputs->plan->flamegraph;
	struct destination destination;
	int code = destination__open(&destination, path, outputs->mode, err);

	if (code)
		return code;
	code = diff_picture__write(destination.out, report, ends_in(path, ".html"));
	return destination__close(&destination, code, err);
}

static int write_and_conclude(void *context, const struct diff_report *report, struct error *err)
{
	const struct outputs *outputs = context;
	const char *format = outputs->plan->format;
	const struct decision *decision = report->decision;
	const bool is_time = match__counts_samples(report->match);
	const enum exit_code exit_code =
		outcome__exit_code(report->outcome, decision, report->required_power);
	struct destination destination;
	struct quoted noun;
	char percent[ROUNDED_SIZE];
	int code = destination__open(&destination, outputs->plan->output, outputs->mode, err);
	int ended;
	FILE *out;

	if (code)
		return code;
	out = diff_report__is_for_people(format) ? plain__begin(destination.out) : destination.out;
	code = out ? diff_report__write(out, report, format) : -ENOMEM;
	ended = out ? plain__end(out, destination.out) : 0;
	code = destination__close(&destination, code ? code : ended, err);
	if (code)
		return code;

	/* After the report: the exit code, or why the comparison decides nothing. */
	if (exit_code != EXIT_USAGE)
		return (int)exit_code;
	for (enum side side = 0; side < SIDES; side++) {
		if (!decision->nr_runs[side])
			return error__say(err, exit_code, -ENODATA, "no run of %s has %s",
					  side == SIDE_BASE ? "base" : "new",
					  match__noun(report->match, &noun));
	}
	return error__say(err, exit_code, -ENODATA,
			  "a function with 10 %% of the %s could %s %s %% %s unseen; more runs or "
			  "longer ones would show it",
			  match__noun(report->match, &noun), is_time ? "be" : "have",
			  text__format_rounded(percent, 3, 100 * report->required_power),
			  is_time ? "slower" : "more of them");
}

/* The input of a picture. */
struct picture_source {
	const struct outputs *outputs;
	const struct diff_config *config;
	const struct diff_report *said;
	const struct run *runs;
	size_t nr_runs;
};

/* Compares again by subtree; functions: the report by function. */
static int draw(void *context, const struct diff_report *functions, struct error *err)
{
	const struct picture_source *source = context;
	struct diff_report said = *source->said;

	said.functions = functions;
	return compare__decide(source->runs, source->nr_runs, MATCH_SUBTREES, source->config, &said,
			       write_flamegraph, (void *)source->outputs, err);
}

/* ---- the whole ---- */

/* Writes the picture first, so that the report determines the exit code. */
static int compare(const struct compare_plan *plan, const struct diff_config *config,
		   const struct rates *rates, const struct run_files *files,
		   const struct totals *totals, const struct obstacles *obstacles,
		   struct error *err)
{
	const struct diff_report report = {
		.totals = totals,
		.nr_rows = plan->nr_rows,
		.budget = plan->budget,
		.unchanged = plan->unchanged,
		.required_power = plan->required_power / 100,
		.warnings = obstacles->reasons,
		.nr_warnings = obstacles->nr,
	};
	struct outputs outputs = {.plan = plan, .mode = DESTINATION_SHARED};
	struct run *runs = xcalloc(files->nr, sizeof(*runs));
	int code = 0;

	for (size_t i = 0; i < files->nr; i++) {
		runs[i] = compare__run(files, i, rates);
		/* The comparison is as private as the most private of its runs. */
		if (files->list[i].recording.is_private)
			outputs.mode = DESTINATION_PRIVATE;
	}
	if (plan->flamegraph) {
		struct picture_source source = {&outputs, config, &report, runs, files->nr};

		code = compare__decide(runs, files->nr, MATCH_FUNCTIONS, config, &report, draw,
				       &source, err);
	}
	if (!code)
		code = compare__decide(runs, files->nr, plan->by, config, &report,
				       write_and_conclude, &outputs, err);
	free(runs);
	return code;
}

int compare__check(const struct compare_plan *plan, struct error *err)
{
	const char *path = plan->flamegraph, *name;
	struct quoted quoted;
	size_t i = 0;

	while ((name = diff_report__format(i)) && strcmp(name, plan->format) != 0)
		i++;
	if (!name)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "no format %s; there are text, markdown, json, junit, "
				  "github, bmf, csv",
				  quote(&quoted, plan->format));
	if (path && !ends_in(path, ".html") && !ends_in(path, ".svg"))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "%s names no kind of flame graph; let it end in .html or .svg",
				  quote(&quoted, path));
	return 0;
}

int compare__files(const struct compare_plan *plan, const struct diff_config *config,
		   struct run_files *files, struct error *err)
{
	struct obstacles obstacles = {0};
	struct rates rates = plan->rates;
	struct totals totals;
	int code = run_files__read(files, err);

	if (code)
		return code;
	totals__init(&totals, files, &config->decision);
	rates.per = compare__per(rates.per, files, &totals);
	code = check_rates(&rates, files, err);
	if (code)
		return code;
	if (rates.per == PER_RANKS)
		totals__judge(&totals, &config->decision);
	code = check_files(&obstacles, files, plan, config, err);
	if (!code)
		code = compare(plan, config, &rates, files, &totals, &obstacles, err);
	obstacles__fini(&obstacles);
	return code;
}
