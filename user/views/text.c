// SPDX-License-Identifier: GPL-2.0-only
/*
 * The block for pipes and files:
 *
 *	topstacks  2026-01-31 12:34:56, 5 s of redis-server (pid 4711)
 *	samples    493 at 98.9 Hz on 2 CPUs (asked 99 Hz)
 *	...
 *
 * No line is cut, every frame has its own line, and a block ends with an empty line. If a width is
 * given, long rows of the header continue on the next line, below their text.
 */
#include <time.h>

#include "views/summary.h"
#include "views/tables.h"

#define LABEL_COLUMNS 11
#define LEAST_COLUMNS 40 /* narrower lines are not wrapped */

static void write_label(struct pen *pen, enum style style, const char *label)
{
	pen__text(pen, style, label);
	if (text__width(label) >= LABEL_COLUMNS) /* the name of an event */
		pen__text(pen, STYLE_PLAIN, "  ");
	pen__pad(pen, STYLE_PLAIN, LABEL_COLUMNS);
}

/* A pen that wraps: advice that is cut is useless. */
static struct pen pen_of_words(FILE *out, const struct view_options *options)
{
	return pen__on_stream(out, options->color,
			      options->width >= LEAST_COLUMNS ? options->width : 0);
}

/* A summary is too large for some stacks, so it is allocated. */
int view__write_header(FILE *out, const struct recording *interval,
		       const struct view_options *options)
{
	struct pen pen = pen_of_words(out, options);
	struct summary *summary = xmalloc(sizeof(*summary));
	const time_t seconds = (time_t)(recording__end_ns(interval) / 1000000000);
	const char *target = interval->facts[FACT_TARGET];
	char date[64] = "", duration[32], errors[128];
	struct certainty certainty;
	struct tm tm;

	summary__init(summary, interval, options->values);
	if (seconds && localtime_r(&seconds, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S, ", &tm);
	text__format_duration(duration, sizeof(duration), interval->duration_ns);
	write_label(&pen, STYLE_BOLD, "topstacks");
	pen__text(&pen, STYLE_BOLD, options->is_sum ? "whole run, " : "");
	pen__text(&pen, STYLE_PLAIN, date);
	if (interval->duration_ns)
		pen__format(&pen, STYLE_PLAIN, "%s of ", duration);
	pen__wrap(&pen, STYLE_BOLD, target ? target : "an unknown target", LABEL_COLUMNS);
	pen__end_line(&pen);
	for (size_t i = 0; i < summary->nr_rows; i++) {
		const struct summary_row *row = &summary->rows[i];

		write_label(&pen, row->label_style, row->label);
		pen__wrap(&pen, row->style, row->text, LABEL_COLUMNS);
		pen__end_line(&pen);
	}
	free(summary);

	/* The row on error bars, or why there are none. */
	if (options->errors != ERRORS_NEVER && profile__shown_total(interval->profile)) {
		certainty__init(&certainty, interval, options->whole);
		certainty__describe(&certainty, errors, sizeof(errors));
		write_label(&pen, STYLE_DIM, "errors");
		pen__wrap(&pen, STYLE_PLAIN, errors, LABEL_COLUMNS);
		pen__end_line(&pen);
	}
	pen__end_line(&pen);
	return text__stream_error(out);
}

int view__write_silence(FILE *out, const struct recording *interval,
			const struct view_options *options)
{
	struct pen pen = pen_of_words(out, options);
	char silence[128];

	summary__explain_silence(interval, silence, sizeof(silence));
	pen__wrap(&pen, STYLE_PLAIN, options->whole ? "no sample is selected" : silence, 0);
	pen__end_line(&pen);
	pen__end_line(&pen);
	return text__stream_error(out);
}

int view__write_block(FILE *out, const struct recording *interval,
		      const struct view_options *options)
{
	struct table table;
	int code = view__write_header(out, interval, options);

	if (code)
		return code;
	table__begin(&table, out, interval, options);
	if (!profile__shown_total(interval->profile))
		code = view__write_silence(out, interval, options);
	if (code)
		return code;
	if (!options->is_brief)
		table__write_stacks(&table);
	table__write_functions(&table);
	return text__stream_error(out);
}
