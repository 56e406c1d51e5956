// SPDX-License-Identifier: GPL-2.0-only
/*
 * Invariant: areas are sorted by start, not empty, and do not overlap; each holds a reference to
 * its file.
 */
#include "processes/mappings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "processes/mapped_files.h"
#include "processes/maps.h"

#define MAX_AREAS (1U << 18) /* vm.max_map_count is 65,530 where nobody raised it */

struct mappings {
	size_t references;
	size_t nr_areas, capacity;
	struct mapped_area areas[];
};

static struct mappings *new_mappings(size_t capacity)
{
	struct mappings *mappings =
		malloc(sizeof(*mappings) + capacity * sizeof(mappings->areas[0]));

	if (mappings)
		*mappings = (struct mappings){.references = 1, .capacity = capacity};
	return mappings;
}

struct mappings *mappings__new(void)
{
	return new_mappings(8);
}

struct mappings *mappings__share(struct mappings *mappings)
{
	mappings->references++;
	return mappings;
}

void mappings__free(struct mappings *mappings)
{
	size_t i;

	if (!mappings || --mappings->references)
		return;
	for (i = 0; i < mappings->nr_areas; i++)
		mapped_file__unref(mappings->areas[i].file);
	free(mappings);
}

static struct mappings *copy_mappings(const struct mappings *mappings, size_t capacity)
{
	struct mappings *copy = new_mappings(capacity);
	size_t i;

	if (!copy)
		return NULL;
	copy->nr_areas = mappings->nr_areas;
	for (i = 0; i < copy->nr_areas; i++) {
		copy->areas[i] = mappings->areas[i];
		mapped_file__ref(copy->areas[i].file);
	}
	return copy;
}

/* Makes *mappings ours alone, with room for two more areas: a new one may split an old one. */
static int make_room(struct mappings **mappings)
{
	const size_t needed = (*mappings)->nr_areas + 2;
	size_t capacity = (*mappings)->capacity;
	struct mappings *grown;

	if (needed > MAX_AREAS)
		return -E2BIG;
	if (capacity < needed)
		capacity = 2 * needed < MAX_AREAS ? 2 * needed : MAX_AREAS;
	if ((*mappings)->references > 1) {
		grown = copy_mappings(*mappings, capacity);
		if (grown)
			mappings__free(*mappings);
	} else if (capacity > (*mappings)->capacity) {
		grown = realloc(*mappings, sizeof(*grown) + capacity * sizeof(grown->areas[0]));
		if (grown)
			grown->capacity = capacity;
	} else {
		return 0;
	}
	if (!grown)
		return -ENOMEM;
	*mappings = grown;
	return 0;
}

