// SPDX-License-Identifier: GPL-2.0-only
#include "views/canvas.h"

#include <errno.h>
#include <stdlib.h>

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

struct cell *canvas__cell(const struct canvas *canvas, size_t line, size_t column)
{
	return &canvas->cells[line * canvas->nr_columns + column];
}

void canvas__mark(struct canvas *canvas, size_t line, size_t start, size_t end)
{
	for (size_t i = start; line < canvas->nr_lines && i < end && i < canvas->nr_columns; i++)
		canvas__cell(canvas, line, i)->is_marked = true;
}
