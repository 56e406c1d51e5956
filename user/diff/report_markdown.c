// SPDX-License-Identifier: GPL-2.0-only
/*
 * For a comment on a merge request. Names are code spans in cells of a table: a backtick would end
 * the one, a bar the other, and both are escaped like all that is unsafe.
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
	fputs("`", out);
	text__print_escaped(out, name, "`|");
	fputs("`", out);
	if (shown.module) {
		fputs(" in `", out);
		text__print_escaped(out, shown.module, "`|");
		fputs("`", out);
	}
	free(name);
	return 0;
}

static int print_row(FILE *out, const struct diff_report *report, size_t unit)
{
	const struct finding *finding = &report->decision->findings[unit];
	const char *mark = report->outcome->fails[unit] ? "**" : "";
	size_t partner = rows__partner(report, unit);
	char change[32], interval[48], confidence[16], remark[96];
	int err;

	rows__format_change(change, sizeof(change), finding);
	rows__format_interval(interval, sizeof(interval), finding);
	rows__format_confidence(confidence, sizeof(confidence), finding);
	rows__format_remark(remark, sizeof(remark), report, unit);
	fputs("| ", out);
	err = print_name(out, report, unit);
	fprintf(out, " | %s | %.1f %% | %.1f %% | %s | %s | %s | %s%s%s%s%s",
		rows__kind(report, unit), 100 * finding->share[SIDE_BASE],
		100 * finding->share[SIDE_NEW], change, interval, confidence, mark,
		verdict__name(finding->verdict), mark, remark[0] ? ": " : "", remark);
	if (!err && partner != SIZE_MAX) {
		fputs(" ", out);
		err = print_name(out, report, partner);
	}
	fputs(" |\n", out);
	return err;
}

int report_markdown__write(FILE *out, const struct diff_report *report)
{
	size_t *units;
	long nr = rows__choose(report, &units);
	int err = nr < 0 ? (int)nr : 0;

	rows__print_summary(out, report, "### Profile: ", "\n");
	if (nr > 0)
		fputs("\n| function | | base | new | change | 95 % interval | confidence | verdict "
		      "|\n"
		      "|-|-|-:|-:|-:|-:|-:|-|\n",
		      out);
	for (long i = 0; i < nr && !err; i++)
		err = print_row(out, report, units[i]);
	free(units);
	return err;
}
