// SPDX-License-Identifier: GPL-2.0-only
/*
 * A heading, then a line for every unit that is not too small, as RFC 4180 has it. The values are
 * those of report_json.c, and empty where they are null there.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/numbers.h"
#include "diff/report.h"

static void print_number(FILE *out, double number)
{
	fputc(',', out);
	if (isfinite(number))
		text__print_number(out, number);
}

static void print_test(FILE *out, const struct finding *finding)
{
	bool tested = finding->untested == TESTED;
	bool needs = tested && finding->verdict == VERDICT_NOT_ENOUGH;

	print_number(out, exp(finding->log_ratio));
	print_number(out, tested ? finding->low : NAN);
	print_number(out, tested ? finding->high : NAN);
	print_number(out, tested ? finding->p_up : NAN);
	print_number(out, tested ? finding->p_down : NAN);
	print_number(out, needs ? finding->needed_runs : NAN);
}

static int print_unit(FILE *out, const struct diff_report *report, size_t unit)
{
	const struct finding *finding = &report->decision->findings[unit];
	struct match_unit shown = match__unit(report->match, unit);
	char *name = match__full_name(report->match, unit);

	if (!name)
		return -ENOMEM;
	text__print_csv(out, name);
	fputc(',', out);
	text__print_csv(out, shown.module ? shown.module : "");
	free(name);
	fprintf(out, ",%s,%s,%s,%d", frame_kind__name(shown.kind), rows__kind(report, unit),
		verdict__name(finding->verdict), report->outcome->fails[unit]);
	for (enum side side = 0; side < SIDES; side++) {
		fprintf(out, ",%.0f", finding->samples[side]);
		print_number(out, finding->share[side]);
	}
	print_test(out, finding);
	fputs("\r\n", out);
	return 0;
}

int report_csv__write(FILE *out, const struct diff_report *report)
{
	int err = 0;

	fputs("name,module,domain,kind,verdict,fails,base_samples,base_share,new_samples,"
	      "new_share,ratio,low,high,p_slower,p_faster,needed_runs\r\n",
	      out);
	for (size_t u = 0; u < report->decision->nr_units && !err; u++) {
		if (report->decision->findings[u].untested != UNTESTED_SMALL)
			err = print_unit(out, report, u);
	}
	return err;
}
