// SPDX-License-Identifier: GPL-2.0-only
/*
 * A ring: the oldest makes room. Files that were handed out are remembered, as long as they are not
 * too many, so that a storm of equal processes leaves nothing here.
 */
#include "capture/unwind_arrivals.h"

#include <stdlib.h>
#include <string.h>

#include "topstacks/hash.h"

#define MAX_KNOWN 16384

/* Of a mapped part of a file. Of two with one number the second is not handed out. */
static uint64_t number_of(const struct mapping *mapping)
{
	const uint64_t device = (uint64_t)mapping->major << 32 | mapping->minor;

	return hash_word(hash_word(mapping->inode, device), mapping->offset);
}

int unwind_arrivals__init(struct unwind_arrivals *arrivals)
{
	*arrivals = (struct unwind_arrivals){0};
	return map__init_numbers(&arrivals->known, free);
}

static void forget(struct unwind_arrival *arrival)
{
	free((char *)arrival->mapping.path);
	*arrival = (struct unwind_arrival){0};
}

void unwind_arrivals__fini(struct unwind_arrivals *arrivals)
{
	size_t i;

	for (i = 0; i < NR_ARRIVALS; i++)
		forget(&arrivals->ring[i]);
	map__fini(&arrivals->known);
}

void unwind_arrivals__note(struct unwind_arrivals *arrivals, int32_t pid,
			   const struct mapping *mapping)
{
	struct unwind_arrival *arrival = &arrivals->ring[arrivals->next];
	char *path;

	if (!mapping->inode || map__find_number(&arrivals->known, number_of(mapping)))
		return;
	path = strdup(mapping->path);
	if (!path)
		return;
	forget(arrival);
	*arrival = (struct unwind_arrival){.pid = pid, .mapping = *mapping};
	arrival->mapping.path = path;
	arrivals->next = (arrivals->next + 1) % NR_ARRIVALS;
}

/* False: it was known, or there is no memory for it. */
static bool learn(struct unwind_arrivals *arrivals, const struct mapping *mapping)
{
	const uint64_t number = number_of(mapping);

	if (map__nr_items(&arrivals->known) >= MAX_KNOWN)
		map__clear(&arrivals->known);
	return !map__find_number(&arrivals->known, number) &&
	       !map__note_number(&arrivals->known, number);
}

void unwind_arrivals__each(struct unwind_arrivals *arrivals, int32_t pid,
			   void (*on_mapping)(void *context, const struct mapping *mapping),
			   void *context)
{
	size_t i;

	for (i = 0; i < NR_ARRIVALS; i++) {
		struct unwind_arrival *arrival = &arrivals->ring[i];

		if (arrival->pid != pid)
			continue;
		if (learn(arrivals, &arrival->mapping))
			on_mapping(context, &arrival->mapping);
		forget(arrival);
	}
}
