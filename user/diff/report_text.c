// SPDX-License-Identifier: GPL-2.0-only
/*
 *	FAILED: 1 of 12 units tested (1 regressed, 0 improved, 9 unchanged, 2 not enough samples)
 *	a 10 % function slower by 22 % would have been found in 4 of 5 cases
 *	...
 *	verdict               base     new  change     95 % interval  confidence
 *	regressed            4.9 %   9.1 %  +100.0 %   +80 to +123 %    >99.99 %  self  sort (x)
 */
#include <errno.h>
#include <stdlib.h>

#include "base/text.h"
#include "diff/report.h"

static int print_name(FILE *out, const struct diff_report *report, size_t unit)
{
	char *name = rows__name(report, unit);

	if (!name)
		return -ENOMEM;
	text__print_safe(out, name, 0);
	free(name);
	return 0;
}

static int print_row(FILE *out, const struct diff_report *report, const struct unit_row *row)
{
	int err;

	fprintf(out, "%-18s %6.1f %% %6.1f %%  %9s  %18s  %10s  %-5s  ", row->verdict,
		100 * row->finding->share[SIDE_BASE], 100 * row->finding->share[SIDE_NEW],
		row->change, row->interval, row->confidence, row->kind);
	err = print_name(out, report, row->unit);
	if (!err && row->remark[0])
		fprintf(out, "; %s", row->remark);
	if (!err && row->partner != SIZE_MAX) {
		fputs(" ", out);
		err = print_name(out, report, row->partner);
	}
	fputs("\n", out);
	return err;
}

int report_text__write(FILE *out, const struct diff_report *report)
{
	char heading[128];

	snprintf(heading, sizeof(heading), "\n%-18s %8s %8s  %9s  %18s  %10s\n", "verdict", "base",
		 "new", "change", "95 % interval", "confidence");
	rows__print_summary(out, report, "", "");
	return rows__print(out, report, heading, print_row);
}
