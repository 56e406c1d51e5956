// SPDX-License-Identifier: GPL-2.0-only
#include "front/percent.h"

#include <errno.h>

#include "base/numbers.h"

static int digit(char c)
{
	return hex_digit(c >= 'A' && c <= 'F' ? (char)(c - 'A' + 'a') : c);
}

/* The next byte, and how many it is written as; 0: it may not be there. */
static size_t take(const char *text, size_t length, bool plus_is_space, unsigned char *byte)
{
	*byte = (unsigned char)*text;
	if (*text == '+' && plus_is_space)
		*byte = ' ';
	if (*text != '%')
		return 1;
	if (length < 3 || digit(text[1]) < 0 || digit(text[2]) < 0)
		return 0;
	*byte = (unsigned char)(digit(text[1]) << 4 | digit(text[2]));
	return 3;
}

int percent__decode(const char *text, size_t length, bool plus_is_space, char *out, size_t size)
{
	const char *end = text + length;
	size_t used = 0, taken;
	unsigned char byte;
	int code = 0;

	for (; text < end; text += taken) {
		taken = take(text, (size_t)(end - text), plus_is_space, &byte);
		if (!taken || byte < ' ' || byte == 0x7f)
			return -EINVAL;
		if (used + 1 < size)
			out[used++] = (char)byte;
		else
			code = -E2BIG;
	}
	out[used] = '\0';
	return code;
}
