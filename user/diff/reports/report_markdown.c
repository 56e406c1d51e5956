// SPDX-License-Identifier: GPL-2.0-only
/*
 * For a comment on a merge request, which must be short and within its budget: the verdict, the
 * consumption of a run, the changes, their carriers, and how it was compared, folded up. All
 * foreign text is in code spans.
 *
 * All pieces are made first, a line each. Then as many are written as the budget allows, the most
 * important first.
 */

#include "base/markdown.h"
#include "diff/reports/carrier_words.h"
#include "diff/reports/report.h"

#define MOST_EXPLAINED 5 /* units; text and JSON have the others */

/* Marks the line of a unit that is explained by the row of its callee. */
#define LEFT_OUT   '~'
#define MOST_NAMED 5

/* ---- pieces ---- */

static void print_name(FILE *out, const char *name, const char *module)
{
	markdown__print_function(out, name);
	if (!module)
		return;
	fputs(" in ", out);
	markdown__print_code(out, module);
}

static void print_carrier(FILE *out, const struct carrier_words *words)
{
	fprintf(out, "- %s %s", words->part, words->how);
	if (words->path) {
		fputs(" ", out);
		markdown__print_code(out, words->path);
	}
	if (words->site) {
		fprintf(out, "%s ", words->before_site);
		markdown__print_code(out, words->site);
	}
	fputs("\n", out);
}

/* A row, then "**Why** `hot` in `prog` regressed (self, +80 %):" and a list. */
static void print_unit(FILE *out, const struct diff_report *report, const struct unit_row *row)
{
	const char *mark = row->fails ? "**" : "";

	(void)report;
	if (row->explanation && row->explanation->passes_on) {
		fputc(LEFT_OUT, out);
		markdown__print_function(out, row->name);
		fputs("\n", out);
		return;
	}
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
	unit_row__print_readings(out, row, print_name);
	fputs(" |\n", out);
	if (!row->explanation)
		return;
	fputs("**Why** ", out);
	print_name(out, row->name, row->module);
	fprintf(out, " %s (%s, %s):\n", row->verdict, row->kind, row->change);
	explanation__tell(out, row->explanation, row->name, print_carrier);
}

/*
 * Prints a line of the summary; it is escaped for a terminal, but not for Markdown. Warnings
 * contain names and facts of files, and the noun of the counts may be any word.
 */
static void print_line(FILE *out, const char *line, const char *noun)
{
	const bool is_foreign =
		!strncmp(line, "warning: ", strlen("warning: ")) ||
		!strncmp(line, "renamed: ", strlen("renamed: ")) ||
		(strcmp(noun, metric__noun(&metric__samples)) && strstr(line, noun));

	fputs(is_foreign ? "`" : "", out);
	for (; *line; line++) {
		if (*line == '`' && is_foreign)
			fputs("\\x60", out);
		else
			putc(*line, out);
	}
	fputs(is_foreign ? "`\n" : "\n", out);
}

/* Makes lines; the caller frees them. */
static char *make_escaped(const struct diff_report *report,
			  void (*print)(FILE *out, const struct diff_report *report))
{
	char *text = NULL, *escaped = NULL, *line;
	struct quoted quoted;
	size_t size;
	FILE *out = xmemstream(&text, &size);

	print(out, report);
	xfclose(out);
	out = xmemstream(&escaped, &size);
	for (char *rest = text; (line = strsep(&rest, "\n"));)
		if (*line)
			print_line(out, line, match__noun(report->match, &quoted));
	xfclose(out);
	free(text);
	return escaped;
}

/* ---- within the budget ---- */

#define MOST_NOTE 80

static void add_note(struct markdown *markdown, size_t nr, const char *what, const char *remedy)
{
	char note[MOST_NOTE];

	if (!nr)
		return;
	snprintf(note, sizeof(note), "\n%zu more %s%s: %s\n", nr, what, text__plural(nr), remedy);
	markdown__add(markdown, note, 0);
}

