// SPDX-License-Identifier: GPL-2.0-only
/*
 * pprof profiles by whoever wrote them, and however broken: what is dangling, negative or without
 * end is one error. The file is taken apart by hand and its parts are decoded by protobuf-c, first
 * strings and what is said once, then mappings and functions, locations, and samples, so that each
 * finds what it refers to in whichever order they were written.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Needs stddef.h before it. */
#include <libiberty/objalloc.h>

#include "base/quote.h"
#include "formats/pprof.h"
#include "formats/types.h"
#include "formats/wire.h"
#include "profile/pool.h"
#include "proto/profile.pb-c.h"
#include "topstacks/formats.h"

#define MAX_FRAMES	   4096 /* of one stack; inlined ones count */
#define MAX_TYPES	   64
#define MAX_HEAD_BYTES	   (1 << 20) /* of what is neither a sample nor in a table */
#define MAX_PART_BYTES	   (64 << 20)
#define CHECK_MEMORY_EVERY 256 /* samples */
#define RELOCATED_FROM	   (1ULL << 32)

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

struct location_item {
	struct pool_item item;
	uint64_t id;
	uint32_t nr_frames;
	uint32_t *frames; /* ids, leaf first */
};

/* A part decoded, until the next one is. */
struct arena {
	struct objalloc *blocks;
	size_t used;
};

struct reader {
	struct snapshot *snapshot;
	const struct read_options *options;
	struct error *err;
	const char *bytes;
	size_t nr_bytes;

	struct wire_field *strings; /* content only */
	const char **kept;	    /* those that were asked for, in the dictionary */
	size_t nr_strings, string_capacity;

	uint8_t *head;
	size_t head_bytes;
	struct type_choice choice;
	size_t nr_types;

	struct pool mappings, functions, locations;
	struct objalloc *frames; /* of locations */
	struct arena arena;
	uint32_t stack[MAX_FRAMES];
	size_t nr_samples;
};

static int refuse(struct reader *reader, const char *what)
{
	return error__say(reader->err, EXIT_USAGE, -EINVAL, "it is damaged: %s", what);
}

/* ---- decoding into an arena ---- */

static void *arena__alloc(void *context, size_t size)
{
	struct arena *arena = context;

	if (size > MAX_PART_BYTES || arena->used + size > MAX_PART_BYTES)
		return NULL;
	arena->used += size;
	return objalloc_alloc(arena->blocks, size);
}

static void arena__free(void *context, void *pointer)
{
	(void)context;
	(void)pointer; /* all of it goes at once */
}

static int arena__reset(struct arena *arena)
{
	/* A few decoded parts share a chunk; what was large is given back at once. */
	if (arena->blocks && arena->used < 4096)
		return 0;
	if (arena->blocks)
		objalloc_free(arena->blocks);
	arena->used = 0;
	arena->blocks = objalloc_create();
	return arena->blocks ? 0 : -ENOMEM;
}

static const ProtobufCMessage *decode(struct reader *reader,
				      const ProtobufCMessageDescriptor *descriptor,
				      const uint8_t *bytes, size_t nr_bytes)
{
	ProtobufCAllocator allocator = {arena__alloc, arena__free, &reader->arena};

	if (arena__reset(&reader->arena))
		return NULL;
	return protobuf_c_message_unpack(descriptor, &allocator, nr_bytes, bytes);
}

/* ---- tables ---- */

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
static int add(struct reader *reader, struct pool *pool, void *item, size_t size, uint64_t id)
{
	struct numbered *key = item;
	size_t nr_items = pool->nr_items;
	uint32_t number;

	key->id = id;
	key->item.hash = hash_id(id);
	if (!id)
		return refuse(reader, "a mapping, function or location has the id 0");
	number = pool__intern(pool, &key->item, size);
	if (number == ID_NONE)
		return error__no_memory(reader->err);
	return number == nr_items ? 0 : refuse(reader, "an id is used twice");
}

/* ---- strings ---- */

