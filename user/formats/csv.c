// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of functions as RFC 4180 has it: a heading, then a row a function, most self first.
 * Quotes are doubled; what is unsafe is escaped as in folded text.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/text.h"
#include "formats/formats.h"

/* "self", or "self (made in widgets)" where values are not samples. */
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

int csv__write(FILE *out, const struct recording *recording, const struct write_options *options)
{
	const struct metric *metric = metrics__shown(profile__metrics(recording->profile));
	struct group_row *groups;
	long nr_groups =
		profile__group(recording->profile, GROUP_BY_FUNCTION, SORT_BY_SELF, &groups);

	(void)options; /* functions are of all processes */
	if (nr_groups < 0)
		return (int)nr_groups;
	fputs("function,module,kind", out);
	print_heading(out, "self", metric);
	print_heading(out, "total", metric);
	fputs(",self_percent,total_percent\r\n", out);
	for (long i = 0; i < nr_groups; i++) {
		const struct group_row *group = &groups[i];
		uint64_t all = profile__shown_total(recording->profile);
		double percent = all ? 100.0 / (double)all : 0;

		text__print_csv(out, group->name);
		putc(',', out);
		text__print_csv(out, group->module ? group->module : "");
		fprintf(out, ",%s,%" PRIu64 ",%" PRIu64 ",%.4f,%.4f\r\n",
			frame_kind__name(group->kind), group->self, group->total,
			percent * (double)group->self, percent * (double)group->total);
	}
	free(groups);
	return text__stream_error(out);
}
