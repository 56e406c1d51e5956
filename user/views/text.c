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

static void write_header(struct line *line, const struct interval *interval)
{
	size_t nr_lines = header__nr_lines(interval);

	for (size_t i = 0; i < nr_lines; i++) {
		header__write(line, interval, i);
		line__end(line);
	}
	line__end(line);
}

static void write_stacks(struct line *line, const struct tables *tables)
{
	for (size_t row = 0; row < tables->nr_rows; row++) {
		size_t nr_frames = tables__nr_frames(tables, row);

		if (row == 0) {
			tables__stacks_heading(tables, line);
			line__end(line);
		}
		tables__owner(tables, line, row);
		line__end(line);
		for (size_t frame = 0; frame < nr_frames; frame++) {
			line__pad(line, FRAME_INDENT);
			tables__frame(tables, line, row, frame);
			line__end(line);
		}
		line__end(line);
	}
}

static void write_functions(struct line *line, const struct tables *tables)
{
	if (!tables->nr_functions)
		return;
	tables__functions_heading(tables, line);
	line__end(line);
	for (size_t row = 0; row < tables->nr_functions; row++) {
		tables__function(tables, line, row);
		line__end(line);
	}
	line__end(line);
}

int view__write_header(FILE *out, const struct interval *interval,
		       const struct view_options *options)
{
	struct line line = {.out = out, .color = options->color};

	write_header(&line, interval);
	return text__stream_error(out);
}

int view__write_block(FILE *out, const struct interval *interval,
		      const struct view_options *options)
{
	struct line line = {.out = out, .color = options->color};
	struct tables tables;
	int err = tables__init(&tables, interval, options, NR_FUNCTIONS);

	if (err)
		return err;
	write_header(&line, interval);
	if (!tables.total) {
		header__explain_silence(&line, interval);
		line__end(&line);
		line__end(&line);
	}
	write_stacks(&line, &tables);
	write_functions(&line, &tables);
	tables__fini(&tables);
	return text__stream_error(out);
}
