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

/*
 * Scrolls so that the cursor is visible, and the screen is full if there are enough lines. In
 * flames, a line is the depth of a box.
 */
static void scroll(struct live *live)
{
	size_t line = live->cursor, nr_lines = live->nr_rows;

	if (live->selection.view == VIEW_FLAMES) {
		line = live->nr_boxes ? live->boxes[live->cursor].depth - 1 : 0;
		nr_lines = 0;
		for (size_t i = 0; i < live->nr_boxes; i++)
			if (live->boxes[i].depth > nr_lines)
				nr_lines = live->boxes[i].depth;
	}
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

void live__move_up(struct live *live, int by)
{
	const struct live_box *boxes = live->boxes;
	size_t to = SIZE_MAX;

	if (live->cursor >= live->nr_boxes)
		return;
	if (by > 0) {
		to = boxes[live->cursor].parent;
	} else {
		for (size_t i = live->cursor + 1; i < live->nr_boxes; i++)
			if (boxes[i].parent == live->cursor &&
			    (to == SIZE_MAX || boxes[i].total > boxes[to].total))
				to = i;
	}
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
