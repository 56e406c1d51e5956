// SPDX-License-Identifier: GPL-2.0-only
/*
 * For a comment on a merge request. Names are code spans in cells of a table: a backtick would end
 * the one, a bar the other, and both are escaped like all that is unsafe.
 */
#include "base/escape.h"
#include "diff/report.h"

static void print_name(FILE *out, const char *name, const char *module)
{
	fputs("`", out);
	text__print_escaped(out, name, "`|");
	fputs("`", out);
	if (module) {
		fputs(" in `", out);
		text__print_escaped(out, module, "`|");
		fputs("`", out);
	}
}

static int print_unit(FILE *out, const struct diff_report *report, const struct unit_row *row)
{
	const char *mark = row->fails ? "**" : "";

	(void)report;
	fputs("| ", out);
	print_name(out, row->name, row->module);
	fprintf(out, " | %s | %.1f %% | %.1f %% | %s | %s | %s | %s%s%s%s%s", row->kind,
		100 * row->finding->share[SIDE_BASE], 100 * row->finding->share[SIDE_NEW],
		row->change, row->interval, row->confidence, mark, row->verdict, mark,
		row->remark[0] ? ": " : "", row->remark);
	if (row->partner) {
		fputs(" ", out);
		print_name(out, row->partner, row->partner_module);
	}
	fputs(" |\n", out);
	return 0;
}

int report_markdown__write(FILE *out, const struct diff_report *report)
{
	static const char heading[] =
		"\n| function | | base | new | change | 95 % interval | confidence | verdict |\n"
		"|-|-|-:|-:|-:|-:|-:|-|\n";

	rows__print_summary(out, report, "### Profile: ", "\n");
	return rows__print_shown(out, report, heading, print_unit);
}
