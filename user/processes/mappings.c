// SPDX-License-Identifier: GPL-2.0-only
/*
 * A search tree of the C library. Areas are not empty and never overlap, and areas that overlap
 * compare equal, so a lookup finds the area that contains an address or overlaps a new area. Each
 * area holds a reference to its file.
 *
 * A process may map anything anywhere, so the cost of a mapping must not grow with the number of
 * earlier ones.
 */
#include "processes/mappings.h"

#include <search.h>
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
	void *tree;
	size_t nr_areas;
	size_t bytes; /* of areas and their files, as of the last count */
};

/* ---- life ---- */

static int compare_ranges(const void *left, const void *right)
{
	const struct mapped_area *a = left, *b = right;

	return (a->start >= b->end) - (a->end <= b->start);
}

struct mappings *mappings__new(struct mapped_files *files)
{
	struct mappings *mappings = malloc(sizeof(*mappings));

	if (!mappings)
		return NULL;
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
	tdestroy(mappings->tree, free_area);
	mappings->files->bytes -= sizeof(*mappings);
	free(mappings);
}

/* Adds a copy of an area at a free place. 0 or -ENOMEM. */
static int add_area(struct mappings *mappings, const struct mapped_area *area)
{
	struct mapped_area *added = malloc(sizeof(*added));

	if (!added)
		return -ENOMEM;
	*added = *area;
	if (!tsearch(added, &mappings->tree, compare_ranges)) {
		free(added);
		return -ENOMEM;
	}
	mapped_file__ref(area->file);
	if (area->original)
		mapped_file__ref(area->original);
	mappings->files->bytes += AREA_BYTES;
	mappings->bytes += AREA_BYTES;
	mappings->nr_areas++;
	return 0;
}

static void remove_area(struct mappings *mappings, struct mapped_area *area)
{
	tdelete(area, &mappings->tree, compare_ranges);
	mappings->bytes -= AREA_BYTES;
	mappings->nr_areas--;
	free_area(area);
}

/* ---- visiting areas ---- */

struct visit {
	int (*on_area)(void *context, const struct mapped_area *area);
	void *context;
	int code;
};

static void visit_node(const void *node, VISIT order, void *context)
{
	const struct mapped_area *const *area = node;
	struct visit *visit = context;

	if ((order == postorder || order == leaf) && !visit->code)
		visit->code = visit->on_area(visit->context, *area);
}

int mappings__each(const struct mappings *mappings,
		   int (*on_area)(void *context, const struct mapped_area *area), void *context)
{
	struct visit visit = {on_area, context, 0};

	twalk_r(mappings->tree, visit_node, &visit);
	return visit.code;
}

static int is_of(void *file, const struct mapped_area *area)
{
	return area->file == file || area->original == file;
}

bool mappings__have(const struct mappings *mappings, const struct mapped_file *file)
{
	return mappings__each(mappings, is_of, (void *)(uintptr_t)file);
}

static int copy_area(void *copy, const struct mapped_area *area)
{
	return add_area(copy, area);
}

/* Copies *mappings if it is shared. 0 or -ENOMEM. */
static int unshare(struct mappings **mappings)
{
	struct mappings *copy;

	if ((*mappings)->references == 1)
		return 0;
	copy = mappings__new((*mappings)->files);
	if (!copy || mappings__each(*mappings, copy_area, copy)) {
		mappings__free(copy);
		return -ENOMEM;
	}
	mappings__free(*mappings);
	*mappings = copy;
	return 0;
}

/* ---- memory ---- */

