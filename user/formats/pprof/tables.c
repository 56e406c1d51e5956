// SPDX-License-Identifier: GPL-2.0-only
/*
 * The strings of a pprof file, of which only those that are used are copied; its mappings,
 * functions and locations by id, and the frames of each location: several if functions were
 * inlined. Dangling or repeated ids are errors, except for dangling mappings: files are not
 * essential.
 */
#include <libiberty/objalloc.h>
#include <limits.h>

#include "formats/pprof/reader.h"

#define RELOCATED_FROM	 (1ULL << 32) /* mappings from this address on are relocated */
#define MAX_STRING_BYTES 32767	      /* as many as symbols keep of a name */
#define ALLOCATED_BYTES	 16	      /* overhead of malloc(3) */

struct mapping_item {
	struct map_number id;
	uint64_t start, limit, offset;
	struct frame frame; /* only kind, module, path and build ID */
};

struct location_item {
	struct map_number id;
	struct pprof_frames frames;
};

struct function_item {
	struct map_number id;
	const char *name, *file;
	uint32_t start_line;
};

/* ---- strings ---- */

int pprof_reader__add_string(struct pprof_reader *reader, const struct wire_field *field)
{
	if (array__try_reserve(&reader->strings, &reader->string_capacity, reader->nr_strings + 1))
		return memory__error(reader->err);
	reader->strings[reader->nr_strings++] = wire__inside(field);
	return pprof_reader__count(reader, 1);
}

/* *kept is the interned copy of these bytes; a NUL in them becomes TEXT_NUL. */
static int keep_bytes(struct pprof_reader *reader, const char *bytes, size_t nr_bytes,
		      const char **kept)
{
	char *copy = text__of_bytes(bytes, nr_bytes);

	if (!copy)
		return memory__error(reader->err);
	*kept = recording__keep(reader->recording, copy);
	free(copy);
	return 0;
}

int pprof_reader__string(struct pprof_reader *reader, uint64_t index, const char **string)
{
	const struct wire *bytes;
	size_t nr_bytes;
	int code = 0;

	*string = NULL;
	if (!index && !reader->nr_strings)
		return 0;
	if (index >= reader->nr_strings)
		return pprof_reader__refuse(reader, "a string is not in its table");
	bytes = &reader->strings[index];
	nr_bytes = (size_t)(bytes->end - bytes->at);
	if (!reader->kept[index] && nr_bytes)
		code = keep_bytes(reader, (const char *)bytes->at,
				  nr_bytes < MAX_STRING_BYTES ? nr_bytes : MAX_STRING_BYTES,
				  &reader->kept[index]);
	*string = reader->kept[index] && *reader->kept[index] ? reader->kept[index] : NULL;
	return code;
}

/* ---- mappings, functions, locations ---- */

static uint32_t line_of(uint64_t line)
{
	return line <= UINT32_MAX ? (uint32_t)line : 0;
}

static int refuse_twice(struct pprof_reader *reader)
{
	return pprof_reader__refuse(reader, "an id is used twice");
}

/* Adds an item, which begins with its id; an id given twice is an error. */
static int add(struct pprof_reader *reader, struct map *map, const void *item, size_t size,
	       uint64_t id)
{
	const size_t head = sizeof(struct map_number);
	char *added;

	if (!id)
		return pprof_reader__refuse(reader, "a mapping, function or location has the id 0");
	if (map__find_number(map, id))
		return refuse_twice(reader);
	added = map__add_number(map, id, size);
	memcpy(added + head, (const char *)item + head, size - head);
	reader->tables_bytes += size + ALLOCATED_BYTES;
	return pprof_reader__count(reader, 1);
}

static int take_mapping(struct pprof_reader *reader, const struct wire_field *field)
{
	uint64_t mapping[MAPPING_LAST];
	struct mapping_item item = {0};
	struct pprof_module module;
	const char *file;
	int code;

	if (wire__numbers(field, mapping, MAPPING_LAST))
		return pprof_reader__refuse(reader, "a mapping cannot be decoded");
	item.start = mapping[MAPPING_START];
	item.limit = mapping[MAPPING_LIMIT];
	item.offset = mapping[MAPPING_OFFSET];
	code = pprof_reader__string(reader, mapping[MAPPING_FILE], &file);
	if (!code)
		code = pprof_reader__string(reader, mapping[MAPPING_BUILD_ID],
					    &item.frame.build_id);
	if (code)
		return code;
	module = pprof__module(file ? file : "");
	item.frame.kind = module.kind;
	item.frame.path = module.path;
	if (module.module)
		code = keep_bytes(reader, module.module,
				  module.module_bytes < NAME_MAX ? module.module_bytes : NAME_MAX,
				  &item.frame.module);
	return code ? code
		    : add(reader, &reader->mappings, &item, sizeof(item), mapping[MAPPING_ID]);
}

static int take_function(struct pprof_reader *reader, const struct wire_field *field)
{
	uint64_t function[FUNCTION_LAST];
	struct function_item item = {0};
	int code;

	if (wire__numbers(field, function, FUNCTION_LAST))
		return pprof_reader__refuse(reader, "a function cannot be decoded");
	code = pprof_reader__string(reader, function[FUNCTION_NAME], &item.name);
	if (!code && !item.name)
		code = pprof_reader__string(reader, function[FUNCTION_SYSTEM_NAME], &item.name);
	if (!code)
		code = pprof_reader__string(reader, function[FUNCTION_FILE], &item.file);
	item.start_line = line_of(function[FUNCTION_START_LINE]);
	return code ? code
		    : add(reader, &reader->functions, &item, sizeof(item), function[FUNCTION_ID]);
}