static int add_string(struct reader *reader, const struct wire_field *field)
{
	size_t capacity = reader->string_capacity ? 2 * reader->string_capacity : 256;
	struct wire_field *strings;

	if (reader->nr_strings == reader->string_capacity) {
		strings = reallocarray(reader->strings, capacity, sizeof(*strings));
		if (!strings)
			return error__no_memory(reader->err);
		reader->strings = strings;
		reader->string_capacity = capacity;
	}
	reader->strings[reader->nr_strings++] = *field;
	return 0;
}

/* *string is the snapshot's copy, NULL for an empty one. What follows a NUL is cut off. */
static int get_string(struct reader *reader, int64_t index, const char **string)
{
	const struct wire_field *field;
	bool failed = false;
	char *copy;

	*string = NULL;
	if (!index && !reader->nr_strings)
		return 0;
	if (index < 0 || (uint64_t)index >= reader->nr_strings)
		return refuse(reader, "a string is not in its table");
	field = &reader->strings[index];
	if (!reader->kept[index] && field->nr_bytes) {
		copy = strndup((const char *)field->content, field->nr_bytes);
		if (!copy)
			return error__no_memory(reader->err);
		reader->kept[index] = snapshot__keep(reader->snapshot, copy, &failed);
		free(copy);
		if (failed)
			return error__no_memory(reader->err);
	}
	*string = reader->kept[index] && *reader->kept[index] ? reader->kept[index] : NULL;
	return 0;
}

/* ---- one walk over the file for each kind of part ---- */

typedef int take_part(struct reader *reader, const struct wire_field *field);

static int walk(struct reader *reader, take_part *take)
{
	struct wire wire = {(const uint8_t *)reader->bytes,
			    (const uint8_t *)reader->bytes + reader->nr_bytes};
	struct wire_field field;
	int more, code = 0;

	while (!code && (more = wire__next(&wire, &field)) != 0) {
		if (more < 0)
			return refuse(reader, "it is cut off, or no profile at all");
		if (field.number >= PROFILE_SAMPLE && field.number <= PROFILE_STRING &&
		    field.type != WIRE_BYTES)
			return refuse(reader, "a part is of the wrong type");
		code = take(reader, &field);
	}
	return code;
}

/* Parts that are said once may come in pieces anywhere; together they are one message. */
static int take_head(struct reader *reader, const struct wire_field *field)
{
	size_t nr_bytes = (size_t)(field->content - field->start) + field->nr_bytes;
	uint8_t *head;

	if (field->number == PROFILE_STRING)
		return add_string(reader, field);
	if (field->number >= PROFILE_SAMPLE && field->number <= PROFILE_FUNCTION)
		return 0;
	if (field->number > PROFILE_LAST)
		return 0;
	if (nr_bytes > MAX_HEAD_BYTES - reader->head_bytes)
		return refuse(reader, "its comments and sample types have no end");
	head = realloc(reader->head, reader->head_bytes + nr_bytes);
	if (!head)
		return error__no_memory(reader->err);
	memcpy(head + reader->head_bytes, field->start, nr_bytes);
	reader->head = head;
	reader->head_bytes += nr_bytes;
	return 0;
}

static int read_types(struct reader *reader, const Pprof__Profile *head)
{
	struct sample_type types[MAX_TYPES] = {0};
	const char *preferred;
	int code = 0;

	if (head->n_sample_type > MAX_TYPES)
		return refuse(reader, "it has too many sample types");
	for (size_t i = 0; i < head->n_sample_type && !code; i++) {
		code = get_string(reader, head->sample_type[i]->type_str, &types[i].type);
		if (!code)
			code = get_string(reader, head->sample_type[i]->unit_str, &types[i].unit);
		types[i].type = types[i].type ? types[i].type : "";
		types[i].unit = types[i].unit ? types[i].unit : "";
	}
	if (!code)
		code = get_string(reader, head->default_sample_type_str, &preferred);
	if (!code)
		code = types__choose(types, head->n_sample_type, reader->options->sample_type,
				     preferred ? preferred : "", &reader->choice, reader->err);
	reader->nr_types = head->n_sample_type;
	reader->snapshot->shown = reader->choice.shown;
	for (int value = 0; value < VALUES && !code; value++)
		if (reader->choice.index[value] != NO_TYPE)
			reader->snapshot->types[value] = types[reader->choice.index[value]];
	return code;
}

