// SPDX-License-Identifier: GPL-2.0-only
#include "capture/events/suggestions.h"

#include "base/distance.h"

#define MOST_TOLD 5

void suggestions__fini(struct suggestions *near)
{
	size_t i;

	for (i = 0; i < near->nr_names; i++)
		free(near->names[i].text);
	free(near->names);
	*near = (struct suggestions){0};
}

/* Similar: one contains the other, or at most a third of the characters differ. */
static bool is_like(const char *text, const char *wanted, size_t *distance)
{
	const size_t length = strlen(wanted);

	*distance = distance__measure(wanted, length, text);
	return strstr(text, wanted) || (*text && strstr(wanted, text)) ||
	       *distance <= (length + 2) / 3;
}

void suggestions__add(struct suggestions *near, const char *text, const char *wanted,
		      size_t nr_processes)
{
	struct near_name name = {.nr_processes = nr_processes};
	size_t i;

	if (wanted && (!strcmp(text, wanted) || !is_like(text, wanted, &name.distance)))
		return;
	for (i = 0; i < near->nr_names; i++)
		if (!strcmp(near->names[i].text, text)) {
			near->names[i].nr_processes += nr_processes;
			return;
		}
	name.text = xstrdup(text);
	array__reserve(&near->names, &near->capacity, near->nr_names + 1);
	near->names[near->nr_names++] = name;
}

static int compare(const void *a, const void *b)
{
	const struct near_name *one = a, *other = b;

	if (one->distance != other->distance)
		return one->distance < other->distance ? -1 : 1;
	if (one->nr_processes != other->nr_processes)
		return one->nr_processes > other->nr_processes ? -1 : 1;
	return strcmp(one->text, other->text);
}

const char *suggestions__format(struct suggestions *near, const char *before, char *text,
				size_t size)
{
	FILE *out = near->nr_names ? fmemopen(text, size, "w") : NULL;
	size_t i;

	text[0] = '\0';
	if (!out)
		return text;
	qsort(near->names, near->nr_names, sizeof(*near->names), compare);
	fputs(before, out);
	for (i = 0; i < near->nr_names && i < MOST_TOLD; i++) {
		const size_t nr = near->names[i].nr_processes;

		fputs(i ? ", " : "", out);
		text__print_safe(out, near->names[i].text, 0);
		if (nr)
			fprintf(out, " (%zu%s)", nr, i ? "" : nr == 1 ? " process" : " processes");
	}
	if (i < near->nr_names)
		fprintf(out, " and %zu more", near->nr_names - i);
	fclose(out);
	text[size - 1] = '\0';
	return text;
}
