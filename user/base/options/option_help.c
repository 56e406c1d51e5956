// SPDX-License-Identifier: GPL-2.0-only
/*
 *	Output:
 *	  -i, --interval SEC      time between two reports (default 5)
 *	      --threads           rows by thread
 *
 * Names stand in a column as wide as the widest that is not too wide; help wraps at 80 columns.
 */
#include "base/options/options.h"

enum { LINE_WIDTH = 80, MAX_NAMES_WIDTH = 30 };

/* "  -i, --interval SEC" */
static size_t format_names(const struct option_row *row, char *text, size_t size)
{
	const char *between = !row->metavar ? "" : row->kind == OPTION_OPTIONAL ? "[=" : " ";
	char letter[8] = "   ";

	if (row->letter)
		snprintf(letter, sizeof(letter), "-%c%c", row->letter, row->name ? ',' : ' ');
	return (size_t)snprintf(text, size, "  %s%s%s%s%s%s", letter, row->name ? " --" : "",
				row->name ? row->name : "", between,
				row->metavar ? row->metavar : "", *between == '[' ? "]" : "");
}

static size_t find_width(const struct option_row *row)
{
	size_t widest = 0;
	char names[128];

	for (; row->kind != OPTION_END; row++) {
		size_t width =
			row->kind == OPTION_SECTION ? 0 : format_names(row, names, sizeof(names));

		if (width > widest && width <= MAX_NAMES_WIDTH)
			widest = width;
	}
	return widest;
}

void options__print_wrapped(FILE *out, const char *text, size_t indent)
{
	size_t column = indent;

	while (*text) {
		size_t length = strcspn(text, " \n");

		if (column > indent && column + 1 + length > LINE_WIDTH) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', out);
			column++;
		}
		fwrite(text, 1, length, out);
		column += length;
		text += length + (text[length] != '\0');
	}
	fputc('\n', out);
}

static void print_row(FILE *out, const struct option_row *row, size_t width)
{
	char names[128], help[512];

	if (format_names(row, names, sizeof(names)) > width)
		fprintf(out, "%s\n%*s  ", names, (int)width, "");
	else
		fprintf(out, "%-*s  ", (int)width, names);
	snprintf(help, sizeof(help), "%s%s%s%s", row->help, row->preset ? " (default " : "",
		 row->preset ? row->preset : "", row->preset ? ")" : "");
	options__print_wrapped(out, help, width + 2);
}

static void print_rows(FILE *out, const struct option_row *row, size_t width)
{
	for (; row->kind != OPTION_END; row++) {
		if (row->kind == OPTION_SECTION)
			fprintf(out, "\n%s:\n", row->help);
		else
			print_row(out, row, width);
	}
}

void options__print_usage(FILE *out, const char *command, const char *usage)
{
	const char *prefix = "Usage:";

	for (size_t length;; usage += length + 1, prefix = "      ") {
		length = strcspn(usage, "\n");
		fprintf(out, "%s topstacks %s%s%.*s\n", prefix, command, *command ? " " : "",
			(int)length, usage);
		if (!usage[length])
			return;
	}
}

void options__print_some(FILE *out, const struct option_row *rows, const char *const *names)
{
	const size_t width = find_width(rows);

	for (; *names; names++)
		for (const struct option_row *row = rows; row->kind != OPTION_END; row++)
			if (row->name && !strcmp(row->name, *names))
				print_row(out, row, width);
}

void options__print_help(FILE *out, const struct option_row *rows)
{
	size_t width = find_width(rows), common = find_width(common_option_rows);

	if (width < common)
		width = common;
	print_rows(out, rows, width);
	print_rows(out, common_option_rows, width);
}
