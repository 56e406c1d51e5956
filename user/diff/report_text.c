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
#include "diff/rows.h"

static int print_name(FILE *out, const struct diff_report *report, size_t unit)
{
	struct match_unit shown = match__unit(report->match, unit);
	char *name = match__full_name(report->match, unit);

	if (!name)
		return -ENOMEM;
	text__print_safe(out, name, 0);
	if (shown.module) {
		fputs(" (", out);
		text__print_safe(out, shown.module, 0);
		fputs(")", out);
	}
	free(name);
	return 0;
}

static int print_row(FILE *out, const struct diff_report *report, size_t unit)
{
	const struct finding *finding = &report->decision->findings[unit];
	size_t partner = rows__partner(report, unit);
	char change[32], interval[48], confidence[16], remark[96];
	int err;

	rows__format_change(change, sizeof(change), finding);
	rows__format_interval(interval, sizeof(interval), finding);
	rows__format_confidence(confidence, sizeof(confidence), finding);
	rows__format_remark(remark, sizeof(remark), report, unit);
	fprintf(out, "%-18s %6.1f %% %6.1f %%  %9s  %18s  %10s  %-5s  ",
		verdict__name(finding->verdict), 100 * finding->share[SIDE_BASE],
		100 * finding->share[SIDE_NEW], change, interval, confidence,
		rows__kind(report, unit));
	err = print_name(out, report, unit);
	if (!err && remark[0])
		fprintf(out, "; %s", remark);
	if (!err && partner != SIZE_MAX) {
		fputs(" ", out);
		err = print_name(out, report, partner);
	}
	fputs("\n", out);
	return err;
}

int report_text__write(FILE *out, const struct diff_report *report)
{
	size_t *units;
	long nr = rows__choose(report, &units);
	int err = nr < 0 ? (int)nr : 0;

	rows__print_summary(out, report, "", "");
	if (nr > 0)
		fprintf(out, "\n%-18s %8s %8s  %9s  %18s  %10s\n", "verdict", "base", "new",
			"change", "95 % interval", "confidence");
	for (long i = 0; i < nr && !err; i++)
		err = print_row(out, report, units[i]);
	free(units);
	return err;
}
