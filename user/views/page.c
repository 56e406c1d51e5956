// SPDX-License-Identifier: GPL-2.0-only
/*
 * One screen: header, table of stacks, then functions and the frames of the hottest stacks, below
 * each other or, on a wide terminal, side by side.
 *
 *	header                              header
 *	stacks                              stacks
 *	functions                           functions  │  frames
 *	frames, if there is room
 *
 * A section is a number of lines, each of which can be drawn alone; layout deals lines out.
 */
#include <errno.h>
#include <stdint.h>

#include "base/text.h"
#include "topstacks/views.h"
#include "views/header.h"
#include "views/tables.h"

#define BRIEF_BELOW	 20  /* lines: a shorter screen has a brief header */
#define WIDE_FROM	 120 /* columns */
#define MOST_FUNCTIONS	 60
#define NARROW_FUNCTIONS 8
#define LEAST_FRAMES	 8 /* lines: fewer do not show a stack */
#define LEAST_CUT	 3 /* lines of a stack that is cut */
#define PANE_GAP	 3

struct page {
	struct line line;
	const struct interval *interval;
	struct tables tables;
	bool brief;
	size_t nr_columns;
	/* Lines of each section, headings included; 0: it is not shown. */
	size_t header, stacks, functions, frames;
	size_t gap; /* empty lines before each section but the header */
	bool side_by_side;
};

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* ---- layout ---- */

/*
 * Lines of a frames section in this room: a heading, and for each stack its owner and its frames.
 * The last stack may be cut, but not to less than three lines.
 */
static size_t count_frame_lines(const struct tables *tables, size_t room)
{
	size_t nr_lines = 1;

	for (size_t row = 0; row < tables->nr_rows; row++) {
		size_t wanted = 1 + tables__nr_frames(tables, row);

		if (nr_lines + min_size(wanted, 1 + LEAST_CUT) > room)
			break;
		nr_lines = min_size(nr_lines + wanted, room);
	}
	return nr_lines > 1 ? nr_lines : 0;
}

static size_t table_lines(size_t nr_rows)
{
	return nr_rows ? 1 + nr_rows : 0;
}

static void lay_out_wide(struct page *page, size_t room)
{
	const struct tables *tables = &page->tables;

	page->side_by_side = true;
	page->stacks = min_size(table_lines(tables->nr_rows), room / 2);
	room -= page->stacks + 2 * page->gap;
	page->functions = min_size(table_lines(tables->nr_functions), room);
	page->frames = count_frame_lines(tables, room);
}

static void lay_out_narrow(struct page *page, size_t room)
{
	const struct tables *tables = &page->tables;
	size_t stacks = table_lines(tables->nr_rows), functions = table_lines(tables->nr_functions);

	room -= 2 * page->gap;
	page->functions = min_size(functions, min_size(1 + room / 3, 1 + NARROW_FUNCTIONS));
	page->stacks = min_size(stacks, 1 + room / 3);
	room -= page->functions + page->stacks;
	if (room >= LEAST_FRAMES + page->gap) {
		page->frames = count_frame_lines(tables, room - page->gap);
		room -= page->frames + page->gap;
	}
	stacks = min_size(stacks - page->stacks, room);
	page->stacks += stacks;
	page->functions += min_size(functions - page->functions, room - stacks);
}

static void lay_out(struct page *page, size_t nr_lines)
{
	size_t room;

	page->brief = nr_lines < BRIEF_BELOW;
	page->header = min_size(header__nr_lines(page->interval, page->brief), nr_lines);
	room = nr_lines - page->header;
	page->gap = room >= 10 ? 1 : 0;
	if (!page->tables.total)
		return;
	if (room < 10)
		page->stacks = min_size(table_lines(page->tables.nr_rows), room);
	else if (page->nr_columns >= WIDE_FROM)
		lay_out_wide(page, room);
	else
		lay_out_narrow(page, room);
}

/* ---- drawing ---- */