static int add_cost(void *context, const struct mapped_area *area)
{
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

static struct mapped_area *find_overlap(const struct mappings *mappings,
					const struct mapped_area *key)
{
	struct mapped_area *const *found = tfind(key, &mappings->tree, compare_ranges);

	return found ? *found : NULL;
}

const struct mapped_area *mappings__find(const struct mappings *mappings, uint64_t address)
{
	const struct mapped_area key = {.start = address, .end = address + 1};

	return find_overlap(mappings, &key);
}

/*
 * Whether both areas hold the same code. Memory without a file is recognized by its address; a copy
 * of a file's text counts as that text.
 */
static bool is_same_code(const struct mapped_area *a, const struct mapped_area *b)
{
	if (a->file == b->file)
		return a->file->kind == MAPPING_ANONYMOUS ||
		       a->offset - a->start == b->offset - b->start;
	return a->original == b->file &&
	       a->original_offset - a->original_start == b->offset - b->start;
}

/* Dates a new area. Code that is mapped again over itself, as by mprotect, keeps its age. */
static void date_area(struct mapped_area *area, const struct mapped_area *before, uint64_t time_ns)
{
	const uint64_t replaced_ns = is_same_code(area, before) ? before->replaced_ns : time_ns;

	if (is_same_code(area, before) && before->mapped_ns < area->mapped_ns)
		area->mapped_ns = before->mapped_ns;
	if (replaced_ns > area->replaced_ns)
		area->replaced_ns = replaced_ns;
}

/*
 *	areas        [  a  )[    b    )   [   c   )
 *	new                   [ n           )
 *	becomes      [  a  )[b)[ n          )[ c  )
 *
 * Leaves of an older area what the new one does not cover. 0 or -ENOMEM.
 */
static int cut_out(struct mappings *mappings, struct mapped_area *older,
		   const struct mapped_area *area)
{
	struct mapped_area rest = *older; /* behind the new one */

	rest.offset += area->end - rest.start;
	rest.start = area->end;
	if (older->start < area->start) {
		older->end = area->start;
		return rest.start < rest.end ? add_area(mappings, &rest) : 0;
	}
	if (rest.start < rest.end)
		*older = rest;
	else
		remove_area(mappings, older);
	return 0;
}

static int put_area(struct mappings *mappings, struct mapped_area *area)
{
	const uint64_t time_ns = area->mapped_ns;
	struct mapped_area *older;
	int code = 0;

	while (!code && (older = find_overlap(mappings, area))) {
		date_area(area, older, time_ns);
		code = cut_out(mappings, older, area);
	}
	return code ? code : add_area(mappings, area);
}

/*
 * Memory mapped over a file's text may hold a copy of it: takes the original from the older area
 * there.
 */
static void take_older(const struct mappings *mappings, struct mapped_area *area)
{
	const struct mapped_area *older = find_overlap(mappings, area);

	if (older && older->original) {
		area->original = older->original;
		area->original_start = older->original_start;
		area->original_end = older->original_end;
		area->original_offset = older->original_offset;
		area->original_is_head = older->original_is_head;
		area->is_beside = older->is_beside;
	} else if (older && older->file != area->file && older->file->kind == MAPPING_FILE) {
		area->original = older->file;
		area->original_start = older->start;
		area->original_end = older->end;
		area->original_offset = older->offset;
	}
	if (area->original)
		mapped_file__ref(area->original);
}

static int find_original(struct mappings *mappings, const struct mapping *mapping,
			 struct mapped_area *area)
{
	const struct mapping *original = mapping->original;

	if (!original) {
		if (text_copies__may_be(mapping))
			take_older(mappings, area);
		return 0;
	}
	area->original = mapped_files__get(mappings->files, original);
	area->original_start = original->start;
	area->original_end = original->end;
	area->original_offset = original->offset;
	area->original_is_head = original->is_head;
	area->is_beside = mapping->is_beside;
	return area->original ? 0 : -ENOMEM;
}

int mappings__map(struct mappings **mappings, const struct mapping *mapping, uint64_t time_ns)
{
	struct mapped_area area = {.start = mapping->start,
				   .end = mapping->end,
				   .offset = mapping->offset,
				   .mapped_ns = time_ns};
	int code;

	if (mapping->start >= mapping->end)
		return 0;
	code = unshare(mappings);
	if (code)
		return code;
	area.file = mapped_files__get((*mappings)->files, mapping);
	if (!area.file)
		return -ENOMEM;
	if (area.file->references == 1)
		(*mappings)->bytes += mapped_file__bytes(area.file);
	code = find_original(*mappings, mapping, &area);
	if (!code)
		code = put_area(*mappings, &area);
	mapped_file__unref(area.file);
	if (area.original)
		mapped_file__unref(area.original);
	return code;
}

/* ---- of a living process ---- */

struct mappings_reading {
	struct mappings *mappings;
	size_t max_bytes;
};

static int read_mapping(void *context, const struct mapping *mapping)
{
	struct mappings_reading *reading = context;
	const int code = mappings__map(&reading->mappings, mapping, 0);

	return code || !mappings__exceed(reading->mappings, reading->max_bytes) ? code : -E2BIG;
}

int mappings__read(struct mapped_files *files, const struct mapped_by *by,
		   const struct mappings_bounds *bounds, struct mappings **mappings,
		   struct living *living)
{
	const struct opening opening = {.kind = OPENING_PROCESS,
					.by = by,
					.path = bounds->if_short ? MAPS_FILE_START : MAPS_FILE,
					.living = living};
	const int text = opener__open(files->opener, &opening, files->hurry);
	struct mappings_reading reading = {.max_bytes = bounds->bytes};
	int code = -ENOMEM;

	if (text < 0)
		return text;
	reading.mappings = mappings__new(files);
	if (bounds->if_short && maps__exceed(text, SHORT_MAPS_BYTES))
		code = -EFBIG;
	else if (reading.mappings)
		code = text_copies__each_executable(text, read_mapping, &reading);
	close(text);
	if (!reading.mappings)
		return code;
	if (!code && !reading.mappings->nr_areas)
		code = -ENOENT;
	if (code)
		mappings__free(reading.mappings);
	else
		*mappings = reading.mappings;
	return code;
}