int pprof_reader__take_table(struct pprof_reader *reader, const struct wire_field *field)
{
	if (field->number == PROFILE_MAPPING)
		return take_mapping(reader, field);
	return field->number == PROFILE_FUNCTION ? take_function(reader, field) : 0;
}

/*
 * Converts an address to one relative to the file. It is one already, as in our own files, if the
 * mapping is the whole address space, or does not contain the address. Else the segments of the
 * file tell it, if the file is there. Else a low mapping is taken to be linked to its address. A
 * high one was relocated, differently in each process; the best guess is that addresses are offsets
 * in the file.
 */
static uint64_t address_in_file(const struct pprof_reader *reader,
				const struct mapping_item *mapping, uint64_t address)
{
	const struct file_placing *placing = &reader->options->placing;
	const struct placed_file placed = {.path = mapping->frame.path,
					   .build_id = mapping->frame.build_id,
					   .start = mapping->start,
					   .limit = mapping->limit,
					   .offset = mapping->offset};
	const bool is_everywhere = !mapping->start && !mapping->offset &&
				   (!mapping->limit || mapping->limit == UINT64_MAX);
	uint64_t in_file;

	if (is_everywhere || address < mapping->start || address >= mapping->limit ||
	    mapping->frame.kind != FRAME_USER)
		return address;
	if (placed.path && placing->find &&
	    placing->find(placing->context, &placed, address, &in_file))
		return in_file;
	return mapping->start < RELOCATED_FROM ? address
					       : address - mapping->start + mapping->offset;
}

static int refuse_location(struct pprof_reader *reader)
{
	return pprof_reader__refuse(reader, "a location cannot be decoded");
}

static int fill_line(struct pprof_reader *reader, const struct wire_field *field,
		     struct frame *frame)
{
	const struct function_item *function;
	uint64_t line[LINE_LAST];

	if (wire__numbers(field, line, LINE_LAST))
		return refuse_location(reader);
	function = map__find_number(&reader->functions, line[LINE_FUNCTION]);
	if (!function && line[LINE_FUNCTION])
		return pprof_reader__refuse(reader, "a line is of a function that is not there");
	frame->function = function ? function->name : NULL;
	frame->file = function ? function->file : NULL;
	frame->start_line = function ? function->start_line : 0;
	frame->line = line_of(line[LINE_NUMBER]);
	return 0;
}

/*
 * Recognizes "libz.so.1@0x4970" in a mapping of libz.so.1: the function has no name, only a start.
 */
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

/*
 * Makes the frames of all lines, the innermost first; of a location without lines one frame. frame:
 * with mapping and address.
 */
static int fill_frames(struct pprof_reader *reader, struct wire lines, struct frame frame,
		       uint32_t *ids, uint32_t nr)
{
	struct dictionary *dictionary = profile__dictionary(reader->recording->profile);
	struct wire_field field;

	for (uint32_t i = 0; i < nr; i++) {
		int more, code = 0;

		while ((more = wire__next(&lines, &field)) > 0 && field.number != LOCATION_LINE)
			;
		if (more > 0)
			code = fill_line(reader, &field, &frame);
		if (code)
			return code;
		frame.root = frame.function && frame__is_root_name(frame.kind, frame.function);
		frame.inlined = i + 1 < nr;
		take_start(&frame);
		ids[i] = dictionary__add_kept_frame(dictionary, &frame);
	}
	return 0;
}

int pprof_reader__take_location(struct pprof_reader *reader, const struct wire_field *field)
{
	struct wire wire = wire__inside(field);
	struct wire_field part;
	uint64_t location[LOCATION_LINE], id;
	const struct mapping_item *mapping;
	struct frame frame = {0};
	struct location_item item;
	uint32_t *ids, nr = 0;
	int more, code;

	if (field->number != PROFILE_LOCATION)
		return 0;
	while ((more = wire__next(&wire, &part)) > 0)
		nr += part.number == LOCATION_LINE;
	if (more < 0 || wire__numbers(field, location, LOCATION_LINE))
		return refuse_location(reader);
	id = location[LOCATION_ID];
	mapping = map__find_number(&reader->mappings, location[LOCATION_MAPPING]);
	if (nr > PPROF_MAX_FRAMES)
		return pprof_reader__refuse(reader, "a location has functions inlined without end");
	nr = nr ? nr : 1;
	ids = xobjalloc(&reader->frames, nr * sizeof(*ids));
	reader->tables_bytes += nr * sizeof(*ids);
	if (mapping)
		frame = mapping->frame;
	frame.address = mapping ? address_in_file(reader, mapping, location[LOCATION_ADDRESS])
				: location[LOCATION_ADDRESS];
	code = fill_frames(reader, wire__inside(field), frame, ids, nr);
	if (!code)
		code = pprof_reader__count(reader, nr);
	if (code)
		return code;

	item = (struct location_item){.frames = {nr, ids[0], ids}};
	if (id && id <= reader->nr_in_order)
		return refuse_twice(reader);
	if (id != reader->nr_in_order + 1 || map__find_number(&reader->locations, id))
		return add(reader, &reader->locations, &item, sizeof(item), id);
	if (array__try_reserve(&reader->in_order, &reader->in_order_capacity,
			       reader->nr_in_order + 1))
		return memory__error(reader->err);
	reader->in_order[reader->nr_in_order++] = item.frames;
	return pprof_reader__count(reader, 1);
}

struct pprof_frames pprof_reader__search_location(const struct pprof_reader *reader, uint64_t id)
{
	const struct location_item *item = map__find_number(&reader->locations, id);

	return item ? item->frames : (struct pprof_frames){0};
}

void pprof_reader__init_tables(struct pprof_reader *reader)
{
	map__init_numbers(&reader->mappings, free);
	map__init_numbers(&reader->functions, free);
	map__init_numbers(&reader->locations, free);
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
