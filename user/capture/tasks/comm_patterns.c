// SPDX-License-Identifier: GPL-2.0-only
#include "capture/tasks/internal.h"

#include <fnmatch.h>

#include "topstacks/abi.h"
#include "topstacks/comm_pattern.h"

#define MAX_ELEMENT_BYTES 128

/* Skips a member of a bracket expression: "\\]", "[:alpha:]", or one character. */
static const char *skip_member(const char *text)
{
	const char *end = strncmp(text, "[:", 2) ? NULL : strstr(text, ":]");

	if (end)
		return end + 2;
	return text + (*text == '\\' && text[1] ? 2 : 1);
}

/* Returns the length of "[a-z]", "[!]x]"; 1 if it is not closed and so stands for itself. */
static size_t bracket_length(const char *text)
{
	const char *at = text + 1;

	at += *at == '!' || *at == '^';
	if (*at)
		at = skip_member(at); /* a closing bracket in first place is a member */
	while (*at && *at != ']')
		at = skip_member(at);
	return *at && at - text < MAX_ELEMENT_BYTES - 1 ? (size_t)(at - text) + 1 : 1;
}

static int add_element(struct comm_pattern *pattern, const char *text, size_t length)
{
	const __u32 bit = 1U << pattern->nr_elements;
	char element[MAX_ELEMENT_BYTES], character[2] = "";
	unsigned int i;

	if (*text == '*' && pattern->nr_elements && pattern->stars & bit >> 1)
		return 0;
	if (pattern->nr_elements >= COMM_PATTERN_ELEMENTS)
		return -E2BIG;
	pattern->nr_elements++;
	if (*text == '*') {
		pattern->stars |= bit;
		return 0;
	}
	snprintf(element, sizeof(element), "%.*s", (int)length, text);
	for (i = 1; i < 256; i++) {
		character[0] = (char)i;
		if (!fnmatch(element, character, 0))
			pattern->accepts[i] |= bit;
	}
	return 0;
}

int comm_pattern__make(struct comm_pattern *pattern, const char *text)
{
	const bool is_plain = !strpbrk(text, "*?[\\");
	size_t length, most = is_plain ? ABI_COMM_SIZE - 1 : SIZE_MAX;
	int code = 0;

	*pattern = (struct comm_pattern){0};
	for (; *text && most && !code; text += length, most--) {
		length = *text == '[' ? bracket_length(text) : *text == '\\' && text[1] ? 2 : 1;
		code = add_element(pattern, text, length);
	}
	return code;
}
