// SPDX-License-Identifier: GPL-2.0-only
#include "diff/matching/name_likeness.h"
#include "base/common.h"

/*
 * Names are similar if they have so much of the longer one in common, at the beginning and the end.
 */
#define SIMILAR_PART 0.6

/* Longer names only can be equal: all names of one side are compared with all of the other. */
#define MOST_BYTES 4096

struct name_part {
	const char *begin;
	size_t length;
};

/*
 * The last part of a name, without qualifiers, parameters and template arguments: "f" of "void
 * ns::(anonymous namespace)::f<int>(long)", "Run" of "main.(*T).Run".
 */
static struct name_part last_part(const char *name)
{
	struct name_part part = {name, 0}, last = {name, strlen(name)};
	unsigned int depth = 0;

	for (const char *at = name; *at; at++) {
		if ((at[0] == ' ' || at[0] == ':') && at[1] == '/')
			break; /* a source position: "JS:render /app/x.js:10:5" */
		if (!depth && *at == '(' && at > part.begin)
			break; /* parameters */
		if (strchr("(<[{", *at))
			depth++;
		else if (strchr(")>]}", *at))
			depth -= depth > 0;
		else if (!depth && strchr(":./#$ ", *at)) /* a path, a namespace, a return type */
			part = (struct name_part){at + 1, 0};
		else if (!depth) {
			part.length = (size_t)(at + 1 - part.begin);
			last = part;
		}
	}
	for (size_t i = 0; i < last.length; i++)
		if (strchr("<([{", last.begin[i]))
			last.length = i;
	return last;
}

static bool are_similar(const char *a, const char *b)
{
	const size_t length_a = strlen(a), length_b = strlen(b);
	const size_t shorter = length_a < length_b ? length_a : length_b;
	const size_t longer = length_a < length_b ? length_b : length_a;
	size_t before = 0, after = 0;

	while (before < shorter && a[before] == b[before])
		before++;
	while (after < shorter - before && a[length_a - 1 - after] == b[length_b - 1 - after])
		after++;
	return (double)(before + after) >= SIMILAR_PART * (double)longer;
}

enum name_likeness name_likeness__of(const char *a, const char *b)
{
	struct name_part last_a, last_b;

	if (!strcmp(a, b))
		return NAMES_EQUAL;
	if (strnlen(a, MOST_BYTES) == MOST_BYTES || strnlen(b, MOST_BYTES) == MOST_BYTES)
		return NAMES_DIFFER;
	last_a = last_part(a);
	last_b = last_part(b);
	if (last_a.length && last_a.length == last_b.length &&
	    !memcmp(last_a.begin, last_b.begin, last_a.length))
		return NAMES_OF_ONE;
	return are_similar(a, b) ? NAMES_SIMILAR : NAMES_DIFFER;
}
