// SPDX-License-Identifier: GPL-2.0-only
/*
 * The job of reading symbols, of ELF files that mean harm, with the debug files that they ask for:
 * symbol tables, stubs, Go's table, mini-debuginfo. Whatever they say, the answer is one that we
 * take, and an address has at most one name, which is a string within its symbol.
 */
#include "elf/object.h"
#include "elf/symbol_builder.h"
#include "elf/symbol_table.h"
#include "own_reader.h"

static void look_up(const struct object *object, uint64_t address)
{
	struct found_symbol found;

	if (!symbol_table__find(object->table, address, &found))
		return;
	require(found.start <= address);
	require(strlen(found.name) > 0 && strlen(found.name) < SYMBOL_MAX_NAME_BYTES);
}

static void look_around(const struct object *object, size_t size)
{
	uint64_t address;

	require(strlen(object->header->build_id) <= 2 * BUILD_ID_MAX_BYTES);
	for (uint64_t offset = 0; offset < size; offset += 16) {
		if (object__address(object, offset, &address))
			look_up(object, address);
		look_up(object, object->header->entry + offset);
	}
	look_up(object, 0);
	look_up(object, UINT64_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct object_request request = {.max_bytes = UINT64_MAX};
	struct own_answer answer;
	struct object *object;

	own_reader.nr_parts = parts_of(data, size, own_reader.parts);
	answer = run_job(job__symbols, -1, &request, sizeof(request));
	if (!answer.code) {
		require(!object__open(answer.bytes, answer.nr_bytes, &object));
		look_around(object, size);
		object__free(object);
	}
	free(answer.bytes);
	return 0;
}
