// SPDX-License-Identifier: GPL-2.0-only
#include "views/phrases.h"

#include <stdarg.h>

void phrases__add(struct phrases *phrases, const char *before, enum style style,
		  enum importance importance, const char *format, ...)
{
	struct phrase *phrase = &phrases->of[phrases->nr];
	va_list arguments;

	if (phrases->nr == MOST_PHRASES)
		return;
	*phrase = (struct phrase){.before = before, .style = style, .importance = importance};
	va_start(arguments, format);
	vsnprintf(phrase->text, sizeof(phrase->text), format, arguments);
	va_end(arguments);
	phrases->nr++;
}

/* The separator in front of a phrase; the first one has none. */
static const char *before(const struct phrases *phrases, size_t index)
{
	return index ? phrases->of[index].before : "";
}

static size_t width_of(const struct phrases *phrases)
{
	size_t width = 0;

	for (size_t i = 0; i < phrases->nr; i++)
		width += text__width(before(phrases, i)) + text__width(phrases->of[i].text);
	return width;
}

void phrases__write(struct phrases *phrases, struct pen *pen)
{
	while (phrases->nr > 1 && width_of(phrases) > pen__left(pen)) {
		size_t least = 0;

		for (size_t i = 1; i < phrases->nr; i++)
			if (phrases->of[i].importance <= phrases->of[least].importance)
				least = i;
		phrases->nr--;
		memmove(&phrases->of[least], &phrases->of[least + 1],
			(phrases->nr - least) * sizeof(phrases->of[0]));
	}
	for (size_t i = 0; i < phrases->nr; i++) {
		pen__text(pen, STYLE_PLAIN, before(phrases, i));
		pen__text(pen, phrases->of[i].style, phrases->of[i].text);
	}
}
