// SPDX-License-Identifier: GPL-2.0-only
/*
 * RFC 4180: a heading, then a line for every unit that is not too small. The values are those of
 * report_json.c, and empty where they are null there.
 */
#include <math.h>

#include "base/escape.h"
#include "diff/reports/report.h"

/* Larger numbers mean that there is no bound. */
#define NO_BOUND 1e9

static void print_number(FILE *out, double number)
{
	fputc(',', out);
	if (number < NO_BOUND) /* false also for NAN */
		text__print_number(out, number);
}

static void print_unit(FILE *out, const struct diff_report *report, const struct unit_row *row)
{
	const struct finding *finding = row->finding;
	const bool tested = finding->untested == TESTED;
	const bool needs = tested && finding->verdict == VERDICT_NOT_ENOUGH;

	text__print_csv(out, row->name);
	fputc(',', out);
	text__print_csv(out, row->module ? row->module : "");
	fprintf(out, ",%s,%s,%s,%d", frame_kind__name(match__unit(report->match, row->unit).kind),
		row->kind, row->verdict, row->fails);
	for (enum side side = 0; side < SIDES; side++) {
		fprintf(out, ",%.0f", finding->samples[side]);
		print_number(out, finding->share[side]);
	}
	print_number(out, exp(finding->log_ratio));
	print_number(out, tested ? finding->low : NAN);
	print_number(out, tested ? finding->high : NAN);
	print_number(out, tested ? finding->p_up : NAN);
	print_number(out, tested ? finding->p_down : NAN);
	print_number(out, needs ? finding->needed_runs : NAN);
	fputc(',', out);
	if (row->rename)
		text__print_csv(out, row->rename->name);
	fputc(',', out);
	if (row->rename && row->rename->module)
		text__print_csv(out, row->rename->module);
	fputs("\r\n", out);
}

void report_csv__write(FILE *out, const struct diff_report *report)
{
	fputs("name,module,domain,kind,verdict,fails,base_samples,base_share,new_samples,"
	      "new_share,ratio,low,high,p_slower,p_faster,needed_runs,renamed_name,renamed_"
	      "module\r\n",
	      out);
	rows__print_all(out, report, "", print_unit);
}
