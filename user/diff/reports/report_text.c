// SPDX-License-Identifier: GPL-2.0-only
/*
 * The report as text:
 *
 *	FAILED: 1 of 12 units tested (1 regressed, 0 improved, 9 unchanged, 2 not enough samples)
 *	a function with 10 % of the samples must become 22 % slower to be found (in 4 of 5 cases)
 *	...
 *	verdict        base     new  change     95 % interval  confidence
 *	regressed     4.9 %   9.1 %  +100.0 %   +80 to +123 %    >99.99 %  self  sort (x)
 *	                    83 % of the increase via load → parse → sort, called at parse.c:120
 */
#include "base/middle.h"
#include "diff/reports/carrier_words.h"
#include "diff/reports/report.h"

static void print_carrier(FILE *out, const struct carrier_words *words)
{
	fprintf(out, "%20s%s %s", "", words->part, words->how);
	if (words->path) {
		fputs(" ", out);
		text__print_safe(out, words->path, 0);
	}
	if (words->site) {
		fprintf(out, "%s ", words->before_site);
		text__print_safe(out, words->site, 0);
	}
	fputs("\n", out);
}

void report_text__print_name(FILE *out, const char *name, const char *module)
{
	middle__print(out, name, MIDDLE_MOST);
	if (!module)
		return;
	fputs(" (", out);
	text__print_safe(out, module, 0);
	fputs(")", out);
}

static void print_unit(FILE *out, const struct diff_report *report, const struct unit_row *row)
{
	(void)report;
	fprintf(out, "%-18s %6.1f %% %6.1f %%  %11s  %20s  %10s  %-5s  ", row->verdict,
		100 * row->finding->share[SIDE_BASE], 100 * row->finding->share[SIDE_NEW],
		row->change, row->interval, row->confidence, row->kind);
	report_text__print_name(out, row->name, row->module);
	if (row->remark[0])
		fprintf(out, "; %s", row->remark);
	if (row->partner) {
		fputs(" ", out);
		report_text__print_name(out, row->partner, row->partner_module);
	}
	unit_row__print_readings(out, row, report_text__print_name);
	fputs("\n", out);
	if (row->explanation)
		explanation__tell(out, row->explanation, row->name, print_carrier);
}

void report_text__write(FILE *out, const struct diff_report *report)
{
	char heading[128];

	snprintf(heading, sizeof(heading), "\n%-18s %8s %8s  %11s  %20s  %10s\n", "verdict", "base",
		 "new", "change", "95 % interval", "confidence");
	rows__print_verdict(out, report);
	rows__print_circumstances(out, report);
	rows__print_shown(out, report, heading, print_unit);
}
