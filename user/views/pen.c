// SPDX-License-Identifier: GPL-2.0-only
/* Counts columns, not bytes: escape sequences are written beside the text and take no columns. */
#include "views/pen.h"

#include <stdarg.h>

/* ---- the canvas itself ---- */

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

/* ---- pens ---- */

struct pen pen__on_stream(FILE *out, bool color, size_t width)
{
	return (struct pen){.out = out, .color = color, .end = width ? width : SIZE_MAX};
}

struct pen pen__on_canvas(struct canvas *canvas, size_t line, size_t start, size_t end)
{
	if (end > canvas->nr_columns)
		end = canvas->nr_columns;
	if (line >= canvas->nr_lines || start > end)
		start = end = 0;
	return (struct pen){.canvas = canvas, .line = line, .column = start, .end = end};
}

size_t pen__left(const struct pen *pen)
{
	return pen->end - pen->column;
}

bool pen__is_bounded(const struct pen *pen)
{
	return pen->end != SIZE_MAX;
}

/* ---- streams ---- */

static bool print(struct pen *pen, enum style style, const char *text)
{
	static const char *const begin[STYLES] = {
		[STYLE_DIM] = "\033[2m",     [STYLE_BOLD] = "\033[1m", [STYLE_ALARM] = "\033[31m",
		[STYLE_KERNEL] = "\033[36m", [STYLE_JIT] = "\033[32m",
	};
	const bool styled = pen->color && begin[style];
	const size_t left = pen__left(pen);
	const bool fits = !pen__is_bounded(pen) || text__width_to(text, left) <= left;

	if (!left)
		return false;
	if (styled)
		fputs(begin[style], pen->out);
	pen->column += text__print_safe(pen->out, text, fits ? 0 : left);
	if (styled)
		fputs("\033[0m", pen->out);
	if (!fits)
		pen->column = pen->end;
	return fits;
}

/* ---- canvases ---- */

static void put(struct pen *pen, enum style style, const char *text, size_t nr_bytes,
		size_t nr_columns)
{
	struct cell *cell = canvas__cell(pen->canvas, pen->line, pen->column);

	*cell = (struct cell){.columns = (uint8_t)nr_columns, .style = (uint8_t)style};
	memcpy(cell->text, text, nr_bytes);
	for (size_t i = 1; i < nr_columns; i++)
		cell[i] = (struct cell){.style = (uint8_t)style};
	pen->column += nr_columns;
}

static bool paint(struct pen *pen, enum style style, const char *text)
{
	char shown[TEXT_SHOWN_SIZE];
	size_t start = pen->column, columns;

	while (*text) {
		text += text__next(text, shown, &columns);
		if (columns > pen__left(pen)) {
			if (pen->end == start)
				return false;
			/* "…" in the last column; a wide character there is removed as a whole */
			pen->column = pen->end - 1;
			while (pen->column > start &&
			       !canvas__cell(pen->canvas, pen->line, pen->column)->columns)
				pen->column--;
			put(pen, style, "…", strlen("…"), 1);
			pen->column = pen->end;
			return false;
		}
		if (columns <= 2) {
			put(pen, style, shown, strlen(shown), columns);
			continue;
		}
		for (size_t i = 0; i < columns; i++) /* an escape: ASCII */
			put(pen, style, &shown[i], 1, 1);
	}
	return true;
}

/* ---- both ---- */

bool pen__text(struct pen *pen, enum style style, const char *text)
{
	if (!pen->out)
		return paint(pen, style, text);
	return !*text || print(pen, style, text);
}

bool pen__format(struct pen *pen, enum style style, const char *format, ...)
{
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return pen__text(pen, style, text);
}

/*
 * The length of the words that fit into so many columns: up to a blank, or to the end of the text;
 * 0: not even one fits.
 */
static size_t measure_words(const char *text, size_t room)
{
	char shown[TEXT_SHOWN_SIZE];
	size_t fits = 0, length = 0, width = 0, columns;

	while (text[length]) {
		if (text[length] == ' ')
			fits = length;
		length += text__next(text + length, shown, &columns);
		width += columns;
		if (width > room)
			return fits;
	}
	return length;
}

/* The length of the characters that fit; at least one. */
static size_t measure_part(const char *text, size_t room)
{
	char shown[TEXT_SHOWN_SIZE];
	size_t length = 0, width = 0, columns, next;

	while (text[length]) {
		next = text__next(text + length, shown, &columns);
		width += columns;
		if (length && width > room)
			break;
		length += next;
	}
	return length;
}

void pen__wrap(struct pen *pen, enum style style, const char *text, size_t indent)
{
	while (*text) {
		size_t length = measure_words(text, pen__left(pen));
		char *piece;

		if (!length && pen->column <= indent)
			length = measure_part(text, pen__left(pen));
		piece = xstrndup(text, length);
		pen__text(pen, style, piece);
		free(piece);
		text += length;
		text += strspn(text, " ");
		if (!*text)
			break;
		pen__end_line(pen);
		pen__pad(pen, STYLE_PLAIN, indent);
	}
}

void pen__pad(struct pen *pen, enum style style, size_t column)
{
	while (pen->column < column && pen__left(pen))
		pen__text(pen, style, " ");
}

void pen__end_line(struct pen *pen)
{
	putc('\n', pen->out);
	pen->column = 0;
}
