// SPDX-License-Identifier: GPL-2.0-only
/*
 * The words of all formats, and the table of formats. Nothing here prints a name: names are
 * hostile, and each format escapes them in its own way.
 */
#include "diff/reports/report.h"

#include <math.h>

/* ---- choice and order of units ---- */

/* The rank of a unit's verdict; smaller comes first. */
static int rank_of(const struct diff_report *report, size_t unit)
{
	static const int ranks[VERDICTS] = {
		[VERDICT_REGRESSED] = 1, [VERDICT_IMPROVED] = 2,     [VERDICT_NOT_ENOUGH] = 3,
		[VERDICT_UNCHANGED] = 4, [VERDICT_NOT_COMPARED] = 5,
	};

	return report->outcome->fails[unit] ? 0 : ranks[report->decision->findings[unit].verdict];
}

static double weight_of(const struct finding *finding)
{
	return fabs(finding->share[SIDE_NEW] - finding->share[SIDE_BASE]);
}

static int compare_units(const void *left, const void *right, void *context)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;
	const struct diff_report *report = context;
	int order = rank_of(report, a) - rank_of(report, b);
	double x = weight_of(&report->decision->findings[a]);
	double y = weight_of(&report->decision->findings[b]);

	if (!order)
		order = (x < y) - (x > y);
	return order ? order : (a > b) - (a < b);
}

/* The needed number of samples is not told for units with a smaller share. */
#define ASKED_POINTS 2 /* times min_points */

/* Nor for units with a larger share, like main: it cannot change. */
#define NEARLY_ALL 0.9

/*
 * True if an undecided unit is shown, with the number of runs that it needs. Most readers take such
 * units for noise, and the summary has their number. If the report passed, none is shown. If it
 * failed, those that seem to have changed are; if it decides nothing, all are.
 */
static bool is_worth_asking(const struct diff_report *report, const struct finding *finding)
{
	const double *share = finding->share;
	const bool is_of_rates = comparison__is_of_rates(match__comparison(report->match));
	const enum exit_code code =
		outcome__exit_code(report->outcome, report->decision, report->required_power);

	if (code == EXIT_DONE || (code == EXIT_GATE && finding->log_ratio < finding->floor_up &&
				  -finding->log_ratio < finding->floor_down))
		return false;
	return (is_of_rates || share[SIDE_BASE] < NEARLY_ALL) &&
	       fmax(share[SIDE_BASE], share[SIDE_NEW]) >=
		       ASKED_POINTS * report->options->min_points;
}

/* The rename of a function. A renamed module is told once, not for each of its functions. */
static const struct rename *rename_of(const struct diff_report *report, size_t unit)
{
	const struct rename *rename = match__unit(report->match, unit).rename;

	return rename && rename->name ? rename : NULL;
}

/* True if the unit has a row for people. */
static bool is_shown(const struct diff_report *report, size_t unit)
{
	const struct finding *finding = &report->decision->findings[unit];

	if (finding->untested == UNTESTED_MACHINE)
		return report->unchanged && weight_of(finding) >= report->options->min_points;
	if (finding->untested == UNTESTED_SMALL)
		return false;
	if (finding->untested != TESTED ||
	    (finding->verdict == VERDICT_NOT_ENOUGH && !is_worth_asking(report, finding)))
		return report->unchanged;
	return report->unchanged || finding->share_only || finding->verdict != VERDICT_UNCHANGED ||
	       rename_of(report, unit);
}

size_t rows__choose(const struct diff_report *report, size_t **units)
{
	const size_t nr_units = report->decision->nr_units;
	size_t nr = 0;

	*units = xcalloc(nr_units, sizeof(**units));
	for (size_t u = 0; u < nr_units; u++)
		if (is_shown(report, u))
			(*units)[nr++] = u;
	qsort_r(*units, nr, sizeof(**units), compare_units, (void *)report);
	return report->nr_rows && nr > report->nr_rows ? report->nr_rows : nr;
}

/* ---- the whole ---- */

/*
 * Says "subtrees" for a picture: its title stands beside the report of functions, which has other
 * numbers.
 */
