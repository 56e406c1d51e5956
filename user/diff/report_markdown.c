// SPDX-License-Identifier: GPL-2.0-only
/*
 * For a comment on a merge request. Names are code spans in cells of a table: a backtick would end
 * the one, a bar the other, and both are escaped like all that is unsafe.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/escape.h"
#include "diff/report.h"

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

static int print_row(FILE *out, const struct diff_report *report, const struct unit_row *row)
{
	const char *mark = row->fails ? "**" : "";
	int err;

	fputs("| ", out);
	err = print_name(out, report, row->unit);
	fprintf(out, " | %s | %.1f %% | %.1f %% | %s | %s | %s | %s%s%s%s%s", row->kind,
		100 * row->finding->share[SIDE_BASE], 100 * row->finding->share[SIDE_NEW],
		row->change, row->interval, row->confidence, mark, row->verdict, mark,
		row->remark[0] ? ": " : "", row->remark);
	if (!err && row->partner != SIZE_MAX) {
		fputs(" ", out);
		err = print_name(out, report, row->partner);
	}
	fputs(" |\n", out);
	return err;
}

int report_markdown__write(FILE *out, const struct diff_report *report)
{
	static const char heading[] =
		"\n| function | | base | new | change | 95 % interval | confidence | verdict |\n"
		"|-|-|-:|-:|-:|-:|-:|-|\n";

	rows__print_summary(out, report, "### Profile: ", "\n");
	return rows__print(out, report, heading, print_row);
}