static void draw_stacks_line(struct page *page, size_t index)
{
	if (index == 0)
		tables__stacks_heading(&page->tables, &page->line);
	else
		tables__stack(&page->tables, &page->line, index - 1);
}

static void draw_functions_line(struct page *page, size_t index)
{
	if (index == 0)
		tables__functions_heading(&page->tables, &page->line);
	else if (index < page->functions)
		tables__function(&page->tables, &page->line, index - 1);
}

/* A stack that does not end on the last line says how much of it is left. */
static void draw_frame(struct page *page, size_t row, size_t frame, bool is_last_line)
{
	size_t nr_left = tables__nr_frames(&page->tables, row) - frame;

	line__text(&page->line, STYLE_PLAIN, "        ");
	if (is_last_line && nr_left > 1)
		line__format(&page->line, STYLE_DIM, "… %zu more", nr_left);
	else
		tables__frame(&page->tables, &page->line, row, frame);
}

/* Heading, then owner and frames of one stack after the other. */
static void draw_frames_line(struct page *page, size_t index)
{
	bool is_last_line = index + 1 == page->frames;
	size_t row = 0;

	if (index == 0) {
		line__text(&page->line, STYLE_DIM, "FRAMES, leaf first");
		return;
	}
	for (index--; index > tables__nr_frames(&page->tables, row); row++)
		index -= 1 + tables__nr_frames(&page->tables, row);
	if (index > 0)
		draw_frame(page, row, index - 1, is_last_line);
	else
		tables__owner(&page->tables, &page->line, row);
}

static void end_line(struct page *page)
{
	line__end(&page->line);
}

static void draw_section(struct page *page, size_t nr_lines,
			 void (*draw_line)(struct page *page, size_t index))
{
	for (size_t i = 0; i < nr_lines; i++) {
		draw_line(page, i);
		end_line(page);
	}
}

static void draw_panes_line(struct page *page, size_t index)
{
	size_t middle = page->nr_columns / 2;

	page->line.columns = middle - PANE_GAP;
	draw_functions_line(page, index);
	page->line.columns = page->nr_columns;
	if (index >= page->frames)
		return;
	line__pad(&page->line, middle);
	draw_frames_line(page, index);
}

static void draw_header_line(struct page *page, size_t index)
{
	header__write(&page->line, page->interval, page->brief, index);
}

static void draw_gap(struct page *page, size_t nr_lines)
{
	if (nr_lines && page->gap)
		end_line(page);
}

static void draw(struct page *page)
{
	draw_section(page, page->header, draw_header_line);
	draw_gap(page, page->stacks);
	draw_section(page, page->stacks, draw_stacks_line);
	if (page->side_by_side) {
		size_t nr_lines = page->functions > page->frames ? page->functions : page->frames;

		draw_gap(page, nr_lines);
		draw_section(page, nr_lines, draw_panes_line);
	} else {
		draw_gap(page, page->functions);
		draw_section(page, page->functions, draw_functions_line);
		draw_gap(page, page->frames);
		draw_section(page, page->frames, draw_frames_line);
	}
}

static void draw_silence(struct page *page)
{
	draw_gap(page, 1);
	header__explain_silence(&page->line, page->interval);
	end_line(page);
}

int view__write_screen(FILE *out, const struct interval *interval,
		       const struct view_options *options, unsigned int lines, unsigned int columns)
{
	struct page page = {.line = {.out = out, .color = options->color, .columns = columns},
			    .interval = interval,
			    .nr_columns = columns};
	size_t nr_lines = lines ? lines - 1 : 0;
	int err;

	if (!columns)
		return 0;
	err = tables__init(&page.tables, interval, options, MOST_FUNCTIONS);
	if (err)
		return err;
	lay_out(&page, nr_lines);
	draw(&page);
	if (!page.tables.total && nr_lines > page.header)
		draw_silence(&page);
	tables__fini(&page.tables);
	return text__stream_error(out);
}
