// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of functions in CSV (RFC 4180): a heading, then a row for each function, most self
 * first. Quotes are doubled; unsafe characters are escaped as in folded text.
 */

#include "base/escape.h"
#include "formats/formats.h"
#include "profile/certainty.h"

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

int csv__write(FILE *out, const struct recording *recording, const struct write_options *options)
{
	const struct metric *metric = metrics__shown(profile__metrics(recording->profile));
	const uint64_t all = profile__shown_total(recording->profile);
	const double percent = all ? 100.0 / (double)all : 0; /* of one unit */
	struct group_row *groups;
	const long nr =
		profile__group(recording->profile, GROUP_BY_FUNCTION, SORT_BY_SELF, &groups);
	struct portion *parts = xcalloc((size_t)nr + 1, sizeof(*parts));
	size_t *numbers = xcalloc((size_t)nr + 1, sizeof(*numbers)); /* of groups that differ */
	struct certainty certainty;

	(void)options; /* a row counts all processes */
	certainty__init(&certainty, recording, 0);
	for (long i = 0; i < nr; i++)
		parts[i] = self_part(&groups[i]);
	if (!certainty.lack)
		certainty__number(&certainty, parts, (size_t)nr, numbers);

	fputs("function,module,kind", out);
	print_heading(out, "self", metric);
	print_heading(out, "total", metric);
	fputs(",self_percent,total_percent,self_percent_low,self_percent_high,"
	      "total_percent_low,total_percent_high,group\r\n",
	      out);
	for (long i = 0; i < nr; i++) {
		const struct group_row *group = &groups[i];
		struct bounds self, total;

		text__print_csv(out, group->name);
		putc(',', out);
		text__print_csv(out, group->module ? group->module : "");
		fprintf(out, ",%s,%" PRIu64 ",%" PRIu64 ",%.4f,%.4f", frame_kind__name(group->kind),
			group->self, group->total, percent * (double)group->self,
			percent * (double)group->total);
		if (certainty.lack) {
			fputs(",,,,,\r\n", out);
			continue;
		}
		self = certainty__bounds(&certainty, parts[i]);
		total = certainty__bounds(&certainty, total_part(group));
		fprintf(out, ",%.4f,%.4f,%.4f,%.4f,%zu\r\n", 100 * self.low, 100 * self.high,
			100 * total.low, 100 * total.high, numbers[i]);
	}
	free(groups);
	free(parts);
	free(numbers);
	return text__stream_error(out);
}
