// SPDX-License-Identifier: GPL-2.0-only
#include "processes/time_lines.h"

#include <signal.h>

#include "processes/mappings.h"
#include "processes/roots.h"

/* ---- life ---- */

static void drop_jit(const struct time_lines *lines, struct image *image)
{
	if (image->jit)
		lines->free_jit(image->jit);
	image->jit = NULL;
}

/* Frees an image and all older ones. */
static void free_from(const struct time_lines *lines, struct image *image)
{
	while (image) {
		struct image *older = image->older;

		mappings__free(image->mappings);
		root__unref(image->root);
		drop_jit(lines, image);
		free(image);
		image = older;
	}
}

static void free_line(void *item)
{
	struct time_line *line = item;

	free_from(line->lines, line->newest);
	free(line);
}

void time_lines__init(struct time_lines *lines, void (*free_jit)(struct jit *jit))
{
	*lines = (struct time_lines){.free_jit = free_jit};
	map__init_numbers(&lines->map, free_line);
}

void time_lines__fini(struct time_lines *lines)
{
	map__fini(&lines->map);
}

/* ---- one line ---- */

struct time_line *time_lines__find(const struct time_lines *lines, int32_t pid)
{
	return map__find_number(&lines->map, (uint64_t)pid);
}

struct image *time_line__at(const struct time_line *line, uint64_t time_ns)
{
	struct image *image = line ? line->newest : NULL;

	while (image && image->begin_ns > time_ns)
		image = image->older;
	return image;
}

struct image *time_lines__begin(struct time_lines *lines, int32_t pid, uint64_t begin_ns,
				struct mappings *mappings)
{
	struct image *image = xcalloc(1, sizeof(*image)), *newest;
	struct time_line *line = time_lines__find(lines, pid);

	if (!line)
		line = map__add_number(&lines->map, (uint64_t)pid, sizeof(*line));
	line->lines = lines;
	*image = (struct image){.pid = pid, .begin_ns = begin_ns, .mappings = mappings};
	image->serial = ++lines->serial;
	newest = line->newest;
	if (newest && newest->read_ns >= begin_ns) {
		image->older = newest->older;
		newest->older = image;
		newest->begin_ns = begin_ns;
	} else {
		image->older = newest;
		line->newest = image;
	}
	return image;
}

/* ---- forgetting ---- */

/* Whether the process is gone. The end of its first thread does not count while others go on. */
static bool is_gone(const struct time_line *line)
{
	return kill((pid_t)line->pid.number, 0) && errno == ESRCH;
}

static bool end_if_gone(void *item, void *now_ns)
{
	struct time_line *line = item;

	if (!line->newest->end_ns && is_gone(line))
		line->newest->end_ns = *(const uint64_t *)now_ns;
	return false;
}

void time_lines__end_gone(struct time_lines *lines, uint64_t now_ns)
{
	map__visit(&lines->map, end_if_gone, &now_ns);
}

static bool forget_older(void *item, void *context)
{
	const uint64_t before_ns = *(const uint64_t *)context;
	struct time_line *line = item;
	struct image *needed = time_line__at(line, before_ns);

	if (needed) {
		free_from(line->lines, needed->older);
		needed->older = NULL;
	}
	return line->newest->end_ns && line->newest->end_ns < before_ns && is_gone(line);
}

void time_lines__forget(struct time_lines *lines, uint64_t before_ns)
{
	map__visit(&lines->map, forget_older, &before_ns);
}

/* ---- all images ---- */

struct images_visit {
	void (*visit)(void *context, struct image *image);
	void *context;
};

static bool visit_line(void *item, void *context)
{
	const struct time_line *line = item;
	const struct images_visit *visit = context;
	struct image *image;

	for (image = line->newest; image; image = image->older)
		visit->visit(visit->context, image);
	return false;
}

void time_lines__visit(struct time_lines *lines, void (*visit)(void *context, struct image *image),
		       void *context)
{
	struct images_visit visits = {visit, context};

	map__visit(&lines->map, visit_line, &visits);
}

static void drop_jit_of(void *lines, struct image *image)
{
	drop_jit(lines, image);
}

void time_lines__drop_jit(struct time_lines *lines)
{
	time_lines__visit(lines, drop_jit_of, lines);
}

static void add_bytes(void *bytes, struct image *image)
{
	*(size_t *)bytes += sizeof(*image);
}

size_t time_lines__memory_bytes(struct time_lines *lines)
{
	size_t bytes = map__memory_bytes(&lines->map) +
		       map__nr_items(&lines->map) * sizeof(struct time_line);

	time_lines__visit(lines, add_bytes, &bytes);
	return bytes;
}
