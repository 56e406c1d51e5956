// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mappings, functions and locations of a pprof file by their ids, and the frames that a location
 * is: several, where functions were inlined. Ids that dangle or repeat are refused.
 */
#include <stdlib.h>
#include <string.h>

/* Needs stddef.h before it. */
#include <libiberty/objalloc.h>

#include "formats/pprof/reader.h"

#define RELOCATED_FROM (1ULL << 32)

struct mapping_item {
	struct pool_item item;
	uint64_t id;
	uint64_t start, limit, offset;
	struct frame frame; /* with kind, module, path and build ID */
};

struct function_item {
	struct pool_item item;
	uint64_t id;
	const char *name, *file;
};

static uint32_t hash_id(uint64_t id)
{
	return (uint32_t)(id ^ id >> 32) * 0x9e3779b1U;
}

/* All items begin with a pool_item and their id in the file. */
struct numbered {
	struct pool_item item;
	uint64_t id;
};

static int equal_ids(const void *left, const void *right)
{
	return ((const struct numbered *)left)->id == ((const struct numbered *)right)->id;
}

static const void *find(const struct pool *pool, uint64_t id)
{
	const struct numbered key = {.item.hash = hash_id(id), .id = id};

	return pool__find(pool, &key.item);
}

/* An id given twice is refused. */
static int add(struct pprof_reader *reader, struct pool *pool, void *item, size_t size, uint64_t id)
{
	struct numbered *key = item;
	size_t nr_items = pool->nr_items;
	uint32_t number;

	key->id = id;
	key->item.hash = hash_id(id);
	if (!id)
		return pprof_reader__refuse(reader, "a mapping, function or location has the id 0");
	number = pool__intern(pool, &key->item, size);
	if (number == ID_NONE)
		return error__no_memory(reader->err);
	return number == nr_items ? 0 : pprof_reader__refuse(reader, "an id is used twice");
}

static int fill_module(struct pprof_reader *reader, const char *file, struct frame *frame)
{
	struct pprof_module module = pprof__module(file ? file : "");

	frame->kind = module.kind;
	frame->path = module.path;
	if (!module.module)
		return 0;
	return pprof_reader__keep(reader, module.module, module.module_bytes, &frame->module);
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
	const struct function_item *function = find(&reader->functions, line->function_id);

	if (!function && line->function_id)
		return pprof_reader__refuse(reader, "a line is of a function that is not there");
	frame->function = function ? function->name : NULL;
	frame->file = function ? function->file : NULL;
	frame->line = line->line > 0 && line->line <= UINT32_MAX ? (uint32_t)line->line : 0;
	return 0;
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
		item->frames[i] = dictionary__add_frame(
			profile__dictionary(reader->recording->profile), &frame);
		if (item->frames[i] == ID_NONE)
			return error__no_memory(reader->err);
	}
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
	mapping = find(&reader->mappings, location->mapping_id);
	if (!mapping && location->mapping_id)
		return pprof_reader__refuse(reader, "a location is in a mapping that is not there");
	if (location->n_line > PPROF_MAX_FRAMES)
		return pprof_reader__refuse(reader, "a location has functions inlined without end");
	item.nr_frames = location->n_line ? (uint32_t)location->n_line : 1;
	item.frames = objalloc_alloc(reader->frames, item.nr_frames * sizeof(*item.frames));
	if (!item.frames)
		return error__no_memory(reader->err);
	code = fill_frames(reader, location, mapping, &item);
	return code ? code : add(reader, &reader->locations, &item, sizeof(item), location->id);
}

const struct pprof_location *pprof_reader__location(const struct pprof_reader *reader, uint64_t id)
{
	return find(&reader->locations, id);
}

int pprof_reader__init_tables(struct pprof_reader *reader)
{
	reader->mappings.equal = equal_ids;
	reader->functions.equal = equal_ids;
	reader->locations.equal = equal_ids;
	reader->frames = objalloc_create();
	return reader->frames ? 0 : error__no_memory(reader->err);
}

void pprof_reader__clear_tables(struct pprof_reader *reader)
{
	pool__clear(&reader->mappings);
	pool__clear(&reader->functions);
	pool__clear(&reader->locations);
	if (reader->frames)
		objalloc_free(reader->frames);
}
