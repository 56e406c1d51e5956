// SPDX-License-Identifier: GPL-2.0-only
#include "base/distance.h"

size_t distance__measure(const char *a, size_t length, const char *b)
{
	size_t distances[64], columns = strlen(b), i, j;

	if (columns >= sizeof(distances) / sizeof(*distances))
		return SIZE_MAX;
	for (j = 0; j <= columns; j++)
		distances[j] = j;
	for (i = 1; i <= length; i++) {
		size_t diagonal = distances[0];

		distances[0] = i;
		for (j = 1; j <= columns; j++) {
			const size_t above = distances[j];
			size_t least = diagonal + (a[i - 1] != b[j - 1]);

			if (least > above + 1)
				least = above + 1;
			if (least > distances[j - 1] + 1)
				least = distances[j - 1] + 1;
			distances[j] = least;
			diagonal = above;
		}
	}
	return distances[columns];
}

/* The function's own name, without return type, scopes and parameters. */
static const char *own_name(const char *name, size_t *length)
{
	static const char unnamed[] = "(anonymous namespace)::";
	const char *inside, *start;

	while ((inside = strstr(name, unnamed)))
		name = inside + strlen(unnamed);
	*length = strcspn(name, "(<");
	for (start = name + *length; start > name && !strchr(": ", start[-1]); start--)
		;
	*length -= (size_t)(start - name);
	return start;
}

size_t distance__of_functions(const char *wanted, const char *name)
{
	size_t wanted_length, name_length, distance;
	const char *own_wanted = own_name(wanted, &wanted_length);
	const char *own = own_name(name, &name_length);
	char mistyped[64];

	if (!wanted_length || wanted_length >= sizeof(mistyped))
		return SIZE_MAX;
	memcpy(mistyped, own_wanted, wanted_length);
	mistyped[wanted_length] = '\0';
	/*
	 * A much longer name surely differs too much. It is not measured, as its length is not
	 * bounded.
	 */
	distance = name_length <= wanted_length + wanted_length / 3
			   ? distance__measure(own, name_length, mistyped)
			   : SIZE_MAX;
	if (distance <= wanted_length / 3)
		return distance;
	return wanted_length > 3 && memmem(own, name_length, mistyped, wanted_length)
		       ? wanted_length
		       : SIZE_MAX;
}
