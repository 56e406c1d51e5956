// SPDX-License-Identifier: GPL-2.0-only
#include "base/function_name.h"

#include <ctype.h>

#define OPERATOR    "operator"
#define PUNCTUATION "<>=-+*/%^&|~!,[]"
#define MOST_BYTES  32768

static bool is_word(char character)
{
	return isalnum((unsigned char)character) || character == '_' || character == '$';
}

size_t function_name__operator(const char *name, size_t at)
{
	size_t length = strlen(OPERATOR);

	if (strncmp(name + at, OPERATOR, length) || (at && is_word(name[at - 1])) ||
	    is_word(name[at + length]))
		return 0;
	if (!strncmp(name + at + length, "()", 2))
		return length + 2;
	return length + strspn(name + at + length, PUNCTUATION);
}

/* Where the parameters begin; 0: these are none. */
static size_t find_parameters(const char *name, size_t nr_bytes)
{
	const char *copy = strstr(name, " [clone ."); /* " [clone .cold]": a compiler's copy */
	size_t depth = 0,
	       end = copy && name[nr_bytes - 1] == ']' ? (size_t)(copy - name) : nr_bytes;

	if (end > 6 && !strncmp(name + end - 6, " const", 6))
		end -= 6;
	if (!end || name[end - 1] != ')')
		return 0;
	while (end--) {
		if (name[end] == ')')
			depth++;
		else if (name[end] == '(' && !--depth)
			return end;
	}
	return 0;
}

/* Behind the last blank that is in no brackets: there the return type ends. */
static size_t find_start(const char *name, size_t end)
{
	size_t start = 0, i = 0, length;
	int depth = 0;

	while (i < end) {
		length = function_name__operator(name, i);
		if (length && !depth)
			return start; /* what follows may have blanks: "operator new" */
		if (length) {
			i += length;
			continue;
		}
		if (strchr("<({", name[i]))
			depth++;
		else if (strchr(">)}", name[i]))
			depth--;
		else if (name[i] == ' ' && !depth)
			start = i + 1;
		i++;
	}
	return start;
}

bool function_name__find(const char *name, size_t nr_bytes, struct function_name *found)
{
	found->end = find_parameters(name, nr_bytes);
	found->start = found->end ? find_start(name, found->end) : 0;
	return found->end;
}

const char *function_name__called(const char *name)
{
	const size_t nr_bytes = strnlen(name, MOST_BYTES);
	struct function_name found;

	if (nr_bytes == MOST_BYTES || !function_name__find(name, nr_bytes, &found))
		return name;
	return name + found.start;
}