static void print_verdict(FILE *out, const struct diff_report *report)
{
	const struct decision *decision = report->decision;
	const struct outcome *outcome = report->outcome;
	const size_t nr_units = outcome->nr_failing - outcome->run_fails;
	const bool is_blind = outcome__exit_code(outcome, decision, report->required_power);
	struct quoted quoted;
	const char *noun = match__noun(report->match, &quoted);
	size_t nr_undecided = 0;

	if (!decision->nr_runs[SIDE_BASE] || !decision->nr_runs[SIDE_NEW]) {
		fprintf(out, "nothing compared: %s no %s",
			decision->nr_runs[SIDE_BASE]  ? "new has"
			: decision->nr_runs[SIDE_NEW] ? "base has"
						      : "both sides have",
			noun);
	} else {
		fputs(outcome->nr_failing ? "FAILED: "
		      : is_blind	  ? "BLIND: nothing found in "
		      : report->totals && report->totals->weight
			      ? "passed as to counts, not weights: "
			      : "passed: ",
		      out);
		if (outcome->run_fails && report->totals)
			fprintf(out, "a run as a whole %s%s",
				verdict__name(report->totals->verdict), nr_units ? ", and " : "; ");
		if (nr_units)
			fprintf(out, "%zu of ", nr_units);
		fprintf(out, "%zu %s%s tested%s", decision->nr_tested,
			match__is_of_subtrees(report->match) ? "subtree" : "unit",
			text__plural(decision->nr_tested),
			is_blind && !outcome->nr_failing ? ", but with too little power" : "");
	}
	/* Units in all stacks, like main, were not tested: more samples would not help. */
	for (size_t u = 0; u < decision->nr_units; u++)
		nr_undecided += decision->findings[u].verdict == VERDICT_NOT_ENOUGH &&
				decision->findings[u].untested == TESTED;
	fprintf(out, " (%zu regressed, %zu improved, %zu unchanged, %zu not enough %s)\n",
		decision->nr[VERDICT_REGRESSED], decision->nr[VERDICT_IMPROVED],
		decision->nr[VERDICT_UNCHANGED], nr_undecided, noun);
}

static void print_power(FILE *out, const struct diff_report *report)
{
	static const char *const ends[2][2] = {{"% more of them", "times as many"},
					       {"% slower", "times as slow"}};
	const double effect = report->decision->found_effect;
	const bool is_time = match__counts_samples(report->match), is_large = effect >= 9;
	struct quoted quoted;
	const char *noun = match__noun(report->match, &quoted);
	char number[ROUNDED_SIZE];

	if (!isfinite(effect) || effect > 100) {
		fprintf(out, "no %s of a function with 10 %% of the %s would be found\n",
			is_time ? "slowdown" : "change", noun);
		return;
	}
	text__format_rounded(number, 2, is_large ? 1 + effect : 100 * effect);
	fprintf(out,
		"a function with 10 %% of the %s must %s %s %s to be found (in 4 of 5 cases)\n",
		noun, is_time ? "become" : "have", number, ends[is_time][is_large]);
}

static void print_runs(FILE *out, const struct diff_report *report)
{
	const struct decision *decision = report->decision;
	struct quoted quoted;
	const char *noun = match__noun(report->match, &quoted);
	char percent[ROUNDED_SIZE];

	text__format_rounded(percent, 2, 100 * decision->cv);
	for (enum side side = 0; side < SIDES; side++)
		fprintf(out, "%s%s: %zu run%s, %.0f %.*s", side ? "; " : "", side ? "new" : "base",
			decision->nr_runs[side], text__plural(decision->nr_runs[side]),
			decision->samples[side],
			text__noun_length(noun, rint(decision->samples[side]) == 1), noun);
	if (decision->cv_estimated)
		fprintf(out, "; from run to run functions differ by %s %%\n", percent);
	else
		fprintf(out,
			"; that functions differ by %s %% from run to run is assumed, not "
			"estimated: take 3 to 5 runs a side\n",
			percent);
}

/*
 * Suggests other denominators, too: shares do not show that everything became slower; and a
 * recording of fixed length may have done more or less work, which neither shares nor its total
 * show.
 */
