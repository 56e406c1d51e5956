// SPDX-License-Identifier: GPL-2.0-only
/* Each area holds a reference to its file. */
#include "processes/mappings.h"

#include <unistd.h>

#include "processes/mapped_files.h"
#include "processes/maps.h"
#include "processes/opener.h"
#include "processes/text_copies.h"

/* Memory of a tree node, with malloc's overhead for node and area. */
#define NODE_BYTES 48
#define AREA_BYTES (sizeof(struct mapped_area) + NODE_BYTES)

struct mappings {
	size_t references;
	struct mapped_files *files;
	struct ranges areas;
	size_t nr_areas;
	size_t bytes; /* of areas and their files, as of the last count */
};

/* ---- life ---- */

struct mappings *mappings__new(struct mapped_files *files)
{
	struct mappings *mappings = xmalloc(sizeof(*mappings));

	*mappings = (struct mappings){.references = 1, .files = files, .bytes = sizeof(*mappings)};
	files->bytes += sizeof(*mappings);
	return mappings;
}

struct mappings *mappings__share(struct mappings *mappings)
{
	mappings->references++;
	return mappings;
}

static void free_area(void *item)
{
	struct mapped_area *area = item;

	area->file->files->bytes -= AREA_BYTES;
	mapped_file__unref(area->file);
	if (area->original)
		mapped_file__unref(area->original);
	free(area);
}

void mappings__free(struct mappings *mappings)
{
	if (!mappings || --mappings->references)
		return;
	ranges__clear(&mappings->areas, free_area);
	mappings->files->bytes -= sizeof(*mappings);
	free(mappings);
}

/* Adds a copy of an area at a free place. 0, as a callback of ranges__each(). */
static int add_area(void *context, void *area)
{
	struct mappings *mappings = context;
	struct mapped_area *added = xmalloc(sizeof(*added));

	*added = *(const struct mapped_area *)area;
	ranges__add(&mappings->areas, &added->range);
	mapped_file__ref(added->file);
	if (added->original)
		mapped_file__ref(added->original);
	mappings->files->bytes += AREA_BYTES;
	mappings->bytes += AREA_BYTES;
	mappings->nr_areas++;
	return 0;
}

/* ---- visiting areas ---- */

int mappings__each(const struct mappings *mappings, int (*on_area)(void *context, void *area),
		   void *context)
{
	return ranges__each(&mappings->areas, on_area, context);
}

static int is_of(void *file, void *item)
{
	const struct mapped_area *area = item;

	return area->file == file || area->original == file;
}

bool mappings__have(const struct mappings *mappings, const struct mapped_file *file)
{
	return mappings__each(mappings, is_of, (void *)(uintptr_t)file);
}

/* ---- memory ---- */

static int add_cost(void *context, void *item)
{
	const struct mapped_area *area = item;
	size_t *bytes = context;

	*bytes += AREA_BYTES + mapped_file__bytes(area->file) / area->file->references;
	return 0;
}

size_t mappings__bytes(struct mappings *mappings)
{
	mappings->bytes = sizeof(*mappings);
	mappings__each(mappings, add_cost, &mappings->bytes);
	return mappings->bytes;
}

/*
 * Removed files count until the next exact count. That is rare, as it must find less than three
 * quarters used.
 */
bool mappings__exceed(struct mappings *mappings, size_t max_bytes)
{
	return mappings->bytes > max_bytes && mappings__bytes(mappings) > max_bytes / 4 * 3;
}

/* ---- mapping ---- */

const struct mapped_area *mappings__find(const struct mappings *mappings, uint64_t address)
{
	return ranges__at(&mappings->areas, address);
}

/*
 * Whether both areas hold the same code. Memory without a file is recognized by its address; a copy
 * of a file's text counts as that text.
 */
static bool is_same_code(const struct mapped_area *a, const struct mapped_area *b)
{
	if (a->file == b->file)
		return a->file->kind == MAPPING_ANONYMOUS ||
		       a->offset - a->range.start == b->offset - b->range.start;
	return a->original == b->file &&
	       a->original_offset - a->original_start == b->offset - b->range.start;
}

/*
 *	areas        [  a  )[    b    )   [   c   )
 *	new                   [ n           )
 *	becomes      [  a  )[b)[ n          )[ c  )
 *
 * Adds an area; older ones keep the parts that it does not cover. Code that is mapped again over
 * itself, as by mprotect, keeps its age.
 */
