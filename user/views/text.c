// SPDX-License-Identifier: GPL-2.0-only
/*
 * The block for pipes and files: nothing is cut, every frame has a line of its own, and a block
 * ends with an empty line.
 */
#include <errno.h>

#include "base/text.h"
#include "views/header.h"
#include "views/tables.h"
#include "views/views.h"

#define NR_FUNCTIONS 20
#define FRAME_INDENT 8

static void write_header(struct pen *pen, const struct interval *interval)
{
	size_t nr_lines = header__nr_lines(interval);

	for (size_t i = 0; i < nr_lines; i++) {
		header__write(pen, interval, i);
		pen__end_line(pen);
	}
	pen__end_line(pen);
}

static void write_stacks(struct pen *pen, const struct tables *tables)
{
	for (size_t row = 0; row < tables->nr_rows; row++) {
		size_t nr_frames = tables__nr_frames(tables, row);

		if (row == 0) {
			tables__stacks_heading(tables, pen);
			pen__end_line(pen);
		}
		tables__owner(tables, pen, row);
		pen__end_line(pen);
		for (size_t frame = 0; frame < nr_frames; frame++) {
			pen__pad(pen, STYLE_PLAIN, FRAME_INDENT);
			tables__frame(tables, pen, row, frame);
			pen__end_line(pen);
		}
		pen__end_line(pen);
	}
}

static void write_functions(struct pen *pen, const struct tables *tables)
{
	if (!tables->nr_functions)
		return;
	tables__functions_heading(tables, pen);
	pen__end_line(pen);
	for (size_t row = 0; row < tables->nr_functions; row++) {
		tables__function(tables, pen, row);
		pen__end_line(pen);
	}
	pen__end_line(pen);
}

int view__write_header(FILE *out, const struct interval *interval,
		       const struct view_options *options)
{
	struct pen pen = pen__on_stream(out, options->color);

	write_header(&pen, interval);
	return text__stream_error(out);
}

int view__write_block(FILE *out, const struct interval *interval,
		      const struct view_options *options)
{
	struct pen pen = pen__on_stream(out, options->color);
	struct tables tables;
	int err = tables__init(&tables, interval, options, NR_FUNCTIONS);

	if (err)
		return err;
	write_header(&pen, interval);
	if (!tables.total) {
		header__explain_silence(&pen, interval);
		pen__end_line(&pen);
		pen__end_line(&pen);
	}
	write_stacks(&pen, &tables);
	write_functions(&pen, &tables);
	tables__fini(&tables);
	return text__stream_error(out);
}
