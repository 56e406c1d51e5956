// SPDX-License-Identifier: GPL-2.0-only
#include "base/distance.h"

#include <stdint.h>
#include <string.h>

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

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
			size_t above = distances[j];

			distances[j] = min3(above + 1, distances[j - 1] + 1,
					    diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return distances[columns];
}