static int read_comments(struct reader *reader, const Pprof__Profile *head)
{
	const char *comment;
	int code = 0;

	for (size_t i = 0; i < head->n_comment_str && !code; i++) {
		code = get_string(reader, head->comment_str[i], &comment);
		if (!code && comment && pprof__take_comment(reader->snapshot, comment))
			code = error__no_memory(reader->err);
	}
	return code;
}

static int read_head(struct reader *reader)
{
	struct provenance *provenance = &reader->snapshot->provenance;
	const Pprof__Profile *head;
	int code = walk(reader, take_head);

	if (code)
		return code;
	reader->kept = calloc(reader->nr_strings + 1, sizeof(char *));
	if (!reader->kept)
		return error__no_memory(reader->err);
	head = (const Pprof__Profile *)decode(reader, &pprof__profile__descriptor, reader->head,
					      reader->head_bytes);
	if (!head)
		return refuse(reader, "what it says of itself cannot be decoded");
	if (head->time_nanos < 0 || head->duration_nanos < 0 || head->period < 0)
		return refuse(reader, "its time, duration or period is negative");
	provenance->start_realtime_ns = head->time_nanos;
	provenance->duration_ns = (uint64_t)head->duration_nanos;
	provenance->period = (uint64_t)head->period;
	code = read_types(reader, head);
	return code ? code : read_comments(reader, head);
}

/* ---- mappings, functions, locations ---- */

static int fill_module(struct reader *reader, const char *file, struct frame *frame)
{
	struct pprof_module module = pprof__module(file ? file : "");
	bool failed = false;
	char *name;

	frame->kind = module.kind;
	frame->path = module.path;
	if (!module.module)
		return 0;
	name = strndup(module.module, module.module_bytes);
	if (!name)
		return error__no_memory(reader->err);
	frame->module = snapshot__keep(reader->snapshot, name, &failed);
	free(name);
	return failed ? error__no_memory(reader->err) : 0;
}

static int take_mapping(struct reader *reader, const struct wire_field *field)
{
	const Pprof__Mapping *mapping = (const Pprof__Mapping *)decode(
		reader, &pprof__mapping__descriptor, field->content, field->nr_bytes);
	struct mapping_item item = {0};
	const char *file;
	int code;

	if (!mapping)
		return refuse(reader, "a mapping cannot be decoded");
	item.start = mapping->start;
	item.limit = mapping->limit;
	item.offset = mapping->file_offset;
	code = get_string(reader, mapping->filename_str, &file);
	if (!code)
		code = get_string(reader, mapping->build_id_str, &item.frame.build_id);
	if (!code)
		code = fill_module(reader, file, &item.frame);
	return code ? code : add(reader, &reader->mappings, &item, sizeof(item), mapping->id);
}

static int take_function(struct reader *reader, const struct wire_field *field)
{
	const Pprof__Function *function = (const Pprof__Function *)decode(
		reader, &pprof__function__descriptor, field->content, field->nr_bytes);
	struct function_item item = {0};
	int code;

	if (!function)
		return refuse(reader, "a function cannot be decoded");
	code = get_string(reader, function->name_str, &item.name);
	if (!code && !item.name)
		code = get_string(reader, function->system_name_str, &item.name);
	if (!code)
		code = get_string(reader, function->filename_str, &item.file);
	return code ? code : add(reader, &reader->functions, &item, sizeof(item), function->id);
}

static int take_tables(struct reader *reader, const struct wire_field *field)
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

static int fill_line(struct reader *reader, const Pprof__Line *line, struct frame *frame)
{
	const struct function_item *function = find(&reader->functions, line->function_id);

	if (!function && line->function_id)
		return refuse(reader, "a line is of a function that is not there");
	frame->function = function ? function->name : NULL;
	frame->file = function ? function->file : NULL;
	frame->line = line->line > 0 && line->line <= UINT32_MAX ? (uint32_t)line->line : 0;
	return 0;
}

