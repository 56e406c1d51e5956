// SPDX-License-Identifier: GPL-2.0-only
/*
 * ELF files that mean harm: their symbols, stubs, Go's table and mini-debuginfo. Whatever they say,
 * an address has at most one name, and that is a string within its symbol.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/image_file.h"
#include "elf/object.h"
#include "elf/symbol_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

static void look_up(const struct object *object, uint64_t address)
{
	struct found_symbol found;

	if (!symbol_table__find(object->table, address, &found))
		return;
	require(found.start <= address);
	require(strlen(found.name) > 0 && strlen(found.name) < SYMBOL_MAX_NAME_BYTES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct object *object;
	uint64_t address;

	if (read_object_of(data, size, &object))
		return 0;
	require(strlen(object->header->build_id) <= 2 * BUILD_ID_MAX_BYTES);
	for (uint64_t offset = 0; offset < size; offset += 16) {
		if (object__address(object, offset, &address))
			look_up(object, address);
		look_up(object, object->header->entry + offset);
	}
	look_up(object, 0);
	look_up(object, UINT64_MAX);
	free_object(object);
	return 0;
}
