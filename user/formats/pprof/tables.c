// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mappings, functions and locations of a pprof file by their ids, and the frames that a location
 * is: several, where functions were inlined. Ids that dangle or repeat are refused.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Needs stddef.h before it. */
#include <libiberty/objalloc.h>

#include "base/array.h"
#include "formats/pprof/reader.h"

#define RELOCATED_FROM	(1ULL << 32)
#define ALLOCATED_BYTES 16 /* that malloc(3) needs for itself */

struct mapping_item {
	struct map_number id;
	uint64_t start, limit, offset;
	struct frame frame; /* with kind, module, path and build ID */
};

struct function_item {
	struct map_number id;
	const char *name, *file;
	uint32_t start_line;
};

static uint32_t line_of(int64_t line)
{
	return line > 0 && line <= UINT32_MAX ? (uint32_t)line : 0;
}

/* Adds an item of that id, which begins with it; one given twice is refused. */
static int add(struct pprof_reader *reader, struct map *map, const void *item, size_t size,
	       uint64_t id)
{
	const size_t head = sizeof(struct map_number);
	char *added;

	if (!id)
		return pprof_reader__refuse(reader, "a mapping, function or location has the id 0");
	if (map__find_number(map, id))
		return pprof_reader__refuse(reader, "an id is used twice");
	added = map__add_number(map, id, size);
	if (!added)
		return error__no_memory(reader->err);
	memcpy(added + head, (const char *)item + head, size - head);
	reader->tables_bytes += size + ALLOCATED_BYTES;
	return pprof_reader__count(reader, 1);
}

static int fill_module(struct pprof_reader *reader, const char *file, struct frame *frame)
{
	struct pprof_module module = pprof__module(file ? file : "");

	frame->kind = module.kind;
	frame->path = module.path;
	if (!module.module)
		return 0;
	return pprof_reader__keep(reader, module.module,
				  module.module_bytes < NAME_MAX ? module.module_bytes : NAME_MAX,
				  &frame->module);
}

static int take_mapping(struct pprof_reader *reader, const struct wire_field *field)
{
	const Pprof__Mapping *mapping =
		pprof_reader__decode(reader, &pprof__mapping__descriptor, field);
	struct mapping_item item = {0};
	const char *file;
	int code;

	if (!mapping)
		return pprof_reader__refuse(reader, "a mapping cannot be decoded");
	item.start = mapping->start;
	item.limit = mapping->limit;
	item.offset = mapping->file_offset;
	code = pprof_reader__string(reader, mapping->filename_str, &file);
	if (!code)
		code = pprof_reader__string(reader, mapping->build_id_str, &item.frame.build_id);
	if (!code)
		code = fill_module(reader, file, &item.frame);
	return code ? code : add(reader, &reader->mappings, &item, sizeof(item), mapping->id);
}

static int take_function(struct pprof_reader *reader, const struct wire_field *field)
{
	const Pprof__Function *function =
		pprof_reader__decode(reader, &pprof__function__descriptor, field);
	struct function_item item = {0};
	int code;

	if (!function)
		return pprof_reader__refuse(reader, "a function cannot be decoded");
	code = pprof_reader__string(reader, function->name_str, &item.name);
	if (!code && !item.name)
		code = pprof_reader__string(reader, function->system_name_str, &item.name);
	if (!code)
		code = pprof_reader__string(reader, function->filename_str, &item.file);
	item.start_line = line_of(function->start_line);
	return code ? code : add(reader, &reader->functions, &item, sizeof(item), function->id);
}

int pprof_reader__take_table(struct pprof_reader *reader, const struct wire_field *field)
{
	if (field->number == PROFILE_MAPPING)
		return take_mapping(reader, field);
	return field->number == PROFILE_FUNCTION ? take_function(reader, field) : 0;
}

/*
 * What is mapped high up was relocated there, differently in each process; what is mapped low
 * (programs linked to fixed addresses) or everywhere (our own files) was not.
 */
static uint64_t address_in_file(const struct mapping_item *mapping, uint64_t address)
{
	if (mapping->start < RELOCATED_FROM || address < mapping->start ||
	    address >= mapping->limit || mapping->frame.kind != FRAME_USER)
		return address;
	return address - mapping->start + mapping->offset;
}

static int fill_line(struct pprof_reader *reader, const Pprof__Line *line, struct frame *frame)
{
	const struct function_item *function =
		map__find_number(&reader->functions, line->function_id);

	if (!function && line->function_id)
		return pprof_reader__refuse(reader, "a line is of a function that is not there");
	frame->function = function ? function->name : NULL;
	frame->file = function ? function->file : NULL;
	frame->start_line = function ? function->start_line : 0;
	frame->line = line_of(line->line);
	return 0;
}

