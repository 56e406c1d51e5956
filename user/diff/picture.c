// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns a comparison by subtrees into a flame graph: a stack for each path in which samples end or
 * that is wide enough to be drawn, with its verdict in a few words. Names are numbered in
 * alphabetical order, in which the flame graph draws callees.
 */
#include "diff/reports/report.h"

#include <math.h>

#include "diff/matching/match.h"
#include "flame/overlay.h"

#define NONE SIZE_MAX

/*
 * Narrower paths without own samples are left out: mean share of both sides, a tenth of a pixel of
 * 1200.
 */
#define MIN_SHARE (0.1 / 1200)

#define NEARLY_ALL 0.9
#define MOST_RATIO 1e9

struct picture_plan {
	const struct diff_report *report;
	uint32_t *name_of; /* by unit */
	uint32_t *path;	   /* of the current unit */
	size_t path_capacity;
	struct overlay overlay;
};

/* ---- names ---- */

struct named_unit {
	struct match_unit shown;
	size_t unit;
};

static int compare_strings(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return a == b ? 0 : strcmp(a, b);
}

static int compare_names(const void *left, const void *right)
{
	const struct match_unit *a = &((const struct named_unit *)left)->shown;
	const struct match_unit *b = &((const struct named_unit *)right)->shown;
	int order = compare_strings(a->name, b->name);

	return order ? order : compare_strings(a->module, b->module);
}

/* Numbers units in order of name; equal names share a number. */
static void init_overlay(struct picture_plan *plan)
{
	const size_t nr_units = plan->report->decision->nr_units;
	struct named_unit *units = xcalloc(nr_units, sizeof(*units));
	struct tree_name *names = xcalloc(nr_units, sizeof(*names));
	size_t nr_names = 0;

	plan->name_of = xcalloc(nr_units, sizeof(*plan->name_of));
	for (size_t u = 0; u < nr_units; u++)
		units[u] = (struct named_unit){match__unit(plan->report->match, u), u};
	qsort(units, nr_units, sizeof(*units), compare_names);
	for (size_t i = 0; i < nr_units; i++) {
		const struct match_unit *shown = &units[i].shown;

		if (!i || compare_names(&units[i - 1], &units[i]))
			names[nr_names++] = (struct tree_name){
				.text = shown->name, .module = shown->module, .kind = shown->kind};
		plan->name_of[units[i].unit] = (uint32_t)(nr_names - 1);
	}
	overlay__init(&plan->overlay, names, nr_names);
	free(units);
	free(names);
}

/* ---- the verdict on a path ---- */

static enum tone tone_of(const struct diff_report *report, size_t unit)
{
	const struct finding *finding = &report->decision->findings[unit];

	if (report->outcome->moved[unit] != SIZE_MAX)
		return TONE_MOVED;
	if (finding->verdict == VERDICT_REGRESSED)
		return TONE_REGRESSED;
	if (finding->verdict == VERDICT_IMPROVED)
		return TONE_IMPROVED;
	if (finding->untested != TESTED)
		return TONE_NONE;
	if (finding->verdict == VERDICT_UNCHANGED || finding->share_only)
		return TONE_UNCHANGED;
	/* Undecided: unchanged if the change may be chance, or is too small to matter. */
	if (finding->low > 1 && finding->log_ratio >= finding->floor_up)
		return TONE_SLOWER;
	if (finding->high < 1 && -finding->log_ratio >= finding->floor_down)
		return TONE_FASTER;
	return TONE_UNCHANGED;
}

/* "regressed: +98 % (+96 to +100 %); share only: because of others". */
static char *make_words(const struct unit_row *row)
{
	bool is_tested = row->finding->untested == TESTED;
	bool has_interval = is_tested && row->interval[0];

	return xasprintf("%s%s%s%s%s%s%s%s", row->verdict, is_tested ? ": " : "",
			 is_tested ? row->change : "", has_interval ? " (" : "",
			 has_interval ? row->interval : "", has_interval ? ")" : "",
			 row->remark[0] ? "; " : "", row->remark);
}

/* ---- paths ---- */

static bool is_total(const struct picture_plan *plan, size_t unit)
{
	return match__comparison(plan->report->match)->units[unit].kind == UNIT_TOTAL;
}

static bool is_machine(const struct picture_plan *plan, size_t unit)
{
	return match__comparison(plan->report->match)->units[unit].machine;
}

static double share_of(const struct decision *decision, size_t unit, enum side side)
{
	return decision->samples[side] > 0
		       ? decision->findings[unit].samples[side] / decision->samples[side]
		       : 0;
}

/* The share of samples that end in the path. Samples of machine units are not in the picture. */
static uint64_t own_share(const struct picture_plan *plan, size_t path, enum side side)
{
	size_t self = is_total(plan, path) ? match__unit(plan->report->match, path).twin : path;

	if (self == NONE || is_machine(plan, self))
		return 0;
	return (uint64_t)llround(OVERLAY_WHOLE * share_of(plan->report->decision, self, side));
}

