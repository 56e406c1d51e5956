// SPDX-License-Identifier: GPL-2.0-only
/*
 * A ring: the oldest makes room. Files that were handed out are remembered, as long as they are not
 * too many, so that a storm of equal processes leaves nothing here.
 */
#include "capture/unwind_arrivals.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "processes/process.h"
#include "topstacks/hash.h"

#define NR_KEPT	  1024
#define MAX_KNOWN 16384

struct arrival {
	int32_t pid; /* 0: none */
	struct mapping mapping;
	char *path; /* the mapping's */
};

struct unwind_arrivals {
	struct arrival ring[NR_KEPT];
	size_t next;
	struct map known; /* parts that were handed out */
};

/* Of a mapped part of a file. Of two with one number the second is not handed out. */
static uint64_t number_of(const struct mapping *mapping)
{
	const uint64_t device = (uint64_t)mapping->major << 32 | mapping->minor;

	return hash_word(hash_word(mapping->inode, device), mapping->offset);
}

struct unwind_arrivals *unwind_arrivals__new(void)
{
	struct unwind_arrivals *arrivals = calloc(1, sizeof(*arrivals));

	if (!arrivals)
		return NULL;
	if (map__init_numbers(&arrivals->known, free)) {
		free(arrivals);
		return NULL;
	}
	return arrivals;
}

static void forget(struct arrival *arrival)
{
	free(arrival->path);
	*arrival = (struct arrival){0};
}

void unwind_arrivals__free(struct unwind_arrivals *arrivals)
{
	size_t i;

	if (!arrivals)
		return;
	for (i = 0; i < NR_KEPT; i++)
		forget(&arrivals->ring[i]);
	map__fini(&arrivals->known);
	free(arrivals);
}

void unwind_arrivals__note(struct unwind_arrivals *arrivals, int32_t pid,
			   const struct mapping *mapping)
{
	struct arrival *arrival = &arrivals->ring[arrivals->next];
	char *path;

	if (!mapping->inode || map__find_number(&arrivals->known, number_of(mapping)))
		return;
	path = strdup(mapping->path);
	if (!path)
		return;
	forget(arrival);
	*arrival = (struct arrival){.pid = pid, .mapping = *mapping, .path = path};
	arrival->mapping.path = path;
	arrivals->next = (arrivals->next + 1) % NR_KEPT;
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

	for (i = 0; i < NR_KEPT; i++) {
		struct arrival *arrival = &arrivals->ring[i];

		if (arrival->pid != pid)
			continue;
		if (learn(arrivals, &arrival->mapping))
			on_mapping(context, &arrival->mapping);
		forget(arrival);
	}
}
