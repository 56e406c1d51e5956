// SPDX-License-Identifier: GPL-2.0-only
#include "base/middle.h"

#include "base/function_name.h"

#define SIGN "…"

/* Columns of the first part, of the 159 beside "…". */
#define FIRST_PART 60

const char *middle__shorten(const char *text, size_t most, char shortened[MIDDLE_SIZE])
{
	size_t at = 0, nr_bytes, width, first, left;
	char shown[TEXT_SHOWN_SIZE], *end;

	if (most > MIDDLE_WIDEST)
		most = MIDDLE_WIDEST;
	if (!most || text__width_to(text, most) <= most)
		return text;
	left = text__width(text);
	first = (most - 1) * FIRST_PART / (MIDDLE_MOST - 1);

	/* The longest beginning with at most `first` columns. */
	most -= 1 + first;
	for (;;) {
		nr_bytes = text__next(text + at, shown, &width);
		if (width > first)
			break;
		at += nr_bytes;
		first -= width;
		left -= width;
	}
	end = mempcpy(shortened, text, at);
	end = stpcpy(end, SIGN);

	/* The longest end with as many columns as are left of `most`. */
	while (left > most) {
		at += text__next(text + at, shown, &width);
		left -= width;
	}
	strcpy(end, text + at);
	return shortened;
}

const char *middle__shorten_function(const char *name, size_t most, char shortened[MIDDLE_SIZE])
{
	if (!most || text__width_to(name, most) <= most)
		return name;
	return middle__shorten(function_name__called(name), most, shortened);
}

size_t middle__print(FILE *out, const char *name, size_t most)
{
	char shortened[MIDDLE_SIZE];

	return text__print_safe(out, middle__shorten_function(name, most, shortened), 0);
}
