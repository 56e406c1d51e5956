// SPDX-License-Identifier: GPL-2.0-only
#include "capture/unwinding/internal.h"

#include <unistd.h>

#include "base/shortage.h"
#include "readers/reasons.h"
#include "unwind/unwind.h"

/* ---- part ---- */

#define PATIENCE_NS 2000000000ULL     /* how long a process waits for each file */
#define MAX_WAIT_NS (5 * PATIENCE_NS) /* longest wait for a free reader */

static const struct mapping *of_file(const struct mapping *mapping)
{
	return mapping->original ? mapping->original : mapping;
}

static bool is_copy(const struct unwind_part *part)
{
	return part->start != part->mapping.start;
}

struct unwind_part *unwind_part__new(struct unwind_files *files, const struct mapping *mapping,
				     int32_t pid)
{
	struct unwind_part *part = calloc(1, sizeof(*part));

	if (!part)
		return NULL;
	part->start = mapping->start;
	part->end = mapping->end;
	part->mapping = *of_file(mapping);
	part->mapping.original = NULL;
	part->mapping.path = strdup(part->mapping.path);
	if (!part->mapping.path) {
		free(part);
		return NULL;
	}
	part->files = files;
	part->pid = pid;
	part->fd = -1;
	part->asked_ns = monotonic_ns();
	part->nr_references = 1;
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
	if (part->file && !is_copy(part))
		unwind_files__show(part->files, part->file, &part->mapping);
	drop_file(part);
}

bool unwind_part__is_done(const struct unwind_part *part)
{
	return part->is_done;
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

uint64_t unwind_part__start(const struct unwind_part *part)
{
	return part->start;
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

/* ---- failures ---- */

void unwind_failures__fini(struct unwind_failures *failures)
{
	while (failures->nr)
		free(failures->of[--failures->nr].path);
}

/*
 * Returns true if code is a failure. Most errors only mean that there is no table. -ECHILD is
 * reported by the symbolizer.
 */
static bool is_failure(int code)
{
	if (code == -ECHILD)
		return false;
	return code == -ETIME || code == -ETIMEDOUT || code == -ENOMEM || code == -EAGAIN ||
	       code == -EPIPE || code == -EIO || shortage__is(code);
}

/*
 * Returns true if the failure was noted. A shortage does not belong to a file, and is noted with
 * the first one.
 */
static bool is_known(const struct unwind_failures *failures, const char *path, int code)
{
	for (size_t i = 0; i < failures->nr; i++)
		if (!strcmp(failures->of[i].path, path) ||
		    (shortage__is(code) && failures->of[i].code == code))
			return true;
	return false;
}

void unwind_failures__note(struct unwind_failures *failures, const char *path, int code)
{
	char *copy;

	if (!is_failure(code) || failures->nr == UNWIND_MAX_FAILURES ||
	    is_known(failures, path, code))
		return;
	copy = strdup(path);
	if (!copy)
		return;
	failures->of[failures->nr].path = copy;
	failures->of[failures->nr++].code = code;
}

bool unwind_failures__take(struct unwind_failures *failures, char *text, size_t size)
{
	struct quoted quoted;
	char reason[128] = "";

	if (failures->nr_taken == failures->nr)
		return false;
	reason__text(failures->of[failures->nr_taken].code, READ_UNWIND, reason, sizeof(reason));
	snprintf(text, size, "%s: %s", quote(&quoted, failures->of[failures->nr_taken].path),
		 reason);
	failures->nr_taken++;
	return true;
}
