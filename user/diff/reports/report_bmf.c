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

static void print_unit(FILE *out, const struct diff_report *report, const struct unit_row *row)
{
	const struct finding *finding = row->finding;
	char *key = xasprintf("%s %s", row->label, row->kind);
	const size_t length = strlen(key);

	(void)report;
	text__print_json(out, key + (length > MAX_KEY_BYTES ? length - MAX_KEY_BYTES : 0));
	free(key);
	fputs(":{\"share\":{\"value\":", out);
	text__print_number(out, finding->share[SIDE_NEW]);
	fputs("}", out);
	if (finding->untested == TESTED) {
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
	fputs("}", out);
}

void report_bmf__write(FILE *out, const struct diff_report *report)
{
	fputs("{", out);
	rows__print_all(out, report, ",", print_unit);
	fputs("}\n", out);
}