static int fill_frames(struct reader *reader, const Pprof__Location *location,
		       const struct mapping_item *mapping, struct location_item *item)
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
		frame.inlined = i + 1 < item->nr_frames;
		item->frames[i] = dictionary__add_frame(reader->snapshot->dictionary, &frame);
		if (item->frames[i] == ID_NONE)
			return error__no_memory(reader->err);
	}
	return 0;
}

static int take_location(struct reader *reader, const struct wire_field *field)
{
	const Pprof__Location *location;
	const struct mapping_item *mapping;
	struct location_item item = {0};
	int code;

	if (field->number != PROFILE_LOCATION)
		return 0;
	location = (const Pprof__Location *)decode(reader, &pprof__location__descriptor,
						   field->content, field->nr_bytes);
	if (!location)
		return refuse(reader, "a location cannot be decoded");
	mapping = find(&reader->mappings, location->mapping_id);
	if (!mapping && location->mapping_id)
		return refuse(reader, "a location is in a mapping that is not there");
	if (location->n_line > MAX_FRAMES)
		return refuse(reader, "a location has functions inlined without end");
	item.nr_frames = location->n_line ? (uint32_t)location->n_line : 1;
	item.frames = objalloc_alloc(reader->frames, item.nr_frames * sizeof(*item.frames));
	if (!item.frames)
		return error__no_memory(reader->err);
	code = fill_frames(reader, location, mapping, &item);
	return code ? code : add(reader, &reader->locations, &item, sizeof(item), location->id);
}

/* ---- samples ---- */

static int fill_stack(struct reader *reader, const Pprof__Sample *sample, uint32_t *stack)
{
	size_t nr_frames = 0;

	for (size_t i = 0; i < sample->n_location_id; i++) {
		const struct location_item *location =
			find(&reader->locations, sample->location_id[i]);

		if (!location)
			return refuse(reader, "a sample is at a location that is not there");
		if (location->nr_frames > MAX_FRAMES - nr_frames)
			return refuse(reader, "a stack has more than 4,096 frames");
		memcpy(reader->stack + nr_frames, location->frames,
		       location->nr_frames * sizeof(*location->frames));
		nr_frames += location->nr_frames;
	}
	*stack = dictionary__add_stack(reader->snapshot->dictionary, reader->stack, nr_frames);
	return *stack == ID_NONE ? error__no_memory(reader->err) : 0;
}

static int fill_values(struct reader *reader, const Pprof__Sample *sample, uint64_t *values)
{
	if (sample->n_value != reader->nr_types)
		return refuse(reader, "a sample has not as many values as there are types");
	for (int value = 0; value < VALUES; value++) {
		size_t index = reader->choice.index[value];

		if (index == NO_TYPE)
			continue;
		if (sample->value[index] < 0)
			return refuse(reader, "a value is negative (is it a difference of two "
					      "profiles?)");
		values[value] = (uint64_t)sample->value[index];
	}
	return 0;
}

/* What a sample is labelled with, as far as we know it. */
struct owner {
	struct process process;
	int64_t thread;
	int64_t slice; /* -1: none */
};

static int take_label(struct reader *reader, const Pprof__Label *label, struct owner *owner)
{
	const char *key, *text;
	int code = get_string(reader, label->key_str, &key);

	if (!code)
		code = get_string(reader, label->text_str, &text);
	if (code || !key)
		return code;
	if (!strcmp(key, LABEL_COMM) && text)
		memcpy(owner->process.comm, text, strnlen(text, PROCESS_COMM_SIZE - 1));
	if (text)
		return 0;
	if (!strcmp(key, LABEL_CGROUP))
		owner->process.cgroup = (uint64_t)label->number;
	if (!strcmp(key, LABEL_SLICE))
		owner->slice = reader->snapshot->slice_ns ? label->number : -1;
	if (strcmp(key, LABEL_PID) && strcmp(key, LABEL_THREAD))
		return 0;
	if (label->number < 0 || label->number > INT32_MAX)
		return refuse(reader, "a process or thread id is out of range");
	if (!strcmp(key, LABEL_PID))
		owner->process.pid = (int32_t)label->number;
	else
		owner->thread = label->number;
	return 0;
}

