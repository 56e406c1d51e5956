// SPDX-License-Identifier: GPL-2.0-only
#include "live/stack_line.h"

#include "profile/dictionary.h"
#include "profile/frame.h"
#include "views/name.h"
#include "views/pen.h"

#define ARROW	      " ← "
#define ARROW_COLUMNS 3
#define GAP	      " ← …"
#define GAP_COLUMNS   4
#define MORE	      " …"
#define MORE_COLUMNS  2
#define LEAST_NAME    8
#define LEAST_CALLER  (2 * ARROW_COLUMNS + 1 + LEAST_NAME + MORE_COLUMNS)

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

static enum frame_kind kind_of(const struct stack_line *line, size_t frame)
{
	return frame__shown_kind(dictionary__frame(line->dictionary, line->frames[frame]));
}

static const char *name_of(const struct stack_line *line, size_t frame)
{
	return dictionary__frame_name(line->dictionary, line->frames[frame]);
}

size_t stack_line__nr_common(const struct stack_line *line, const uint32_t *frames,
			     size_t nr_frames)
{
	size_t nr = 0;

	while (nr < line->nr_frames && nr < nr_frames &&
	       (line->frames[nr] == frames[nr] ||
		!strcmp(name_of(line, nr), dictionary__frame_name(line->dictionary, frames[nr]))))
		nr++;
	return nr;
}

static size_t width_of(const struct stack_line *line, size_t frame)
{
	return name__width(name_of(line, frame), kind_of(line, frame), line->most_name);
}

/*
 * The width of the frames from first to end - 1, with arrows between them. More than room if they
 * do not fit.
 */
static size_t width_of_all(const struct stack_line *line, size_t first, size_t end, size_t room)
{
	size_t width = 0;

	for (size_t i = first; i < end && width <= room; i++)
		width += width_of(line, i) + (i > first ? ARROW_COLUMNS : 0);
	return width;
}

/* False: there is no room for the next frame. The line shows that. */
static bool paint_frame(const struct stack_line *line, struct pen *pen, size_t index)
{
	struct pen part;
	const size_t width = width_of(line, index);
	const size_t more = index + 1 < line->nr_frames ? MORE_COLUMNS : 0;
	size_t room;

	if (index) {
		if (pen__left(pen) < ARROW_COLUMNS + min_size(width, LEAST_NAME) + more) {
			pen__text(pen, STYLE_DIM, MORE);
			return false;
		}
		pen__text(pen, STYLE_DIM, ARROW);
	}
	room = pen__left(pen) > more ? pen__left(pen) - more : 0;
	part = *pen;
	part.end = pen->column + min_size(width, room);
	name__write(&part, name_of(line, index), NULL, kind_of(line, index));
	pen->column = part.column;
	if (width > room && more)
		pen__text(pen, STYLE_DIM, MORE);
	return width <= room;
}

/* The frames from first to end - 1 are left out. */
struct gap {
	size_t first, end;
};

/* If a stack does not fit, the kernel's frames leave half the room to their callers. */
static struct gap find_kernel_gap(const struct stack_line *line, size_t room)
{
	size_t nr_kernel = 0, kept = 1;

	while (nr_kernel < line->nr_frames && kind_of(line, nr_kernel) == FRAME_KERNEL)
		nr_kernel++;
	if (nr_kernel < 3 || nr_kernel == line->nr_frames ||
	    width_of_all(line, 0, line->nr_frames, room) <= room)
		return (struct gap){0, 0};
	while (kept < nr_kernel && width_of_all(line, 0, kept + 1, room) <= room / 2)
		kept++;
	if (kept == nr_kernel || width_of_all(line, 0, kept, room) + LEAST_CALLER >= room)
		return (struct gap){0, 0};
	return (struct gap){kept, nr_kernel};
}

static bool shows(const struct stack_line *line, const struct gap *gap, size_t frame, size_t room)
{
	size_t width;

	if (frame >= gap->first && frame < gap->end)
		return false;
	if (!gap->end || frame < gap->first)
		return width_of_all(line, 0, frame + 1, room) + MORE_COLUMNS <= room;
	width = width_of_all(line, 0, gap->first, room) + GAP_COLUMNS + ARROW_COLUMNS;
	return width + width_of_all(line, gap->end, frame + 1, room) + MORE_COLUMNS <= room;
}

/* The gap is before the frame that differs. The beginning of that frame's name is enough. */
static struct gap find_common_gap(const struct stack_line *line, size_t room)
{
	const size_t needed =
		GAP_COLUMNS + ARROW_COLUMNS + width_of(line, line->differs) + MORE_COLUMNS;
	size_t kept = 1;

	while (kept + 1 < line->differs && width_of_all(line, 0, kept + 1, room) + needed <= room)
		kept++;
	return (struct gap){kept, line->differs};
}

void stack_line__paint(const struct stack_line *line, struct pen *pen)
{
	const size_t room = pen__left(pen);
	struct gap gap = find_kernel_gap(line, room);

	if (line->differs > 1 && !shows(line, &gap, line->differs, room))
		gap = find_common_gap(line, room);
	for (size_t i = 0; i < line->nr_frames; i++) {
		if (gap.end && i == gap.first) {
			pen__text(pen, STYLE_DIM, GAP);
			i = gap.end;
		}
		if (!paint_frame(line, pen, i))
			return;
	}
}