/*
 * Adds a unit that is drawn as a path: a total unit, or a self unit without a total. Paths of the
 * machine only are left out.
 */
static void add_path(struct picture_plan *plan, size_t unit)
{
	const struct decision *decision = plan->report->decision;
	struct overlay_stack stack = {
		.base = own_share(plan, unit, SIDE_BASE),
		.fresh = own_share(plan, unit, SIDE_NEW),
		.tone = tone_of(plan->report, unit),
	};
	double both = share_of(decision, unit, SIDE_BASE) + share_of(decision, unit, SIDE_NEW);
	struct unit_row row;
	uint32_t nr = 0;

	if (!is_total(plan, unit) &&
	    (match__unit(plan->report->match, unit).twin != NONE || is_machine(plan, unit)))
		return;
	if (!stack.base && !stack.fresh && both < 2 * MIN_SHARE)
		return;
	row = unit_row__of(plan->report, unit);
	stack.words = make_words(&row);
	if (stack.tone >= TONE_REGRESSED || row.finding->samples[SIDE_BASE] == 0 ||
	    row.finding->samples[SIDE_NEW] == 0)
		stack.change = xstrdup(row.change);
	for (; unit != NONE; unit = match__unit(plan->report->match, unit).parent) {
		array__reserve(&plan->path, &plan->path_capacity, nr + 1);
		plan->path[nr++] = plan->name_of[unit];
	}
	for (uint32_t i = 0; i < nr / 2; i++) {
		uint32_t name = plan->path[i];

		plan->path[i] = plan->path[nr - 1 - i];
		plan->path[nr - 1 - i] = name;
	}
	overlay__add(&plan->overlay, &stack, plan->path, nr);
}

/* ---- functions that changed as a whole ---- */

/* The ratio of the function's total, even if its self unit is shown. 0: not known. */
static double ratio_of(const struct diff_report *functions, size_t unit)
{
	const bool is_self = match__comparison(functions->match)->units[unit].kind == UNIT_SELF;
	const size_t twin = match__unit(functions->match, unit).twin;
	const struct finding *finding =
		&functions->decision->findings[is_self && twin != NONE ? twin : unit];
	const double ratio = exp(finding->log_ratio);

	return finding->samples[SIDE_BASE] > 0 && finding->samples[SIDE_NEW] > 0 &&
			       ratio < MOST_RATIO
		       ? ratio
		       : 0;
}

static void add_focuses(struct picture_plan *plan)
{
	const struct diff_report *functions = plan->report->functions;
	size_t *units = NULL;
	const size_t nr = functions ? rows__choose(functions, &units) : 0;

	for (size_t i = 0; i < nr; i++) {
		const struct unit_row row = unit_row__of(functions, units[i]);
		const struct match_unit shown = match__unit(functions->match, units[i]);
		const enum tone tone = tone_of(functions, units[i]);
		const double *share = row.finding->share;

		/* A function with nearly all samples is shown by the picture as a whole. */
		if (fmin(share[SIDE_BASE], share[SIDE_NEW]) >= NEARLY_ALL || tone < TONE_REGRESSED)
			continue;
		overlay__add_focus(&plan->overlay, shown.name, shown.module,
				   &(struct overlay_focus){.tone = tone,
							   .ratio = ratio_of(functions, units[i]),
							   .words = make_words(&row)});
	}
	free(units);
}

/* ---- the whole ---- */

#define MOST_FACTS 16

int diff_picture__write(FILE *out, const struct diff_report *report, bool page)
{
	struct picture_plan plan = {.report = report};
	char *summary = rows__summary(report), *rest = summary, *line;
	struct flame_fact facts[MOST_FACTS] = {
		{"", "width: mean share of both sides"},
		{"", "colour: of the frame with all above it"},
		{"runs", ""},
	};
	struct flame_options options = {.title = summary, .facts = facts, .nr_facts = 3};
	int code;

	init_overlay(&plan);
	for (size_t u = 0; u < report->decision->nr_units; u++)
		add_path(&plan, u);
	add_focuses(&plan);
	/* The first line is the title; the line about the runs comes before the other facts. */
	strsep(&rest, "\n");
	while ((line = strsep(&rest, "\n")) && options.nr_facts < MOST_FACTS) {
		if (!strncmp(line, "base:", 5))
			facts[2].text = line;
		else
			facts[options.nr_facts++] = (struct flame_fact){"", line};
	}
	code = page ? overlay__write_page(out, &plan.overlay, &options)
		    : overlay__write_svg(out, &plan.overlay, &options);
	overlay__fini(&plan.overlay);
	free(summary);
	free(plan.path);
	free(plan.name_of);
	return code;
}
