// SPDX-License-Identifier: GPL-2.0-only
/*
 * For a comment on a merge request. All that others wrote is in code spans, where nothing links,
 * mentions or refers to anything: backslashes do not help against @somebody and #1. Names are in
 * cells of a table beside: a backtick would end the one, a bar the other, and both are escaped like
 * all that is unsafe.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/quote.h"
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

/* Warnings have names and facts of files in them; what is counted may be a file's word. */
static bool has_foreign_words(const char *line, const char *noun)
{
	return !strncmp(line, "warning: ", strlen("warning: ")) ||
	       (strcmp(noun, metric__noun(&metric__samples)) && strstr(line, noun));
}

/* A line of the summary, which is safe on a terminal already. */
static void print_line(FILE *out, const char *line, const char *noun)
{
	const char *mark = has_foreign_words(line, noun) ? "`" : "";

	fputs(mark, out);
	for (; *line; line++) {
		if (*line == '`' && *mark)
			fputs("\\x60", out);
		else
			putc(*line, out);
	}
	fprintf(out, "%s\n", mark);
}

static int print_summary(FILE *out, const struct diff_report *report)
{
	char *text = rows__summary(report), *rest = text, *line;
	const char *before = "### Profile: ";
	struct quoted quoted;

	if (!text)
		return -ENOMEM;
	while ((line = strsep(&rest, "\n"))) {
		fputs(before, out);
		print_line(out, line, match__noun(report->match, &quoted));
		before = "\n";
	}
	free(text);
	return 0;
}

int report_markdown__write(FILE *out, const struct diff_report *report)
{
	static const char heading[] =
		"\n| function | | base | new | change | 95 % interval | confidence | verdict |\n"
		"|-|-|-:|-:|-:|-:|-:|-|\n";

	int code = print_summary(out, report);

	return code ? code : rows__print_shown(out, report, heading, print_unit);
}
