// SPDX-License-Identifier: GPL-2.0-only
#include "base/middle.h"

#include "base/function_name.h"

#define SIGN "…"

/* Columns of the first part, of the 159 beside "…". */
#define FIRST_PART 60

/* Length in bytes of the longest beginning with at most that many columns. */
static size_t skip_to(const char *text, size_t columns)
{
	char shown[TEXT_SHOWN_SIZE];
	size_t at = 0, width;

	while (text[at]) {
		const size_t nr_bytes = text__next(text + at, shown, &width);

		if (width > columns)
			break;
		columns -= width;
		at += nr_bytes;
	}
	return at;
}

/* Offset of the longest end with at most that many columns. */
static size_t skip_from(const char *text, size_t whole, size_t columns)
{
	char shown[TEXT_SHOWN_SIZE];
	size_t at = 0, width;

	while (whole > columns) {
		at += text__next(text + at, shown, &width);
		whole -= width;
	}
	return at;
}

/* The length of the first part in bytes, and the offset of the last part. */
struct middle {
	size_t first, last;
};

/* Finds the parts. False: the text is short enough. */
static bool find(const char *text, size_t most, struct middle *middle)
{
	size_t whole, first;

	if (!most || text__width_to(text, most) <= most)
		return false;
	whole = text__width(text);
	first = (most - 1) * FIRST_PART / (MIDDLE_MOST - 1);
	*middle = (struct middle){skip_to(text, first), skip_from(text, whole, most - 1 - first)};
	return true;
}

const char *middle__shorten(const char *text, size_t most, char shortened[MIDDLE_SIZE])
{
	struct middle middle;
	char *end;

	if (!find(text, most < MIDDLE_WIDEST ? most : MIDDLE_WIDEST, &middle))
		return text;
	end = mempcpy(shortened, text, middle.first);
	end = stpcpy(end, SIGN);
	strcpy(end, text + middle.last);
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
