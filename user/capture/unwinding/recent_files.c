// SPDX-License-Identifier: GPL-2.0-only
/*
 * The files are in a ring, in which the oldest entry is replaced. Files that were handed out are
 * remembered, up to a limit, so that a storm of equal processes adds no entries.
 */
#include "capture/unwinding/internal.h"

#define MAX_KNOWN 16384

/* A mapped part of a file. */
struct known_part {
	struct map_item item;
	uint32_t major, minor;
	uint64_t inode, offset;
};

static int equal_parts(const void *item, const void *key)
{
	const struct known_part *a = item, *b = key;

	return a->major == b->major && a->minor == b->minor && a->inode == b->inode &&
	       a->offset == b->offset;
}

static struct known_part part_of(const struct recent_files *arrivals, const struct mapping *mapping)
{
	const uint64_t key[] = {mapping->major, mapping->minor, mapping->inode, mapping->offset};

	return (struct known_part){{map__hash(&arrivals->known, key, sizeof(key))},
				   mapping->major,
				   mapping->minor,
				   mapping->inode,
				   mapping->offset};
}

static bool is_known(const struct recent_files *arrivals, const struct mapping *mapping)
{
	const struct known_part key = part_of(arrivals, mapping);

	return map__find(&arrivals->known, &key.item) != NULL;
}

void recent_files__init(struct recent_files *arrivals)
{
	*arrivals = (struct recent_files){0};
	map__init(&arrivals->known, equal_parts, free);
}

static void forget(struct unwind_arrival *arrival)
{
	free((char *)arrival->mapping.path);
	*arrival = (struct unwind_arrival){0};
}

void recent_files__fini(struct recent_files *arrivals)
{
	size_t i;

	for (i = 0; i < NR_ARRIVALS; i++)
		forget(&arrivals->ring[i]);
	map__fini(&arrivals->known);
}

void recent_files__note(struct recent_files *arrivals, int32_t pid, const struct mapping *mapping)
{
	struct unwind_arrival *arrival = &arrivals->ring[arrivals->next];

	if (!mapping->inode || is_known(arrivals, mapping))
		return;
	forget(arrival);
	*arrival = (struct unwind_arrival){.pid = pid, .mapping = *mapping};
	arrival->mapping.path = xstrdup(mapping->path);
	arrivals->next = (arrivals->next + 1) % NR_ARRIVALS;
}

void recent_files__each(struct recent_files *arrivals, int32_t pid,
			void (*on_mapping)(void *context, const struct mapping *mapping),
			void *context)
{
	size_t i;

	for (i = 0; i < NR_ARRIVALS; i++) {
		struct unwind_arrival *arrival = &arrivals->ring[i];
		struct known_part *part;

		if (arrival->pid != pid)
			continue;
		if (map__nr_items(&arrivals->known) >= MAX_KNOWN)
			map__clear(&arrivals->known);
		if (!is_known(arrivals, &arrival->mapping)) {
			part = xmalloc(sizeof(*part));
			*part = part_of(arrivals, &arrival->mapping);
			map__add(&arrivals->known, &part->item);
			on_mapping(context, &arrival->mapping);
		}
		forget(arrival);
	}
}