/* "libz.so.1@0x4970", in a mapping of libz.so.1, is no name: the function is known by its start. */
static void take_start(struct frame *frame)
{
	size_t module_bytes;
	uint64_t start;

	frame->has_start = false;
	if (!frame->function || frame->kind != FRAME_USER || frame->inlined || !frame->module ||
	    !frame__parse_start(frame->function, &module_bytes, &start) ||
	    strlen(frame->module) != module_bytes ||
	    memcmp(frame->function, frame->module, module_bytes) != 0 || start > frame->address)
		return;
	frame->function = NULL;
	frame->has_start = true;
	frame->offset = frame->address - start;
}

static int fill_frames(struct pprof_reader *reader, const Pprof__Location *location,
		       const struct mapping_item *mapping, struct pprof_location *item)
{
	struct frame frame = mapping ? mapping->frame : (struct frame){0};
	int code;

	frame.address = mapping ? address_in_file(mapping, location->address) : location->address;
	for (uint32_t i = 0; i < item->nr_frames; i++) {
		if (i < location->n_line) {
			code = fill_line(reader, location->line[i], &frame);
			if (code)
				return code;
		}
		frame.root = frame.function && frame__is_root_name(frame.kind, frame.function);
		frame.inlined = i + 1 < item->nr_frames;
		take_start(&frame);
		item->frames[i] = dictionary__add_kept_frame(
			profile__dictionary(reader->recording->profile), &frame);
		if (item->frames[i] == ID_NONE)
			return error__no_memory(reader->err);
	}
	return 0;
}

/* Remembers the location that was added last, if its id goes on from those before. */
static int note_order(struct pprof_reader *reader, uint64_t id)
{
	size_t nr = reader->nr_in_order;

	if (id != nr + 1)
		return 0;
	if (array__reserve(&reader->in_order, &reader->in_order_capacity, nr + 1))
		return error__no_memory(reader->err);
	reader->in_order[nr] = map__find_number(&reader->locations, id);
	reader->nr_in_order++;
	return 0;
}

int pprof_reader__take_location(struct pprof_reader *reader, const struct wire_field *field)
{
	const Pprof__Location *location;
	const struct mapping_item *mapping;
	struct pprof_location item = {0};
	int code;

	if (field->number != PROFILE_LOCATION)
		return 0;
	location = pprof_reader__decode(reader, &pprof__location__descriptor, field);
	if (!location)
		return pprof_reader__refuse(reader, "a location cannot be decoded");
	mapping = map__find_number(&reader->mappings, location->mapping_id);
	if (!mapping && location->mapping_id)
		return pprof_reader__refuse(reader, "a location is in a mapping that is not there");
	if (location->n_line > PPROF_MAX_FRAMES)
		return pprof_reader__refuse(reader, "a location has functions inlined without end");
	item.nr_frames = location->n_line ? (uint32_t)location->n_line : 1;
	item.frames = objalloc_alloc(reader->frames, item.nr_frames * sizeof(*item.frames));
	if (!item.frames)
		return error__no_memory(reader->err);
	reader->tables_bytes += item.nr_frames * sizeof(*item.frames);
	code = fill_frames(reader, location, mapping, &item);
	if (!code)
		code = pprof_reader__count(reader, item.nr_frames);
	if (!code)
		code = add(reader, &reader->locations, &item, sizeof(item), location->id);
	return code ? code : note_order(reader, location->id);
}

const struct pprof_location *pprof_reader__location(const struct pprof_reader *reader, uint64_t id)
{
	if (id && id <= reader->nr_in_order)
		return reader->in_order[id - 1];
	return map__find_number(&reader->locations, id);
}

int pprof_reader__init_tables(struct pprof_reader *reader)
{
	reader->frames = objalloc_create();
	if (!reader->frames || map__init_numbers(&reader->mappings, free) ||
	    map__init_numbers(&reader->functions, free) ||
	    map__init_numbers(&reader->locations, free))
		return error__no_memory(reader->err);
	return 0;
}

void pprof_reader__clear_tables(struct pprof_reader *reader)
{
	map__fini(&reader->mappings);
	map__fini(&reader->functions);
	map__fini(&reader->locations);
	free(reader->in_order);
	if (reader->frames)
		objalloc_free(reader->frames);
}
