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

/* Writes the row on error bars, or why there are none. */
static int write_errors(struct pen *pen, const struct recording *interval,
			const struct view_options *options)
{
	struct certainty certainty;
	char text[128];
	int code;

	if (options->errors == ERRORS_NEVER || !profile__shown_total(interval->profile))
		return 0;
	code = certainty__init(&certainty, interval, options->whole);
	if (code)
		return code;
	certainty__describe(&certainty, text, sizeof(text));
	write_label(pen, STYLE_DIM, "errors");
	pen__wrap(pen, STYLE_PLAIN, text, LABEL_COLUMNS);
	pen__end_line(pen);
	return 0;
}

/* A summary is too large for some stacks, so it is allocated. */
static int write_header(struct pen *pen, const struct recording *interval,
			const struct view_options *options)
{
	struct summary *summary = xmalloc(sizeof(*summary));
	int code;
	const time_t seconds = (time_t)(recording__end_ns(interval) / 1000000000);
	const char *target = interval->facts[FACT_TARGET];
	char date[64] = "", duration[32];
	struct tm tm;

	summary__init(summary, interval, options->values);
	if (seconds && localtime_r(&seconds, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S, ", &tm);
	text__format_duration(duration, sizeof(duration), interval->duration_ns);
	write_label(pen, STYLE_BOLD, "topstacks");
	pen__text(pen, STYLE_BOLD, options->is_sum ? "whole run, " : "");
	pen__text(pen, STYLE_PLAIN, date);
	if (interval->duration_ns)
		pen__format(pen, STYLE_PLAIN, "%s of ", duration);
	pen__wrap(pen, STYLE_BOLD, target ? target : "an unknown target", LABEL_COLUMNS);
	pen__end_line(pen);
	for (size_t i = 0; i < summary->nr_rows; i++) {
		const struct summary_row *row = &summary->rows[i];

		write_label(pen, row->label_style, row->label);
		pen__wrap(pen, row->style, row->text, LABEL_COLUMNS);
		pen__end_line(pen);
	}
	code = write_errors(pen, interval, options);
	pen__end_line(pen);
	free(summary);
	return code;
}

/* A pen that wraps: advice that is cut is useless. */
static struct pen pen_of_words(FILE *out, const struct view_options *options)
{
	return pen__on_stream(out, options->color,
			      options->width >= LEAST_COLUMNS ? options->width : 0);
}

int view__write_header(FILE *out, const struct recording *interval,
		       const struct view_options *options)
{
	struct pen pen = pen_of_words(out, options);
	int code = write_header(&pen, interval, options);

	return code ? code : text__stream_error(out);
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

	if (!code)
		code = table__begin(&table, out, interval, options);
	if (!code && !profile__shown_total(interval->profile))
		code = view__write_silence(out, interval, options);
	if (!code && !options->is_brief)
		code = table__write_stacks(&table);
	if (!code)
		code = table__write_functions(&table);
	return code ? code : text__stream_error(out);
}
