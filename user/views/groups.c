// SPDX-License-Identifier: GPL-2.0-only
/*
 *	SELF %  TOTAL %     SELF    TOTAL  FUNCTION
 *	  34.2     41.0      169      203  epoll_wait (libc.so.6)
 *
 * Below it, how many rows there are that are not shown.
 */
#include <ctype.h>
#include <errno.h>

#include "base/numbers.h"
#include "base/text.h"
#include "views/name.h"
#include "views/pen.h"
#include "views/views.h"

#define LEAST_COLUMNS 7

struct sheet {
	struct pen pen;
	const struct metric *metric;
	uint64_t total;
	size_t value_columns;
};

static double percent(const struct sheet *sheet, uint64_t value)
{
	return sheet->total ? 100.0 * (double)value / (double)sheet->total : 0;
}

static void write_heading(struct sheet *sheet, const char *by)
{
	int width = (int)sheet->value_columns;
	char name[32];
	size_t i;

	for (i = 0; by[i] && i + 1 < sizeof(name); i++)
		name[i] = (char)toupper((unsigned char)by[i]);
	name[i] = '\0';
	pen__format(&sheet->pen, STYLE_DIM, "SELF %%  TOTAL %%  %*s  %*s  %s", width, "SELF", width,
		    "TOTAL", name);
	pen__end_line(&sheet->pen);
}

static void write_group(struct sheet *sheet, const struct group_row *group)
{
	char self[32], total[32];
	int width = (int)sheet->value_columns;

	metric__format(sheet->metric, group->self, self, sizeof(self));
	metric__format(sheet->metric, group->total, total, sizeof(total));
	pen__format(&sheet->pen, STYLE_BOLD, "%6.1f", percent(sheet, group->self));
	pen__format(&sheet->pen, STYLE_PLAIN, "%9.1f  %*s  %*s  ", percent(sheet, group->total),
		    width, self, width, total);
	name__write(&sheet->pen, group->name, group->module, group->kind);
	pen__end_line(&sheet->pen);
}

int view__write_groups(FILE *out, const struct recording *interval,
		       const struct view_options *options, const struct group_row *groups,
		       size_t nr_groups, const char *by)
{
	struct sheet sheet = {
		.pen = pen__on_stream(out, options->color),
		.metric = metrics__shown(profile__metrics(interval->profile)),
		.total = options->whole ? options->whole : profile__shown_total(interval->profile),
		.value_columns = LEAST_COLUMNS,
	};
	size_t nr_shown = 0;
	char text[32];

	for (size_t i = 0; i < nr_groups; i++) {
		int length = metric__format(sheet.metric, groups[i].total, text, sizeof(text));

		if ((size_t)length > sheet.value_columns)
			sheet.value_columns = (size_t)length;
	}
	write_heading(&sheet, by);
	for (size_t i = 0; i < nr_groups && nr_shown < options->nr_rows; i++) {
		if (percent(&sheet, groups[i].total) < options->percent_limit)
			continue;
		write_group(&sheet, &groups[i]);
		nr_shown++;
	}
	if (nr_shown < nr_groups) {
		text__format_count(text, sizeof(text), nr_groups - nr_shown);
		pen__format(&sheet.pen, STYLE_DIM, "%s more", text);
		pen__end_line(&sheet.pen);
	}
	return text__stream_error(out);
}
