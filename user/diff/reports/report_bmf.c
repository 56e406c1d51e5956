// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bencher Metric Format: trackers of benchmarks draw it over time, by benchmark and measure.
 *
 *	{"sort (x) self": {"share": {"value": 0.095}, "slowdown": {"value": 2, "lower_value": 1.9,
 *	 "upper_value": 2.1}}, ...}
 *
 * The share is that of new. The slowdown is against base, with its 95 % interval; it is left out if
 * it was not tested.
 */
#include <math.h>

#include "base/escape.h"
#include "diff/reports/report.h"

#define MAX_KEY_BYTES 1000 /* Bencher takes 1,024; the end of a longer key is more telling */

static void print_slowdown(FILE *out, const struct finding *finding)
{
	fputs(",\"slowdown\":{\"value\":", out);
	text__print_number(out, exp(finding->log_ratio));
	fputs(",\"lower_value\":", out);
	text__print_number(out, finding->low);
	/* A new function may have no upper bound. */
	if (isfinite(finding->high)) {
		fputs(",\"upper_value\":", out);
		text__print_number(out, finding->high);
	}
	fputs("}", out);
}

static int print_unit(FILE *out, const struct diff_report *report, const struct unit_row *row)
{
	char *key;
	int length = asprintf(&key, "%s %s", row->label, row->kind);

	(void)report;
	if (length < 0)
		return -ENOMEM;
	text__print_json(out, key + (length > MAX_KEY_BYTES ? length - MAX_KEY_BYTES : 0));
	free(key);
	fputs(":{\"share\":{\"value\":", out);
	text__print_number(out, row->finding->share[SIDE_NEW]);
	fputs("}", out);
	if (row->finding->untested == TESTED)
		print_slowdown(out, row->finding);
	fputs("}", out);
	return 0;
}

int report_bmf__write(FILE *out, const struct diff_report *report)
{
	int err;

	fputs("{", out);
	err = rows__print_all(out, report, ",", print_unit);
	fputs("}\n", out);
	return err;
}
