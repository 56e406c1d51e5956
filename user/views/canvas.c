// SPDX-License-Identifier: GPL-2.0-only
#include "views/canvas.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

int canvas__resize(struct canvas *canvas, size_t nr_lines, size_t nr_columns)
{
	struct cell *cells = calloc(nr_lines * nr_columns + 1, sizeof(*cells));

	if (!cells)
		return -ENOMEM;
	free(canvas->cells);
	canvas->cells = cells;
	canvas->nr_lines = nr_lines;
	canvas->nr_columns = nr_columns;
	canvas__clear(canvas);
	return 0;
}

void canvas__clear(struct canvas *canvas)
{
	for (size_t i = 0; i < canvas->nr_lines * canvas->nr_columns; i++)
		canvas->cells[i] = (struct cell){.columns = 1};
}

void canvas__fini(struct canvas *canvas)
{
	free(canvas->cells);
	*canvas = (struct canvas){0};
}

static struct cell *cell_at(const struct canvas *canvas, size_t line, size_t column)
{
	return &canvas->cells[line * canvas->nr_columns + column];
}

const struct cell *canvas__cell(const struct canvas *canvas, size_t line, size_t column)
{
	return cell_at(canvas, line, column);
}

void canvas__mark(struct canvas *canvas, size_t line, size_t start, size_t end)
{
	for (size_t i = start; line < canvas->nr_lines && i < end && i < canvas->nr_columns; i++)
		cell_at(canvas, line, i)->is_marked = true;
}

struct pen canvas__pen(struct canvas *canvas, size_t line, size_t start, size_t end)
{
	if (end > canvas->nr_columns)
		end = canvas->nr_columns;
	if (line >= canvas->nr_lines || start > end)
		start = end = 0;
	return (struct pen){canvas, line, start, end};
}

size_t pen__left(const struct pen *pen)
{
	return pen->end - pen->column;
}

static void put(struct pen *pen, enum paint paint, const char *text, size_t nr_bytes,
		size_t nr_columns)
{
	struct cell *cell = cell_at(pen->canvas, pen->line, pen->column);

	*cell = (struct cell){.columns = (uint8_t)nr_columns, .paint = (uint8_t)paint};
	memcpy(cell->text, text, nr_bytes);
	for (size_t i = 1; i < nr_columns; i++)
		cell[i] = (struct cell){.paint = (uint8_t)paint};
	pen->column += nr_columns;
}

/* The last column says that there was more; a wide character there goes whole. */
static void cut(struct pen *pen, enum paint paint, size_t start)
{
	if (pen->end == start)
		return;
	pen->column = pen->end - 1;
	while (pen->column > start && !cell_at(pen->canvas, pen->line, pen->column)->columns)
		pen->column--;
	put(pen, paint, "…", strlen("…"), 1);
	pen->column = pen->end;
}

bool pen__text(struct pen *pen, enum paint paint, const char *text)
{
	char shown[TEXT_SHOWN_SIZE];
	size_t start = pen->column, columns;

	while (*text) {
		text += text__next(text, shown, &columns);
		if (columns > pen__left(pen)) {
			cut(pen, paint, start);
			return false;
		}
		if (columns <= 2) {
			put(pen, paint, shown, strlen(shown), columns);
			continue;
		}
		for (size_t i = 0; i < columns; i++) /* an escape: ASCII */
			put(pen, paint, &shown[i], 1, 1);
	}
	return true;
}

bool pen__format(struct pen *pen, enum paint paint, const char *format, ...)
{
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return pen__text(pen, paint, text);
}

void pen__pad(struct pen *pen, enum paint paint, size_t column)
{
	while (pen->column < column && pen__left(pen))
		put(pen, paint, " ", 1, 1);
}
