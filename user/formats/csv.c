// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of functions in CSV (RFC 4180): a heading, then a row for each function, most self
 * first. Quotes are doubled; unsafe characters are escaped as in folded text.
 */

#include "base/escape.h"
#include "formats/formats.h"
#include "profile/certainty.h"

/* The rows, with their certainty. */
struct certain_rows {
	struct group_row *groups;
	long nr;
	double percent; /* of one unit of the shown value */
	struct certainty certainty;
	size_t *numbers; /* by row: its group of rows that do not differ, from 1; NULL: not known */
};

static int number_rows(struct certain_rows *rows)
{
	struct portion *parts = calloc((size_t)rows->nr + 1, sizeof(*parts));
	int code = -ENOMEM;

	rows->numbers = calloc((size_t)rows->nr + 1, sizeof(*rows->numbers));
	for (long i = 0; parts && i < rows->nr; i++)
		parts[i] = self_part(&rows->groups[i]);
	if (parts && rows->numbers)
		code = certainty__number(&rows->certainty, parts, (size_t)rows->nr, rows->numbers);
	free(parts);
	return code;
}

/* Prints "self", or "self (made in widgets)" for values other than samples. */
static void print_heading(FILE *out, const char *which, const struct metric *metric)
{
	char text[128];

	if (!metric->name || metric__equal(metric, &metric__samples)) {
		fprintf(out, ",%s", which);
		return;
	}
	snprintf(text, sizeof(text), "%s (%.40s in %.40s)", which, metric->name, metric->unit);
	putc(',', out);
	text__print_csv(out, text);
}

/* Prints bounds of both shares, and the number of the row's group; empty if not known. */
static void print_certainty(FILE *out, const struct certain_rows *rows, long row)
{
	const struct group_row *group = &rows->groups[row];
	struct bounds self, total;

	if (rows->certainty.lack) {
		fputs(",,,,,", out);
		return;
	}
	self = certainty__bounds(&rows->certainty, self_part(group));
	total = certainty__bounds(&rows->certainty, total_part(group));
	fprintf(out, ",%.4f,%.4f,%.4f,%.4f,%zu", 100 * self.low, 100 * self.high, 100 * total.low,
		100 * total.high, rows->numbers[row]);
}

static void print_row(FILE *out, const struct certain_rows *rows, long row)
{
	const struct group_row *group = &rows->groups[row];

	text__print_csv(out, group->name);
	putc(',', out);
	text__print_csv(out, group->module ? group->module : "");
	fprintf(out, ",%s,%" PRIu64 ",%" PRIu64 ",%.4f,%.4f", frame_kind__name(group->kind),
		group->self, group->total, rows->percent * (double)group->self,
		rows->percent * (double)group->total);
	print_certainty(out, rows, row);
	fputs("\r\n", out);
}

static int find_rows(struct certain_rows *rows, const struct recording *recording)
{
	const uint64_t all = profile__shown_total(recording->profile);
	int code = certainty__init(&rows->certainty, recording, 0);

	rows->percent = all ? 100.0 / (double)all : 0;
	rows->nr =
		profile__group(recording->profile, GROUP_BY_FUNCTION, SORT_BY_SELF, &rows->groups);
	if (rows->nr < 0)
		return (int)rows->nr;
	if (!code && !rows->certainty.lack)
		code = number_rows(rows);
	return code;
}

int csv__write(FILE *out, const struct recording *recording, const struct write_options *options)
{
	const struct metric *metric = metrics__shown(profile__metrics(recording->profile));
	struct certain_rows rows = {0};
	const int code = find_rows(&rows, recording);

	(void)options; /* a row counts all processes */
	if (!code) {
		fputs("function,module,kind", out);
		print_heading(out, "self", metric);
		print_heading(out, "total", metric);
		fputs(",self_percent,total_percent,self_percent_low,self_percent_high,"
		      "total_percent_low,total_percent_high,group\r\n",
		      out);
		for (long i = 0; i < rows.nr; i++)
			print_row(out, &rows, i);
	}
	free(rows.groups);
	free(rows.numbers);
	return code ? code : text__stream_error(out);
}
