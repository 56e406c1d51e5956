// SPDX-License-Identifier: GPL-2.0-only
/*
 * One object on one line: schema topstacks.diff/1. All units but those too small to matter; ratios,
 * never percent; null if not known, or without bound.
 */
#include <math.h>

#include "diff/reports/report.h"
#include "formats/json_text.h"

/* Prints the consumption of a run. */
static void print_totals(struct json *json, const struct totals *totals, bool fails)
{
	const struct metric *taken = totals->taken_metric;
	const bool has_time = taken && metric__unit_ns(taken) && totals->taken[SIDE_BASE] > 0;
	const bool has_bytes = taken && !metric__unit_ns(taken);

	json__open(json, "run", '{');
	json__number(json, "base_cpu_s", has_time ? totals->taken[SIDE_BASE] / 1e9 : NAN);
	json__number(json, "new_cpu_s", has_time ? totals->taken[SIDE_NEW] / 1e9 : NAN);
	if (has_bytes) {
		json__number(json, "base_bytes", totals->taken[SIDE_BASE]);
		json__number(json, "new_bytes", totals->taken[SIDE_NEW]);
	}
	json__number(json, "base_samples", totals->samples[SIDE_BASE]);
	json__number(json, "new_samples", totals->samples[SIDE_NEW]);
	json__number(json, "change", totals->change);
	json__number(json, "half_interval", totals->half);
	json__string(json, "verdict",
		     totals->verdict == VERDICT_NOT_COMPARED ? NULL
							     : verdict__name(totals->verdict));
	json__number(json, "ratio", totals->ratio);
	json__number(json, "p_slower", totals->p_up);
	json__number(json, "p_faster", totals->p_down);
	json__boolean(json, "fails", fails);
	json__close(json, '}');
}

/* The parts of each list, with its "other", add up to 1. */
static void print_explanation(struct json *json, const struct explanation *explanation)
{
	static const char *const names[] = {"callers", "callees", "lines"};
	const struct carriers *all[] = {&explanation->callers, &explanation->callees,
					&explanation->lines};

	json__open(json, "increase", '{');
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		char other[32];

		json__open(json, names[i], '[');
		for (size_t j = 0; j < all[i]->nr; j++) {
			const struct carrier *carrier = &all[i]->of[j];

			json__open(json, NULL, '{');
			json__number(json, "part", carrier->part);
			json__open(json, "path", '[');
			for (size_t name = 0; name < carrier->nr_names; name++)
				json__string(json, NULL, carrier->names[name]);
			json__close(json, ']');
			json__string(json, "file", carrier->file);
			json__number(json, "line", carrier->file ? carrier->line : NAN);
			json__close(json, '}');
		}
		json__close(json, ']');
		snprintf(other, sizeof(other), "other_%s", names[i]);
		json__number(json, other, all[i]->nr ? all[i]->other : NAN);
	}
	json__close(json, '}');
}

