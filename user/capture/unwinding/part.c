// SPDX-License-Identifier: GPL-2.0-only
#include "capture/unwinding/internal.h"

#include <unistd.h>

#include "unwind/unwind.h"

#define PATIENCE_NS 2000000000ULL     /* how long a process waits for each file */
#define MAX_WAIT_NS (5 * PATIENCE_NS) /* longest wait for a free reader */

static const struct mapping *of_file(const struct mapping *mapping)
{
	return mapping->original ? mapping->original : mapping;
}

struct unwind_part *unwind_part__new(struct unwind_files *files, const struct mapping *mapping,
				     int32_t pid)
{
	struct unwind_part *part = xmalloc(sizeof(*part));

	*part = (struct unwind_part){
		.files = files,
		.start = mapping->start,
		.end = mapping->end,
		.mapping = *of_file(mapping),
		.asked_ns = monotonic_ns(),
		.nr_references = 1,
		.pid = pid,
		.fd = -1,
	};
	part->mapping.original = NULL;
	part->mapping.path = xstrdup(part->mapping.path);
	return part;
}

struct unwind_part *unwind_part__hold(struct unwind_part *part)
{
	part->nr_references++;
	return part;
}

/* Frees what is only needed until the part is done. */
static void drop_file(struct unwind_part *part)
{
	if (part->fd >= 0)
		close(part->fd);
	part->fd = -1;
	free((char *)part->mapping.path);
	part->mapping.path = NULL;
}

void unwind_part__put(struct unwind_part *part)
{
	if (--part->nr_references)
		return;
	if (part->file)
		unwind_files__put(part->files, part->file);
	drop_file(part);
	free(part);
}

void unwind_part__finish(struct unwind_part *part)
{
	part->is_done = true;
	/* programs identify files by mappings, which a copy has not */
	if (part->file && part->start == part->mapping.start)
		unwind_files__show(part->files, part->file, &part->mapping);
	drop_file(part);
}

bool unwind_part__is_awaited(const struct unwind_part *part, uint64_t now_ns)
{
	return !part->is_done && now_ns < part->asked_ns + PATIENCE_NS;
}

bool unwind_part__is_overdue(const struct unwind_part *part)
{
	return monotonic_ns() >= part->asked_ns + MAX_WAIT_NS;
}

bool unwind_part__is_of(const struct unwind_part *part, const struct mapping *mapping)
{
	const struct mapping *own = &part->mapping, *file = of_file(mapping);

	if (part->start != mapping->start || part->end != mapping->end ||
	    own->start != file->start || own->offset != file->offset || own->inode != file->inode ||
	    own->major != file->major || own->minor != file->minor)
		return false;
	return !part->is_done || unwind_file__is_settled(part->file);
}

size_t unwind_part__regions(const struct unwind_part *part, struct unwind_region *regions,
			    size_t max_regions)
{
	const struct unwind_memory memory = {.start = part->start,
					     .end = part->end,
					     .mapped = part->mapping.start,
					     .offset = part->mapping.offset,
					     .is_head = part->mapping.is_head};

	return unwind_file__regions(part->is_done ? part->file : NULL, &memory, regions,
				    max_regions);
}

/* ---- queues ---- */

void part_queue__init(struct part_queue *queue)
{
	*queue = (struct part_queue){.last = &queue->first};
}

void part_queue__fini(struct part_queue *queue)
{
	while (queue->nr)
		unwind_part__put(part_queue__pop(queue));
}

void part_queue__push(struct part_queue *queue, struct unwind_part *part)
{
	part->next = NULL;
	*queue->last = part;
	queue->last = &part->next;
	queue->nr++;
}

struct unwind_part *part_queue__pop(struct part_queue *queue)
{
	struct unwind_part *part = queue->first;

	queue->first = part->next;
	if (!queue->first)
		queue->last = &queue->first;
	queue->nr--;
	return part;
}
