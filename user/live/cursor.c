// SPDX-License-Identifier: GPL-2.0-only
#include "live/live.h"

static size_t nr_items(const struct live *live)
{
	return live->selection.view == VIEW_FLAMES ? live->nr_boxes : live->nr_rows;
}

static uint64_t id_of(const struct live *live, size_t index)
{
	return live->selection.view == VIEW_FLAMES ? live->boxes[index].id : live->rows[index].id;
}

/* The line on which the cursor is. In flames, this is the depth of its box. */
static size_t line_of(const struct live *live)
{
	if (live->selection.view == VIEW_FLAMES)
		return live->nr_boxes ? live->boxes[live->cursor].depth - 1 : 0;
	return live->cursor;
}

static size_t count_lines(const struct live *live)
{
	size_t nr = 0;

	if (live->selection.view != VIEW_FLAMES)
		return live->nr_rows;
	for (size_t i = 0; i < live->nr_boxes; i++)
		if (live->boxes[i].depth > nr)
			nr = live->boxes[i].depth;
	return nr;
}

/* Scrolls so that the cursor is visible, and the screen is full if there are enough lines. */
static void scroll(struct live *live)
{
	size_t line = line_of(live), nr_lines = count_lines(live);

	if (live->top > line)
		live->top = line;
	if (live->top + live->nr_lines <= line)
		live->top = line - live->nr_lines + 1;
	if (live->top + live->nr_lines > nr_lines)
		live->top = nr_lines > live->nr_lines ? nr_lines - live->nr_lines : 0;
}

void live__find_cursor(struct live *live)
{
	size_t nr = nr_items(live), before = live->cursor;

	if (live->selected == ROW_ID_NONE) {
		live->cursor = live->top = 0;
		return;
	}
	for (size_t i = 0; i < nr; i++) {
		if (id_of(live, i) != live->selected)
			continue;
		live->cursor = i;
		if (live->selection.view != VIEW_FLAMES) /* keep its line of the screen */
			live->top = live->top + i > before ? live->top + i - before : 0;
		scroll(live);
		return;
	}
	if (live->cursor >= nr)
		live->cursor = nr ? nr - 1 : 0;
	scroll(live);
}

void live__move_to(struct live *live, size_t index)
{
	size_t nr = nr_items(live);

	if (!nr)
		return;
	live->cursor = index < nr ? index : nr - 1;
	live->selected = live->cursor ? id_of(live, live->cursor) : ROW_ID_NONE;
	scroll(live);
}

void live__move(struct live *live, long by)
{
	if (by < 0 && (size_t)-by > live->cursor)
		live__move_to(live, 0);
	else
		live__move_to(live, live->cursor + (size_t)by);
}

/* Returns the widest child of a box. */
static size_t find_child(const struct live *live, size_t index)
{
	size_t found = SIZE_MAX;

	for (size_t i = index + 1; i < live->nr_boxes; i++)
		if (live->boxes[i].parent == index &&
		    (found == SIZE_MAX || live->boxes[i].total > live->boxes[found].total))
			found = i;
	return found;
}

void live__move_up(struct live *live, int by)
{
	size_t to = SIZE_MAX;

	if (live->cursor < live->nr_boxes)
		to = by > 0 ? live->boxes[live->cursor].parent : find_child(live, live->cursor);
	if (to != SIZE_MAX)
		live__move_to(live, to);
}

void live__move_aside(struct live *live, int by)
{
	const struct live_box *box, *found = NULL;

	if (live->cursor >= live->nr_boxes)
		return;
	box = &live->boxes[live->cursor];
	for (const struct live_box *other = live->boxes; other < live->boxes + live->nr_boxes;
	     other++) {
		if (other->depth != box->depth)
			continue;
		if (by < 0 && other->end <= box->start)
			found = other;
		if (by > 0 && other->start >= box->end && !found)
			found = other;
	}
	if (found)
		live__move_to(live, (size_t)(found - live->boxes));
}

struct row_place live__place(const struct live *live)
{
	uint64_t id = live->cursor < nr_items(live) ? id_of(live, live->cursor) : ROW_ID_NONE;

	return selection__place(&live->selection, id == ROW_ID_NOISE ? ROW_ID_NONE : id);
}
