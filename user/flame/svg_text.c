// SPDX-License-Identifier: GPL-2.0-only
#include "flame/svg_text.h"

#define MIN_TEXT 3 /* bytes: a shorter text says nothing */

/* In 1/1000 of the font size, from the space on. */
static const unsigned short widths[] = {
	278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
	556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
	667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
	333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
	556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
};

/* The width of the character that begins with this byte. 0 for a byte inside a character. */
static double char_width(unsigned char byte)
{
	size_t index = (size_t)byte - ' ';

	if (byte >= 0x80)
		return byte < 0xc0 ? 0 : FONT_SIZE;
	return index < sizeof(widths) / sizeof(widths[0]) ? widths[index] * FONT_SIZE / 1000.0 : 0;
}

double svg_text__width(const char *text)
{
	double width = 0;

	for (; *text; text++)
		width += char_width((unsigned char)*text);
	return width;
}

size_t svg_text__fit(const char *text, double room)
{
	double used = 0;
	size_t cut = 0, i;

	for (i = 0; text[i]; i++) {
		bool boundary = ((unsigned char)text[i] & 0xc0) != 0x80;

		if (boundary && used + FONT_SIZE <= room)
			cut = i;
		used += char_width((unsigned char)text[i]);
		if (used > room)
			return cut < MIN_TEXT ? 0 : cut;
	}
	return i;
}