void rows__print_verdict(FILE *out, const struct diff_report *report)
{
	const struct totals *totals = report->totals;
	struct quoted quoted;
	bool is_other;

	print_verdict(out, report);
	if (!totals)
		return;
	totals__print(out, totals, match__noun(report->match, &quoted));
	totals__print_weights(out, totals, match__noun(report->match, &quoted));
	is_other = fabs(totals->change) - totals->half > report->options->min_effect;
	if (totals->verdict != VERDICT_NOT_COMPARED)
		fprintf(out,
			"runs differ too much for their means: functions are compared by their "
			"shares, a run as a whole by its rank: %s\n",
			totals->verdict == VERDICT_NOT_ENOUGH ? "no change found"
							      : verdict__name(totals->verdict));
	else if (comparison__is_of_rates(match__comparison(report->match)))
		return;
	else if (totals->end_by_time && (is_other || report->decision->nr[VERDICT_IMPROVED]))
		fprintf(out, "recordings that end by time may have done more or less in it: "
			     "--per work judges what a piece of work takes\n");
	else if (is_other)
		fprintf(out, "shares of samples do not show this; --per run judges it\n");
}

#define MOST_MODULES 4 /* listed by name */

/* Lists functions and modules with two names. */
static void print_renames(FILE *out, const struct renames *renames)
{
	size_t nr_modules = 0, nr_functions = 0, nr_unsure = 0;

	for (size_t i = 0; i < renames->nr; i++) {
		const struct rename *rename = renames->list[i];
		struct quoted old, fresh;

		nr_functions += rename->name != NULL;
		nr_unsure += !rename->is_sure;
		if (!rename->name && nr_modules++ < MOST_MODULES)
			fprintf(out, "renamed: %s of base is %s of new\n",
				quote(&old, rename->module), quote(&fresh, rename->new_module));
	}
	if (nr_modules > MOST_MODULES)
		fprintf(out, "and %zu more modules\n", nr_modules - MOST_MODULES);
	if (nr_functions)
		fprintf(out, "%zu function%s another name in new%s\n", nr_functions,
			nr_functions == 1 ? " has" : "s have",
			!nr_unsure ? ""
			: nr_unsure == nr_functions
				? ", or others are gone and these are new: share and callers are "
				  "the same"
				: "; of some, others may be gone and these be new");
}

void rows__print_circumstances(FILE *out, const struct diff_report *report)
{
	const struct decision *decision = report->decision;
	char base[ROUNDED_SIZE], new[ROUNDED_SIZE];

	print_power(out, report);
	print_runs(out, report);
	print_renames(out, match__renames(report->match));
	if (decision->between_df == 0 && decision->spread > SPREAD_WARNING)
		fprintf(out,
			"unchanged functions differ by more than was assumed: these runs are not "
			"alike\n");
	if (fabs(decision->incomplete[SIDE_BASE] - decision->incomplete[SIDE_NEW]) >=
	    report->options->min_points)
		fprintf(out,
			"stacks may lack callers in %s %% of base and %s %% of new: totals fail "
			"by what is beyond that\n",
			text__format_rounded(base, 2, 100 * decision->incomplete[SIDE_BASE]),
			text__format_rounded(new, 2, 100 * decision->incomplete[SIDE_NEW]));
	for (size_t i = 0; i < report->nr_warnings; i++)
		fprintf(out, "warning: %s\n", report->warnings[i]);
	if (decision->nr_changed)
		fprintf(out,
			"%zu function%s changed the shares of all others, which are measured "
			"without %s\n",
			decision->nr_changed, text__plural(decision->nr_changed),
			decision->nr_changed == 1 ? "it" : "them");
}

char *rows__summary(const struct diff_report *report)
{
	char *text = NULL;
	size_t size;
	FILE *out = xmemstream(&text, &size);

	rows__print_verdict(out, report);
	rows__print_circumstances(out, report);
	xfclose(out);
	text[size - 1] = '\0';
	return text;
}

/* ---- one row ---- */

/* Larger or smaller ratios mean nothing to readers. */
#define MOST_TIMES 1000

/* True if change and interval are written as factors: from 10 on percents are hard to read. */
static bool is_in_times(const struct finding *finding)
{
	return fmax(exp(finding->log_ratio), finding->untested == TESTED ? finding->high : 0) >= 10;
}

/* "5.6", "120", ">1,000", "<0.001" */
static const char *format_times(char text[ROUNDED_SIZE], double ratio)
{
	if (ratio > MOST_TIMES)
		snprintf(text, ROUNDED_SIZE, ">1,000");
	else if (ratio < 1.0 / MOST_TIMES)
		snprintf(text, ROUNDED_SIZE, "<0.001");
	else
		text__format_rounded(text, 2, ratio);
	return text;
}