/* Index of the first area that ends after the address. */
static size_t first_after(const struct mappings *mappings, uint64_t address)
{
	size_t low = 0, high = mappings->nr_areas;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (mappings->areas[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 *	areas        [  a  )[    b    )   [   c   )
 *	new                   [ n           )
 *	becomes      [  a  )[b)[ n          )[ c  )
 *
 * pieces: what stays of the first and the last that n touches, and n between them.
 */
static size_t cut_pieces(const struct mappings *mappings, size_t first, size_t end,
			 const struct mapped_area *area, struct mapped_area pieces[3])
{
	size_t nr = 0;

	if (first < end && mappings->areas[first].start < area->start) {
		pieces[nr] = mappings->areas[first];
		pieces[nr++].end = area->start;
	}
	pieces[nr++] = *area;
	if (first < end && mappings->areas[end - 1].end > area->end) {
		pieces[nr] = mappings->areas[end - 1];
		pieces[nr].offset += area->end - pieces[nr].start;
		pieces[nr++].start = area->end;
	}
	return nr;
}

static int apply(struct mappings **mappings_at, const struct mapped_area *area)
{
	struct mapped_area pieces[3];
	struct mappings *mappings;
	size_t first, end, nr_pieces, i;
	int code;

	if (area->start >= area->end)
		return 0;
	code = make_room(mappings_at);
	if (code)
		return code;
	mappings = *mappings_at;
	first = end = first_after(mappings, area->start);
	while (end < mappings->nr_areas && mappings->areas[end].start < area->end)
		end++;
	nr_pieces = cut_pieces(mappings, first, end, area, pieces);
	for (i = 0; i < nr_pieces; i++)
		mapped_file__ref(pieces[i].file);
	for (i = first; i < end; i++)
		mapped_file__unref(mappings->areas[i].file);
	memmove(mappings->areas + first + nr_pieces, mappings->areas + end,
		(mappings->nr_areas - end) * sizeof(pieces[0]));
	memcpy(mappings->areas + first, pieces, nr_pieces * sizeof(pieces[0]));
	mappings->nr_areas += nr_pieces - (end - first);
	return 0;
}

const struct mapped_area *mappings__find(const struct mappings *mappings, uint64_t address)
{
	const size_t i = first_after(mappings, address);

	if (i == mappings->nr_areas || mappings->areas[i].start > address)
		return NULL;
	return &mappings->areas[i];
}

const struct mapped_area *mappings__areas(const struct mappings *mappings, size_t *nr_areas)
{
	*nr_areas = mappings->nr_areas;
	return mappings->areas;
}

size_t mappings__memory_bytes(const struct mappings *mappings)
{
	return (sizeof(*mappings) + mappings->capacity * sizeof(mappings->areas[0])) /
	       mappings->references;
}

/* Memory without a file is told by its address. */
static bool is_same_code(const struct mapped_area *a, const struct mapped_area *b)
{
	return a->file == b->file &&
	       (a->file->kind == MAPPING_ANONYMOUS || a->offset - a->start == b->offset - b->start);
}

/* Code that is mapped again over itself, as by mprotect, is as old as it was. */
static void date_area(const struct mappings *mappings, struct mapped_area *area, uint64_t time_ns)
{
	const struct mapped_area *before = mappings->areas + first_after(mappings, area->start);
	const struct mapped_area *const end = mappings->areas + mappings->nr_areas;

	area->mapped_ns = time_ns;
	for (; before < end && before->start < area->end; before++) {
		const uint64_t replaced_ns =
			is_same_code(before, area) ? before->replaced_ns : time_ns;

		if (is_same_code(before, area) && before->mapped_ns < area->mapped_ns)
			area->mapped_ns = before->mapped_ns;
		if (replaced_ns > area->replaced_ns)
			area->replaced_ns = replaced_ns;
	}
}

int mappings__map(struct mappings **mappings, struct mapped_files *files,
		  const struct mapping *mapping, uint64_t time_ns)
{
	struct mapped_file *file = mapped_files__get(files, mapping);
	struct mapped_area area = {.start = mapping->start,
				   .end = mapping->end,
				   .offset = mapping->offset,
				   .file = file};
	int code;

	if (!file)
		return -ENOMEM;
	date_area(*mappings, &area, time_ns);
	code = apply(mappings, &area);
	mapped_file__unref(file);
	return code;
}

/* ---- of a living process ---- */

struct mappings_reading {
	struct mapped_files *files;
	struct mappings *mappings;
};

static int read_mapping(void *context, const struct mapping *mapping)
{
	struct mappings_reading *reading = context;

	return mappings__map(&reading->mappings, reading->files, mapping, 0);
}

int mappings__read(struct mapped_files *files, int process, struct mappings **mappings)
{
	struct mappings_reading reading = {files, mappings__new()};
	int code;

	if (!reading.mappings)
		return -ENOMEM;
	code = maps__each_executable(process, read_mapping, &reading);
	if (!code && !reading.mappings->nr_areas)
		code = -ENOENT;
	if (code)
		mappings__free(reading.mappings);
	else
		*mappings = reading.mappings;
	return code;
}