static int add_sample(struct reader *reader, const struct sample *sample, int64_t slice)
{
	int code = profile__add(reader->snapshot->profile, sample);

	if (!code && slice >= 0)
		code = snapshot__add_to_slice(reader->snapshot, (size_t)slice, sample);
	if (code == -ERANGE)
		return refuse(reader, "it has too many slices");
	return code ? error__no_memory(reader->err) : 0;
}

static int check_memory(struct reader *reader)
{
	size_t most = reader->options->max_memory_bytes;

	if (reader->nr_samples++ % CHECK_MEMORY_EVERY ||
	    dictionary__memory_bytes(reader->snapshot->dictionary) <= most)
		return 0;
	return error__say(reader->err, EXIT_USAGE, -EFBIG,
			  "its stacks take more than %zu MB of memory", most >> 20);
}

static int take_sample(struct reader *reader, const struct wire_field *field)
{
	struct owner owner = {.slice = -1};
	struct sample sample = {0};
	const Pprof__Sample *part;
	int code;

	if (field->number != PROFILE_SAMPLE)
		return 0;
	part = (const Pprof__Sample *)decode(reader, &pprof__sample__descriptor, field->content,
					     field->nr_bytes);
	if (!part)
		return refuse(reader, "a sample cannot be decoded");
	code = check_memory(reader);
	if (!code)
		code = fill_values(reader, part, sample.values);
	if (!code)
		code = fill_stack(reader, part, &sample.stack);
	for (size_t i = 0; i < part->n_label && !code; i++)
		code = take_label(reader, part->label[i], &owner);
	if (code)
		return code;
	sample.process = dictionary__add_process(reader->snapshot->dictionary, &owner.process);
	sample.tid = (int32_t)owner.thread;
	if (sample.process == ID_NONE)
		return error__no_memory(reader->err);
	return add_sample(reader, &sample, owner.slice);
}

/* ---- the whole ---- */

bool pprof__sniff(const char *bytes, size_t nr_bytes)
{
	struct wire wire = {(const uint8_t *)bytes, (const uint8_t *)bytes + nr_bytes};
	struct wire_field field;

	return wire__next(&wire, &field) == 1 && field.number < PROFILE_LAST &&
	       (field.type == WIRE_VARINT || field.type == WIRE_BYTES) &&
	       (field.type == WIRE_BYTES) == (field.number <= 6 || field.number == 11 ||
					      (field.number == 13 && field.type == WIRE_BYTES));
}

static int read_all(struct reader *reader)
{
	int code = read_head(reader);

	if (!code)
		code = walk(reader, take_tables);
	if (!code)
		code = walk(reader, take_location);
	return code ? code : walk(reader, take_sample);
}

int pprof__read(struct snapshot *snapshot, const char *bytes, size_t nr_bytes,
		const struct read_options *options, struct error *err)
{
	struct reader *reader = calloc(1, sizeof(*reader));
	int code;

	if (!reader)
		return error__no_memory(err);
	*reader = (struct reader){.snapshot = snapshot,
				  .options = options,
				  .err = err,
				  .bytes = bytes,
				  .nr_bytes = nr_bytes,
				  .mappings.equal = equal_ids,
				  .functions.equal = equal_ids,
				  .locations.equal = equal_ids,
				  .frames = objalloc_create()};
	code = reader->frames ? read_all(reader) : error__no_memory(err);
	pool__clear(&reader->mappings);
	pool__clear(&reader->functions);
	pool__clear(&reader->locations);
	if (reader->frames)
		objalloc_free(reader->frames);
	if (reader->arena.blocks)
		objalloc_free(reader->arena.blocks);
	free(reader->strings);
	free(reader->kept);
	free(reader->head);
	free(reader);
	return code;
}
