// SPDX-License-Identifier: GPL-2.0-only
/*
 * JUnit XML, as CI servers show it: a test case for every tested unit, and one for the comparison
 * as a whole, which is an error if the comparison decides nothing.
 *
 *	<testsuite name="topstacks diff" tests="3" failures="1" errors="0" skipped="1">
 *	 <testcase classname="profile" name="comparison"/>
 *	 <testcase classname="x" name="sort self"><failure .../></testcase>
 *	 <testcase classname="x" name="draw total"><skipped message="needs 7 runs ..."/></testcase>
 */

#include "base/escape.h"
#include "diff/reports/report.h"

static bool is_error(const struct diff_report *report)
{
	return outcome__exit_code(report->outcome, report->decision, report->required_power) ==
	       EXIT_USAGE;
}

static bool is_case(const struct diff_report *report, size_t unit)
{
	return report->decision->findings[unit].untested == TESTED;
}

static void print_function(FILE *out, const char *name, const char *module)
{
	(void)module; /* messages show functions without modules */
	text__print_xml(out, name);
}

static void print_case(FILE *out, const struct diff_report *report, const struct unit_row *row)
{
	struct quoted noun;

	if (!is_case(report, row->unit))
		return;
	fputs("<testcase classname=\"", out);
	text__print_xml(out, row->module ? row->module : "[unknown]");
	fputs("\" name=\"", out);
	text__print_xml(out, row->name);
	fprintf(out, " %s\">", row->kind);
	if (row->fails) {
		fprintf(out, "<failure type=\"%s\" message=\"%s (%s): %.1f %% of ", row->verdict,
			row->change, row->interval, 100 * row->finding->share[SIDE_BASE]);
		text__print_xml(out, match__noun(report->match, &noun));
		fprintf(out, ", now %.1f %%", 100 * row->finding->share[SIDE_NEW]);
		unit_row__print_readings(out, row, print_function);
		fputs("\"/>", out);
	} else if (row->finding->verdict == VERDICT_NOT_ENOUGH) {
		fprintf(out, "<skipped message=\"%s%s%s\"/>", row->verdict,
			row->remark[0] ? ": " : "", row->remark);
	}
	fputs("</testcase>\n", out);
}

void report_junit__write(FILE *out, const struct diff_report *report)
{
	size_t nr_cases = 1, nr_skipped = 0;
	char *text = rows__summary(report);

	for (size_t u = 0; u < report->decision->nr_units; u++) {
		nr_cases += is_case(report, u);
		nr_skipped += is_case(report, u) && !report->outcome->fails[u] &&
			      report->decision->findings[u].verdict == VERDICT_NOT_ENOUGH;
	}
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", out);
	fprintf(out,
		"<testsuite name=\"topstacks diff\" tests=\"%zu\" failures=\"%zu\" errors=\"%d\" "
		"skipped=\"%zu\">\n",
		nr_cases, report->outcome->nr_failing, is_error(report), nr_skipped);
	fputs("<testcase classname=\"profile\" name=\"comparison\">", out);
	if (is_error(report))
		fputs("<error message=\"no decision\" type=\"power\"/>", out);
	else if (report->outcome->run_fails)
		fprintf(out,
			"<failure type=\"%s\" message=\"a run as a whole takes %.2f times as "
			"long\"/>",
			verdict__name(report->totals->verdict), report->totals->ratio);
	fputs("<system-out>", out);
	for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
		text__print_xml(out, line);
		fputs(rest ? "\n" : "", out);
	}
	fputs("</system-out></testcase>\n", out);
	free(text);
	rows__print_all(out, report, "", print_case);
	fputs("</testsuite>\n</testsuites>\n", out);
}
