// SPDX-License-Identifier: GPL-2.0-only
/* Counts columns, not bytes: colours are sent beside the text and take no room. */
#include "views/pen.h"

#include <stdarg.h>
#include <stdint.h>

#include "base/text.h"

void line__text(struct line *line, enum style style, const char *text)
{
	static const char *const begin[STYLES] = {
		[STYLE_DIM] = "\033[2m",     [STYLE_BOLD] = "\033[1m", [STYLE_ALARM] = "\033[31m",
		[STYLE_KERNEL] = "\033[36m", [STYLE_JIT] = "\033[32m",
	};
	bool styled = line->color && begin[style];

	if (!*text)
		return;
	if (styled)
		fputs(begin[style], line->out);
	line->used += text__print_safe(line->out, text, 0);
	if (styled)
		fputs("\033[0m", line->out);
}

void line__format(struct line *line, enum style style, const char *format, ...)
{
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	line__text(line, style, text);
}

void line__pad(struct line *line, size_t column)
{
	do {
		line__text(line, STYLE_PLAIN, " ");
	} while (line->used < column);
}

void line__end(struct line *line)
{
	putc('\n', line->out);
	line->used = 0;
}