/* Lists units that became slower because of a callee: the first few by name. */
static void add_passing(struct markdown *markdown, const char *rows)
{
	size_t nr = 0, length;
	bool is_begun = false;
	char note[MOST_NOTE];

	for (const char *row = rows; *row; row += markdown__line_length(row))
		nr += *row == LEFT_OUT;
	if (!nr)
		return;
	for (size_t i = 0; *rows && i < MOST_NAMED; rows += length) {
		length = markdown__line_length(rows);
		if (*rows != LEFT_OUT)
			continue;
		if (!markdown__add_line(markdown, i ? ", " : "\nSlower because they call these: ",
					rows + 1, length - 2, MOST_NOTE))
			break;
		is_begun = true;
		i++;
		nr--;
	}
	snprintf(note, sizeof(note), nr ? ", and %zu more\n" : "\n", nr);
	if (is_begun)
		markdown__add(markdown, note, 0);
}

static void add_table(struct markdown *markdown, const char *rows)
{
	const char *before =
		"\n| function | | base | new | change | 95 % interval | confidence | verdict |\n"
		"|-|-|-:|-:|-:|-:|-:|-|\n";
	/* Explanations get what they need, but no more than a third of what is left. */
	const size_t most = markdown->left / 3;
	size_t reserved = 0, nr_left_out = 0, length;

	for (const char *row = rows; *row; row += markdown__line_length(row))
		reserved += *row == '|' ? 0 : markdown__line_length(row) + 2;
	if (reserved > most)
		reserved = most;
	for (; *rows; rows += length) {
		length = markdown__line_length(rows);
		if (*rows != '|')
			continue;
		if (nr_left_out ||
		    !markdown__add_line(markdown, before, rows, length, reserved + MOST_NOTE))
			nr_left_out++;
		else
			before = "";
	}
	add_note(markdown, nr_left_out, "row", "raise `--budget`");
}

/* Adds the explanations, which follow their row: a sentence, and its list. */
static void add_explanations(struct markdown *markdown, const char *rows)
{
	size_t nr = 0, nr_left_out = 0, length;
	bool is_in = false;

	for (; *rows; rows += length) {
		length = markdown__line_length(rows);
		if (*rows == '|' || *rows == LEFT_OUT)
			continue;
		if (*rows == '*') {
			is_in = nr < MOST_EXPLAINED && !nr_left_out &&
				markdown__add_line(markdown, "\n", rows, length,
						   MOST_NOTE + 1 +
							   markdown__line_length(rows + length));
			nr += is_in;
			nr_left_out += !is_in;
		} else if (is_in) {
			const bool is_first = rows[-2] == ':';

			is_in = markdown__add_line(markdown, is_first ? "\n" : "", rows, length,
						   MOST_NOTE);
		}
	}
	add_note(markdown, nr_left_out, "explanation",
		 nr < MOST_EXPLAINED ? "raise `--budget`" : "see the other formats");
}

static void add_paragraphs(struct markdown *markdown, const char *before, const char *lines,
			   size_t reserved)
{
	for (size_t length; *lines; lines += length, before = "\n") {
		length = markdown__line_length(lines);
		markdown__add_line(markdown, before, lines, length, reserved);
	}
}

void report_markdown__write(FILE *out, const struct diff_report *report)
{
	static const char begin[] = "\n<details><summary>How it was compared</summary>\n";
	static const char end[] = "\n</details>\n";
	struct markdown markdown = {out, report->budget ? report->budget : DIFF_BUDGET};
	char *verdict = make_escaped(report, rows__print_verdict), *rows = NULL;
	char *circumstances = make_escaped(report, rows__print_circumstances);
	size_t size;
	FILE *lines = xmemstream(&rows, &size);

	rows__print_shown(lines, report, "", print_unit);
	xfclose(lines);
	add_paragraphs(&markdown, "### Profile: ", verdict, 0);
	add_table(&markdown, rows);
	add_explanations(&markdown, rows);
	add_passing(&markdown, rows);
	if (*circumstances &&
	    markdown__add(&markdown, begin,
			  1 + markdown__line_length(circumstances) + sizeof(end))) {
		add_paragraphs(&markdown, "\n", circumstances, sizeof(end));
		markdown__add(&markdown, end, 0);
	}
	free(circumstances);
	free(rows);
	free(verdict);
}