static void print_unit(FILE *out, const struct diff_report *report, const struct unit_row *row)
{
	static const char *const untested[UNTESTEDS] = {
		[UNTESTED_MACHINE] = "machine",
		[UNTESTED_SMALL] = "too small",
		[UNTESTED_EMPTY_SIDE] = "empty side",
		[UNTESTED_NO_REFERENCE] = "no reference",
	};
	const struct finding *finding = row->finding;
	const bool needs = finding->verdict == VERDICT_NOT_ENOUGH;
	struct json json = {.out = out};

	json__open(&json, NULL, '{');
	json__string(&json, "name", row->name);
	json__string(&json, "module", row->module);
	json__string(&json, "domain", frame_kind__name(match__unit(report->match, row->unit).kind));
	json__string(&json, "kind", row->kind);
	json__string(&json, "verdict", row->verdict);
	json__boolean(&json, "fails", row->fails);
	json__string(&json, "untested", untested[finding->untested]);
	for (enum side side = 0; side < SIDES; side++) {
		json__open(&json, side == SIDE_BASE ? "base" : "new", '{');
		json__number(&json, "samples", finding->samples[side]);
		json__number(&json, "share", finding->share[side]);
		json__close(&json, '}');
	}
	json__number(&json, "ratio", exp(finding->log_ratio));
	json__number(&json, "floor_slower", exp(finding->floor_up));
	json__number(&json, "floor_faster", exp(-finding->floor_down));
	if (finding->untested == TESTED) {
		json__number(&json, "low", finding->low);
		json__number(&json, "high", finding->high);
		json__number(&json, "df", finding->df);
		json__number(&json, "p_slower", finding->p_up);
		json__number(&json, "p_faster", finding->p_down);
		json__number(&json, "needed_runs", needs ? finding->needed_runs : NAN);
		json__number(&json, "needed_length",
			     needs && finding->needed_length > 0 ? finding->needed_length : NAN);
	}
	json__boolean(&json, "in_reference", !finding->changed);
	json__boolean(&json, "share_only", finding->share_only);
	json__boolean(&json, "moved", report->outcome->moved[row->unit] != SIZE_MAX);
	if (row->partner)
		json__string(&json, "moved_with", row->partner);
	if (row->rival)
		json__string(&json, "or_changed", row->rival);
	if (row->rename) {
		json__open(&json, "renamed", '{');
		json__string(&json, "name", row->rename->name);
		json__string(&json, "module", row->rename->module);
		json__boolean(&json, "sure", row->rename->is_sure);
		json__close(&json, '}');
	}
	if (row->explanation)
		print_explanation(&json, row->explanation);
	json__close(&json, '}');
	json__flush(&json);
}

void report_json__write(FILE *out, const struct diff_report *report)
{
	struct json writer = {.out = out}, *json = &writer;
	static const char *const phi_sources[] = {
		[PHI_NOT_NEEDED] = "not needed",
		[PHI_ESTIMATED] = "estimated",
		[PHI_ASSUMED_BURSTS] = "assumed",
		[PHI_BY_UNIT] = "by unit",
	};
	const struct decision *decision = report->decision;
	const struct renames *renames = match__renames(report->match);

	json__open(json, NULL, '{');
	json__string(json, "schema", "topstacks.diff/1");
	json__integer(json, "exit_code",
		      outcome__exit_code(report->outcome, decision, report->required_power));
	json__count(json, "failing", report->outcome->nr_failing);
	json__count(json, "tested", decision->nr_tested);
	for (enum side side = 0; side < SIDES; side++) {
		json__open(json, side == SIDE_BASE ? "base" : "new", '{');
		json__count(json, "runs", decision->nr_runs[side]);
		json__number(json, "samples", decision->samples[side]);
		json__close(json, '}');
	}
	if (report->totals)
		print_totals(json, report->totals, report->outcome->run_fails);
	json__number(json, "alpha", report->options->alpha);
	json__number(json, "min_effect", report->options->min_effect);
	json__number(json, "min_points", report->options->min_points);
	json__number(json, "run_to_run", decision->cv);
	json__boolean(json, "run_to_run_estimated", decision->cv_estimated);
	json__count(json, "between_df", decision->between_df);
	json__number(json, "phi", decision->phi);
	json__string(json, "phi_source", phi_sources[decision->phi_source]);
	json__number(json, "spread", decision->spread);
	json__number(json, "found_effect", decision->found_effect);
	json__string(json, "counted", match__counted(report->match));
	/* The functions of these modules are compared as if the modules had one name. */
	json__open(json, "renamed_modules", '[');
	for (size_t i = 0; i < renames->nr; i++) {
		if (renames->list[i]->name)
			continue;
		json__open(json, NULL, '{');
		json__string(json, "base", renames->list[i]->module);
		json__string(json, "new", renames->list[i]->new_module);
		json__close(json, '}');
	}
	json__close(json, ']');
	json__open(json, "warnings", '[');
	for (size_t i = 0; i < report->nr_warnings; i++)
		json__string(json, NULL, report->warnings[i]);
	json__close(json, ']');

	json__open(json, "units", '[');
	json__flush(json);
	rows__print_all(out, report, ",", print_unit);
	json__close(json, ']');
	json__end(json);
}
