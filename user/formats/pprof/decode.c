// SPDX-License-Identifier: GPL-2.0-only
/*
 * One part of a pprof file at a time, decoded by protobuf-c into an arena of bounded size, and the
 * string table, of which only what is asked for is copied.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Needs stddef.h before it. */
#include <libiberty/objalloc.h>

#include "base/array.h"
#include "formats/pprof/reader.h"

#define MAX_PART_BYTES	 (64 << 20)
#define MAX_STRING_BYTES 16384
#define CHECK_EVERY	 4096 /* things */

/* What found no memory could not be decoded either, and is not to blame. */
int pprof_reader__refuse(struct pprof_reader *reader, const char *what)
{
	if (reader->arena.lacks_memory)
		return error__no_memory(reader->err);
	return error__say(reader->err, EXIT_USAGE, -EINVAL, "it is damaged: %s", what);
}

static void *arena__alloc(void *context, size_t size)
{
	struct pprof_arena *arena = context;
	void *memory;

	if (size > MAX_PART_BYTES || arena->used + size > MAX_PART_BYTES)
		return NULL;
	arena->used += size;
	memory = objalloc_alloc(arena->blocks, size);
	arena->lacks_memory |= !memory;
	return memory;
}

static void arena__free(void *context, void *pointer)
{
	(void)context;
	(void)pointer; /* all of it goes at once */
}

static int arena__reset(struct pprof_arena *arena)
{
	/* A few decoded parts share a chunk; what was large is given back at once. */
	if (arena->blocks && arena->used < 4096)
		return 0;
	if (arena->blocks)
		objalloc_free(arena->blocks);
	arena->used = 0;
	arena->blocks = objalloc_create();
	arena->lacks_memory |= !arena->blocks;
	return arena->blocks ? 0 : -ENOMEM;
}

const void *pprof_reader__decode(struct pprof_reader *reader,
				 const ProtobufCMessageDescriptor *descriptor,
				 const struct wire_field *field)
{
	ProtobufCAllocator allocator = {arena__alloc, arena__free, &reader->arena};

	if (arena__reset(&reader->arena))
		return NULL;
	return protobuf_c_message_unpack(descriptor, &allocator, field->nr_bytes, field->content);
}

static size_t held_bytes(const struct pprof_reader *reader)
{
	return reader->nr_bytes + reader->head_bytes + reader->tables_bytes +
	       reader->string_capacity * sizeof(*reader->strings) +
	       reader->nr_strings * sizeof(*reader->kept) +
	       reader->in_order_capacity * sizeof(*reader->in_order) +
	       map__memory_bytes(&reader->mappings) + map__memory_bytes(&reader->functions) +
	       map__memory_bytes(&reader->locations);
}

int pprof_reader__count(struct pprof_reader *reader, size_t nr)
{
	reader->nr_unchecked += nr;
	if (reader->nr_unchecked < CHECK_EVERY)
		return 0;
	reader->nr_unchecked = 0;
	return formats__check_memory(reader->recording, held_bytes(reader), reader->options,
				     reader->err);
}

int pprof_reader__add_string(struct pprof_reader *reader, const struct wire_field *field)
{
	if (array__reserve(&reader->strings, &reader->string_capacity, reader->nr_strings + 1))
		return error__no_memory(reader->err);
	reader->strings[reader->nr_strings++] = *field;
	return pprof_reader__count(reader, 1);
}

int pprof_reader__keep(struct pprof_reader *reader, const char *bytes, size_t nr_bytes,
		       const char **kept)
{
	char *copy = strndup(bytes, nr_bytes);
	bool failed = !copy;

	*kept = copy ? recording__keep(reader->recording, copy, &failed) : NULL;
	free(copy);
	return failed ? error__no_memory(reader->err) : 0;
}

int pprof_reader__string(struct pprof_reader *reader, int64_t index, const char **string)
{
	const struct wire_field *field;
	size_t nr_bytes;
	int code = 0;

	*string = NULL;
	if (!index && !reader->nr_strings)
		return 0;
	if (index < 0 || (uint64_t)index >= reader->nr_strings)
		return pprof_reader__refuse(reader, "a string is not in its table");
	field = &reader->strings[index];
	nr_bytes = field->nr_bytes < MAX_STRING_BYTES ? field->nr_bytes : MAX_STRING_BYTES;
	if (!reader->kept[index] && nr_bytes)
		code = pprof_reader__keep(reader, (const char *)field->content, nr_bytes,
					  &reader->kept[index]);
	*string = reader->kept[index] && *reader->kept[index] ? reader->kept[index] : NULL;
	return code;
}
