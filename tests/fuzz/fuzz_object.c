// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a reader that was taken over may answer instead of a file's symbols: it is refused, or names
 * are strings within it and symbols around the addresses that they are found by.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "elf/object.h"
#include "elf/symbol_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

static void look_up(const struct object *object, uint64_t address, const char *end)
{
	struct found_symbol found;

	if (!symbol_table__find(object->table, address, &found))
		return;
	require(found.start <= address);
	require(found.name > (const char *)object->header);
	require(found.name + strlen(found.name) < end);
	require(!*found.slot);
}

/* The first words after the segments are where its symbols begin, and how many ranges they have. */
static void look_around(const struct object *object, const char *end)
{
	const uint64_t *words = (const uint64_t *)(object->segments + object->header->nr_segments);
	const uint32_t *starts = (const uint32_t *)(words + 3);
	uint64_t address;

	for (uint64_t i = 0; i < words[1]; i++)
		for (uint64_t offset = 0; offset < 3; offset++)
			look_up(object, words[0] + starts[4 * i] + offset - 1, end);
	for (uint32_t i = 0; i < object->header->nr_segments; i++)
		if (object__address(object, object->segments[i].offset, &address))
			look_up(object, address, end);
	look_up(object, 0, end);
	look_up(object, UINT64_MAX, end);
	require(strlen(object->header->build_id) < sizeof(object->header->build_id));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct object *object;
	char *bytes = malloc(size + 1); /* aligned, as a mapping is */

	if (!bytes)
		return 0;
	memcpy(bytes, data, size);
	if (!object__open(bytes, size, &object)) {
		look_around(object, bytes + size);
		object__free(object);
	}
	free(bytes);
	return 0;
}