static void format_change(char *text, size_t size, const struct finding *finding)
{
	double ratio = exp(finding->log_ratio);
	char times[ROUNDED_SIZE];

	if (finding->samples[SIDE_BASE] == 0 && finding->samples[SIDE_NEW] > 0)
		snprintf(text, size, "new");
	else if (finding->samples[SIDE_NEW] == 0)
		snprintf(text, size, "gone");
	else if (finding->untested == UNTESTED_NO_REFERENCE)
		text[0] = '\0';
	else if (is_in_times(finding))
		snprintf(text, size, "%s times", format_times(times, ratio));
	else
		snprintf(text, size, "%+.1f %%", 100 * (ratio - 1));
}

static void format_interval(char *text, size_t size, const struct finding *finding)
{
	char low[ROUNDED_SIZE], high[ROUNDED_SIZE];

	text[0] = '\0';
	if (finding->untested != TESTED ||
	    !(finding->samples[SIDE_BASE] > 0 && finding->samples[SIDE_NEW] > 0))
		return;
	if (is_in_times(finding))
		snprintf(text, size, "%s to %s times", format_times(low, finding->low),
			 format_times(high, finding->high));
	else
		snprintf(text, size, "%+.0f to %+.0f %%", 100 * (finding->low - 1),
			 100 * (finding->high - 1));
}

static void format_confidence(char *text, size_t size, const struct finding *finding)
{
	double p = finding->log_ratio > 0 ? finding->p_up : finding->p_down;

	text[0] = '\0';
	if (finding->untested != TESTED || p > 0.5)
		return;
	if (p < 0.0001)
		snprintf(text, size, ">99.99 %%");
	else
		snprintf(text, size, "%.*f %%", p < 0.01 ? 2 : 0, floor(1e4 * (1 - p)) / 100);
}

/* Limits of runs and lengths that are feasible. */
#define MOST_RUNS   1000
#define MOST_LENGTH 100
/* If the present length nearly suffices, one more run is needed, not longer ones. */
#define LEAST_LENGTH 1.1

static void format_needed(char *text, size_t size, const struct finding *finding)
{
	const bool has_runs = finding->needed_runs <= MOST_RUNS;
	const double length = finding->needed_length;
	const bool has_length = length >= LEAST_LENGTH && length <= MOST_LENGTH;
	char times[ROUNDED_SIZE];

	if (has_length)
		text__format_rounded(times, 2, length);
	if (has_runs && has_length)
		snprintf(text, size, "needs %.0f runs a side, or runs %s times as long",
			 ceil(finding->needed_runs), times);
	else if (has_runs)
		snprintf(text, size, "needs %.0f runs a side", ceil(finding->needed_runs));
	else if (has_length)
		snprintf(text, size, "needs runs %s times as long", times);
	else
		snprintf(text, size, "needs more than %d runs a side", MOST_RUNS);
}

static void format_remark(char *text, size_t size, const struct diff_report *report, size_t unit)
{
	const struct finding *finding = &report->decision->findings[unit];
	const bool is_self = match__comparison(report->match)->units[unit].kind == UNIT_SELF;

	text[0] = '\0';
	if (report->outcome->moved[unit] == unit)
		snprintf(text, size, "moved between it and %s",
			 is_self ? "what it calls" : "its callers and leaves");
	else if (report->outcome->moved[unit] != SIZE_MAX)
		snprintf(text, size,
			 finding->verdict == VERDICT_REGRESSED ? "moved here from" : "moved to");
	else if (finding->untested == UNTESTED_MACHINE)
		snprintf(text, size, "the machine's: not judged");
	else if (finding->untested == UNTESTED_EMPTY_SIDE)
		snprintf(text, size, "not tested: a side is empty");
	else if (finding->untested == UNTESTED_NO_REFERENCE)
		snprintf(text, size, "not tested: nothing is left to measure it against");
	else if (finding->share_only)
		snprintf(text, size, "share only: because of others");
	else if (finding->verdict == VERDICT_NOT_ENOUGH)
		format_needed(text, size, finding);
}