static void put_area(struct mappings *mappings, struct mapped_area *area)
{
	const uint64_t time_ns = area->mapped_ns;
	struct mapped_area *older, rest;

	while ((older = ranges__overlap(&mappings->areas, &area->range))) {
		const bool is_same = is_same_code(area, older);
		const uint64_t replaced_ns = is_same ? older->replaced_ns : time_ns;

		if (is_same && older->mapped_ns < area->mapped_ns)
			area->mapped_ns = older->mapped_ns;
		if (replaced_ns > area->replaced_ns)
			area->replaced_ns = replaced_ns;

		rest = *older; /* behind the new one */
		rest.range.start = area->range.last + 1;
		rest.offset += rest.range.start - older->range.start;
		if (older->range.start < area->range.start) {
			older->range.last = area->range.start - 1;
			if (rest.range.last > area->range.last)
				add_area(mappings, &rest);
		} else if (rest.range.last > area->range.last) {
			*older = rest;
		} else {
			ranges__remove(&mappings->areas, &older->range);
			mappings->bytes -= AREA_BYTES;
			mappings->nr_areas--;
			free_area(older);
		}
	}
	add_area(mappings, area);
}

/*
 * Memory mapped over a file's text may hold a copy of it: takes the original from the older area
 * there.
 */
static void take_older(const struct mappings *mappings, struct mapped_area *area)
{
	const struct mapped_area *older = ranges__overlap(&mappings->areas, &area->range);

	if (older && older->original) {
		area->original = older->original;
		area->original_start = older->original_start;
		area->original_end = older->original_end;
		area->original_offset = older->original_offset;
		area->original_is_head = older->original_is_head;
		area->is_beside = older->is_beside;
	} else if (older && older->file != area->file && older->file->kind == MAPPING_FILE) {
		area->original = older->file;
		area->original_start = older->range.start;
		area->original_end = older->range.last + 1;
		area->original_offset = older->offset;
	}
	if (area->original)
		mapped_file__ref(area->original);
}

void mappings__map(struct mappings **mappings, const struct mapping *mapping, uint64_t time_ns)
{
	const struct mapping *original = mapping->original;
	struct mapped_area area = {.range = {mapping->start, mapping->end - 1},
				   .offset = mapping->offset,
				   .mapped_ns = time_ns};
	struct mappings *copy;

	if (mapping->start >= mapping->end)
		return;
	if ((*mappings)->references > 1) {
		copy = mappings__new((*mappings)->files);
		mappings__each(*mappings, add_area, copy);
		mappings__free(*mappings);
		*mappings = copy;
	}
	area.file = mapped_files__get((*mappings)->files, mapping);
	if (area.file->references == 1)
		(*mappings)->bytes += mapped_file__bytes(area.file);
	if (original) {
		area.original = mapped_files__get((*mappings)->files, original);
		area.original_start = original->start;
		area.original_end = original->end;
		area.original_offset = original->offset;
		area.original_is_head = original->is_head;
		area.is_beside = mapping->is_beside;
	} else if (text_copies__may_be(mapping)) {
		take_older(*mappings, &area);
	}
	put_area(*mappings, &area);
	mapped_file__unref(area.file);
	if (area.original)
		mapped_file__unref(area.original);
}

/* ---- of a living process ---- */

struct mappings_reading {
	struct mappings *mappings;
	size_t max_bytes;
};

static int read_mapping(void *context, const struct mapping *mapping)
{
	struct mappings_reading *reading = context;

	mappings__map(&reading->mappings, mapping, 0);
	return mappings__exceed(reading->mappings, reading->max_bytes) ? -E2BIG : 0;
}

int mappings__read(struct mapped_files *files, const struct mapped_by *by,
		   const struct mappings_bounds *bounds, struct mappings **mappings,
		   struct living *living)
{
	const struct opening opening = {.kind = OPENING_PROCESS,
					.by = by,
					.path = bounds->if_short ? MAPS_FILE_START : MAPS_FILE,
					.living = living};
	const int text = opener__open(files->opener, &opening, files->budget);
	struct mappings_reading reading = {.max_bytes = bounds->bytes};
	int code = -EFBIG;

	if (text < 0)
		return text;
	reading.mappings = mappings__new(files);
	if (!bounds->if_short || !maps__exceed(text, SHORT_MAPS_BYTES))
		code = text_copies__each_executable(text, read_mapping, &reading);
	close(text);
	if (!code && !reading.mappings->nr_areas)
		code = -ENOENT;
	if (code)
		mappings__free(reading.mappings);
	else
		*mappings = reading.mappings;
	return code;
}
