// SPDX-License-Identifier: GPL-2.0-only
/*
 * One object, one line: schema topstacks.diff/1. All units but those that are too small to matter;
 * ratios, never percent; what is not known or without bound is null.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/numbers.h"
#include "diff/report.h"

static void print_key(FILE *out, const char *key)
{
	fprintf(out, ",\"%s\":", key);
}

static void print_number(FILE *out, const char *key, double number)
{
	print_key(out, key);
	if (isfinite(number))
		text__print_number(out, number);
	else
		fputs("null", out);
}

static void print_bool(FILE *out, const char *key, bool value)
{
	print_key(out, key);
	fputs(value ? "true" : "false", out);
}

static void print_string(FILE *out, const char *key, const char *string)
{
	print_key(out, key);
	if (string)
		text__print_json(out, string);
	else
		fputs("null", out);
}

static const char *untested_name(enum untested untested)
{
	static const char *const names[UNTESTEDS] = {
		[UNTESTED_MACHINE] = "machine",
		[UNTESTED_SMALL] = "too small",
		[UNTESTED_EMPTY_SIDE] = "empty side",
		[UNTESTED_NO_REFERENCE] = "no reference",
	};

	return names[untested];
}

static void print_side(FILE *out, const struct diff_report *report, enum side side)
{
	fprintf(out, ",\"%s\":{\"runs\":%zu", side == SIDE_BASE ? "base" : "new",
		report->decision->nr_runs[side]);
	print_number(out, "samples", report->decision->samples[side]);
	fputs("}", out);
}

static void print_warnings(FILE *out, const struct diff_report *report)
{
	print_key(out, "warnings");
	fputs("[", out);
	for (size_t i = 0; i < report->nr_warnings; i++) {
		fputs(i ? "," : "", out);
		text__print_json(out, report->warnings[i]);
	}
	fputs("]", out);
}

static void print_whole(FILE *out, const struct diff_report *report)
{
	static const char *const phi_sources[] = {
		[PHI_NOT_NEEDED] = "not needed",
		[PHI_ESTIMATED] = "estimated",
		[PHI_ASSUMED_BURSTS] = "assumed",
	};
	const struct decision *decision = report->decision;

	fprintf(out,
		"{\"schema\":\"topstacks.diff/1\",\"exit_code\":%d,\"failing\":%zu,\"tested\":%zu",
		outcome__exit_code(report->outcome, decision, report->required_power),
		report->outcome->nr_failing, decision->nr_tested);
	print_side(out, report, SIDE_BASE);
	print_side(out, report, SIDE_NEW);
	print_number(out, "alpha", report->options->alpha);
	print_number(out, "min_effect", report->options->min_effect);
	print_number(out, "min_points", report->options->min_points);
	print_number(out, "run_to_run", decision->cv);
	print_bool(out, "run_to_run_estimated", decision->cv_estimated);
	print_number(out, "between_df", decision->between_df);
	print_number(out, "phi", decision->phi);
	print_string(out, "phi_source", phi_sources[decision->phi_source]);
	print_number(out, "spread", decision->spread);
	print_number(out, "found_effect", decision->found_effect);
	print_warnings(out, report);
}

static void print_counts(FILE *out, const char *key, const struct finding *finding, enum side side)
{
	fprintf(out, ",\"%s\":{\"samples\":%.0f", key, finding->samples[side]);
	print_number(out, "share", finding->share[side]);
	fputs("}", out);
}

static void print_test(FILE *out, const struct finding *finding)
{
	bool needs = finding->verdict == VERDICT_NOT_ENOUGH;

	print_number(out, "low", finding->low);
	print_number(out, "high", finding->high);
	print_number(out, "df", finding->df);
	print_number(out, "p_slower", finding->p_up);
	print_number(out, "p_faster", finding->p_down);
	print_number(out, "needed_runs", needs ? finding->needed_runs : NAN);
	print_number(out, "needed_length",
		     needs && finding->needed_length > 0 ? finding->needed_length : NAN);
}

static int print_unit(FILE *out, const struct diff_report *report, size_t unit)
{
	const struct finding *finding = &report->decision->findings[unit];
	struct match_unit shown = match__unit(report->match, unit);
	char *name = match__full_name(report->match, unit);
	size_t partner = report->outcome->moved[unit];

	if (!name)
		return -ENOMEM;
	fputs("{\"name\":", out);
	text__print_json(out, name);
	free(name);
	print_string(out, "module", shown.module);
	print_string(out, "domain", frame_kind__name(shown.kind));
	print_string(out, "kind", rows__kind(report, unit));
	print_string(out, "verdict", verdict__name(finding->verdict));
	print_bool(out, "fails", report->outcome->fails[unit]);
	print_string(out, "untested", untested_name(finding->untested));
	print_counts(out, "base", finding, SIDE_BASE);
	print_counts(out, "new", finding, SIDE_NEW);
	print_number(out, "ratio", exp(finding->log_ratio));
	print_number(out, "floor_slower", exp(finding->floor_up));
	print_number(out, "floor_faster", exp(-finding->floor_down));
	if (finding->untested == TESTED)
		print_test(out, finding);
	print_bool(out, "in_reference", !finding->changed);
	print_bool(out, "share_only", finding->share_only);
	print_bool(out, "moved", partner != SIZE_MAX);
	if (rows__partner(report, unit) != SIZE_MAX)
		print_string(out, "moved_with", match__unit(report->match, partner).name);
	fputs("}", out);
	return 0;
}

int report_json__write(FILE *out, const struct diff_report *report)
{
	int err;

	print_whole(out, report);
	fputs(",\"units\":[", out);
	err = rows__print_units(out, report, print_unit);
	fputs("]}\n", out);
	return err;
}