void unit_row__print_readings(FILE *out, const struct unit_row *row,
			      void (*print_name)(FILE *out, const char *name, const char *module))
{
	if (row->rival) {
		fputs("; or ", out);
		print_name(out, row->rival, row->rival_module);
		fputs(" changed the other way instead: shares do not tell", out);
	}
	if (row->rename) {
		fputs("; was ", out);
		print_name(out, row->rename->name, row->rename->module);
		if (!row->rename->is_sure)
			fputs(", or that is gone and this is new", out);
	}
}

struct unit_row unit_row__of(const struct diff_report *report, size_t unit)
{
	const struct finding *finding = &report->decision->findings[unit];
	enum unit_kind kind = match__comparison(report->match)->units[unit].kind;
	struct unit_row row = {
		.unit = unit,
		.finding = finding,
		.verdict = verdict__name(finding->verdict),
		.kind = kind == UNIT_SELF ? "self" : "total",
		.fails = report->outcome->fails[unit],
		.rename = rename_of(report, unit),
	};

	format_change(row.change, sizeof(row.change), finding);
	format_interval(row.interval, sizeof(row.interval), finding);
	format_confidence(row.confidence, sizeof(row.confidence), finding);
	format_remark(row.remark, sizeof(row.remark), report, unit);
	return row;
}

/* ---- rows with their names ---- */

/* Units that only moved became slower nowhere, so they have no explanation. */
static void print_named(FILE *out, const struct diff_report *report, size_t unit, print_row *print)
{
	struct unit_row row = unit_row__of(report, unit);
	const size_t partner = report->outcome->moved[unit], rival = row.finding->rival;
	struct explanation explanation;

	row.module = match__unit(report->match, unit).module;
	row.name = match__full_name(report->match, unit);
	row.label = row.module ? xasprintf("%s (%s)", row.name, row.module) : xstrdup(row.name);
	if (partner != SIZE_MAX && partner != unit) {
		row.partner = match__unit(report->match, partner).name;
		row.partner_module = match__unit(report->match, partner).module;
	}
	if (rival != SIZE_MAX) {
		row.rival = match__unit(report->match, rival).name;
		row.rival_module = match__unit(report->match, rival).module;
	}
	if (partner == SIZE_MAX && explanation__is_due(report->match, report->decision, unit)) {
		explanation__find(&explanation, report->match, report->decision, unit);
		row.explanation = &explanation;
	}
	print(out, report, &row);
	free(row.name);
	free(row.label);
}

void rows__print_shown(FILE *out, const struct diff_report *report, const char *heading,
		       print_row *print)
{
	size_t *units;
	const size_t nr = rows__choose(report, &units);

	if (nr)
		fputs(heading, out);
	for (size_t i = 0; i < nr; i++)
		print_named(out, report, units[i], print);
	free(units);
}

void rows__print_all(FILE *out, const struct diff_report *report, const char *separator,
		     print_row *print)
{
	bool begun = false;

	for (size_t u = 0; u < report->decision->nr_units; u++) {
		if (report->decision->findings[u].untested == UNTESTED_SMALL)
			continue;
		fputs(begun ? separator : "", out);
		print_named(out, report, u, print);
		begun = true;
	}
}

/* ---- the formats: name for --format, writer ---- */

static const struct {
	const char *name;
	void (*write)(FILE *out, const struct diff_report *report);
	bool is_for_people;
} formats[] = {
	{"text", report_text__write, true},	{"markdown", report_markdown__write, true},
	{"json", report_json__write, false},	{"junit", report_junit__write, false},
	{"github", report_github__write, true}, {"bmf", report_bmf__write, false},
	{"csv", report_csv__write, false},
};

#define NR_FORMATS (sizeof(formats) / sizeof(formats[0]))

const char *diff_report__format(size_t index)
{
	return index < NR_FORMATS ? formats[index].name : NULL;
}

static size_t find_format(const char *name)
{
	size_t i = 0;

	while (i < NR_FORMATS && strcmp(formats[i].name, name) != 0)
		i++;
	return i;
}

bool diff_report__is_for_people(const char *format)
{
	const size_t i = find_format(format);

	return i < NR_FORMATS && formats[i].is_for_people;
}

int diff_report__write(FILE *out, const struct diff_report *report, const char *format)
{
	const size_t i = find_format(format);

	if (i == NR_FORMATS)
		return -EINVAL;
	formats[i].write(out, report);
	return text__stream_error(out);
}
