// SPDX-License-Identifier: GPL-2.0-only
#include "elf/object.h"

#include "elf/symbol_table.h"

#define ENTRY_BYTES 64 /* size of _start: 34 to 60 in C libraries of x86-64 and aarch64 */
#define PAGE_BYTES  4096

/* ---- opening ---- */

int object__open(const void *bytes, size_t nr_bytes, struct object **out)
{
	const struct object_header *header = bytes;
	struct object *object;
	size_t before;
	int code;

	if (nr_bytes < sizeof(*header) || header->magic != OBJECT_MAGIC ||
	    header->nr_segments > OBJECT_MAX_SEGMENTS ||
	    nr_bytes - sizeof(*header) < header->nr_segments * sizeof(struct object_segment) ||
	    !memchr(header->build_id, '\0', sizeof(header->build_id)) ||
	    header->build_id[strspn(header->build_id, "0123456789abcdef")])
		return -EBADMSG;
	object = xcalloc(1, sizeof(*object));
	before = sizeof(*header) + header->nr_segments * sizeof(*object->segments);
	object->header = header;
	object->segments = (const struct object_segment *)(header + 1);
	code = symbol_table__open((const char *)bytes + before, nr_bytes - before, &object->table);
	if (code) {
		object__free(object);
		return code;
	}
	*out = object;
	return 0;
}

void object__free(struct object *object)
{
	if (!object)
		return;
	symbol_table__free(object->table);
	free(object);
}

/* ---- addresses ---- */

/*
 *	file     |  headers, data  |  code      |      offset 0x1e90: in the file both share a page,
 *	memory   [ r--p           ][ r-xp        )     and the code's mapping starts before the code
 *
 * slack: how much around a segment its mapping shows, because mappings are made of whole pages.
 */
static const struct object_segment *find_segment(const struct object *object, uint64_t offset,
						 bool executable, uint64_t slack)
{
	for (size_t i = 0; i < object->header->nr_segments; i++) {
		const struct object_segment *segment = &object->segments[i];
		const uint64_t start = segment->offset & ~slack;
		const uint64_t end = (segment->offset + segment->size + slack) & ~slack;

		if ((segment->executable != 0) == executable && offset >= start && offset < end)
			return segment;
	}
	return NULL;
}

bool object__address(const struct object *object, uint64_t file_offset, uint64_t *address)
{
	const struct object_segment *segment = find_segment(object, file_offset, true, 0);

	if (!segment)
		segment = find_segment(object, file_offset, true, PAGE_BYTES - 1);
	if (!segment)
		segment = find_segment(object, file_offset, false, 0);
	if (!segment)
		return false;
	*address = segment->address + (file_offset - segment->offset);
	return true;
}

bool object__find_code(const struct object *object, uint64_t origin, bool is_head,
		       uint64_t distance, uint64_t *file_offset)
{
	const struct object_segment *head = is_head ? find_segment(object, 0, false, 0) : NULL;
	uint64_t address = head ? head->address : 0;

	if (is_head ? !head : !object__address(object, origin, &address))
		return false;
	address += distance;
	for (size_t i = 0; i < object->header->nr_segments; i++) {
		const struct object_segment *segment = &object->segments[i];

		if (segment->executable && address - segment->address < segment->size) {
			*file_offset = segment->offset + (address - segment->address);
			return true;
		}
	}
	return false;
}

bool object__is_entry(const struct object *object, uint64_t address)
{
	const uint64_t entry = object->header->entry;

	return entry && address - entry < ENTRY_BYTES;
}

size_t object__memory_bytes(const struct object *object)
{
	return sizeof(*object) + sizeof(*object->header) +
	       object->header->nr_segments * sizeof(*object->segments) +
	       symbol_table__memory_bytes(object->table);
}
