// SPDX-License-Identifier: GPL-2.0-only
/*
 * A ring: the oldest makes room. Files that were handed out are remembered, as long as they are not
 * too many, so that a storm of equal processes leaves nothing here.
 */
#include "capture/unwind_arrivals.h"

#include <stdlib.h>
#include <string.h>

#include <libiberty/hashtab.h>

#include "processes/process.h"

#define NR_KEPT	  1024
#define MAX_KNOWN 16384

/* A mapped part of a file. */
struct mapped_part {
	uint64_t inode, offset;
	uint32_t major, minor;
};

struct arrival {
	int32_t pid; /* 0: none */
	struct mapping mapping;
	char *path; /* the mapping's */
};

struct unwind_arrivals {
	struct arrival ring[NR_KEPT];
	size_t next;
	htab_t known; /* struct mapped_part */
};

static hashval_t hash_part(const void *part)
{
	return iterative_hash(part, sizeof(struct mapped_part), 0);
}

static int equals_part(const void *entry, const void *key)
{
	return !memcmp(entry, key, sizeof(struct mapped_part));
}

static struct mapped_part part_of(const struct mapping *mapping)
{
	return (struct mapped_part){.inode = mapping->inode,
				    .offset = mapping->offset,
				    .major = mapping->major,
				    .minor = mapping->minor};
}

struct unwind_arrivals *unwind_arrivals__new(void)
{
	struct unwind_arrivals *arrivals = calloc(1, sizeof(*arrivals));

	if (!arrivals)
		return NULL;
	arrivals->known = htab_try_create(64, hash_part, equals_part, free);
	if (!arrivals->known) {
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
	htab_delete(arrivals->known);
	free(arrivals);
}

void unwind_arrivals__note(struct unwind_arrivals *arrivals, int32_t pid,
			   const struct mapping *mapping)
{
	const struct mapped_part part = part_of(mapping);
	struct arrival *arrival = &arrivals->ring[arrivals->next];
	char *path;

	if (!mapping->inode || htab_find(arrivals->known, &part))
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
	const struct mapped_part part = part_of(mapping);
	void **slot;

	if (htab_elements(arrivals->known) >= MAX_KNOWN)
		htab_empty(arrivals->known);
	slot = htab_find_slot(arrivals->known, &part, INSERT);
	if (!slot || *slot)
		return false;
	*slot = malloc(sizeof(part));
	if (*slot)
		memcpy(*slot, &part, sizeof(part));
	return *slot;
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
