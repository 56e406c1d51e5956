// SPDX-License-Identifier: GPL-2.0-only
/*
 *	7fee292da000-7fee29300000 r-xp 00001000 fe:00 332383          /usr/lib/ld-linux-x86-64.so.2
 *	start        end          perms offset  device inode          path, with spaces as it has
 *them
 *
 * A path's newlines are written as \012, everything else as it is.
 */
#include "processes/mappings.h"

#include <string.h>

#include "base/digits.h"

/* A number that fits, and the character after it; NULL: something else is there. */
static char *parse_number(char *text, int base, uint64_t limit, char after, uint64_t *number)
{
	const char *const first = text;
	int digit;

	for (*number = 0; (digit = hex_digit(*text)) >= 0 && digit < base; text++) {
		if (__builtin_mul_overflow(*number, base, number) ||
		    __builtin_add_overflow(*number, (uint64_t)digit, number) || *number > limit)
			return NULL;
	}
	if (text == first || *text != after)
		return NULL;
	return text + 1;
}

static char *parse_permissions(char *text, bool *executable)
{
	if (strnlen(text, 5) < 5 || text[4] != ' ')
		return NULL;
	*executable = text[2] == 'x';
	return text + 5;
}

static void unescape_newlines(char *path)
{
	char *to = path;

	for (; *path; path++) {
		if (!strncmp(path, "\\012", 4)) {
			*to++ = '\n';
			path += 3;
		} else {
			*to++ = *path;
		}
	}
	*to = '\0';
}

bool mapping__parse(char *line, struct mapping *mapping, bool *executable)
{
	uint64_t major, minor;
	char *text, *inode;

	if (!(text = parse_number(line, 16, UINT64_MAX, '-', &mapping->start)) ||
	    !(text = parse_number(text, 16, UINT64_MAX, ' ', &mapping->end)) ||
	    !(text = parse_permissions(text, executable)) ||
	    !(text = parse_number(text, 16, UINT64_MAX, ' ', &mapping->offset)) ||
	    !(text = parse_number(text, 16, UINT32_MAX, ':', &major)) ||
	    !(inode = parse_number(text, 16, UINT32_MAX, ' ', &minor)))
		return false;
	/* A line without a path ends in the inode, or in the space after it. */
	text = inode + strcspn(inode, " ");
	if (*text)
		*text++ = '\0';
	if (!parse_number(inode, 10, UINT64_MAX, '\0', &mapping->inode))
		return false;
	text += strspn(text, " ");
	unescape_newlines(text);
	mapping->path = text;
	mapping->major = (uint32_t)major;
	mapping->minor = (uint32_t)minor;
	return mapping->start < mapping->end;
}
