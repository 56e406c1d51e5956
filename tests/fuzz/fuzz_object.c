// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens the answer of a reader of symbols that an attacker has taken over. The first byte says
 * whether its counts and the order of its ranges are mended, so that others of its fields are
 * looked at.
 *
 * The answer is refused, or each of its ranges is found, by a name within it.
 */
#include "elf/object.h"
#include "elf/symbol_table.h"
#include "require.h"

enum { MENDS_COUNTS = 1, MENDS_RANGES = 2 };

/* These structs are as in elf/symbol_table.c. */
struct symbols_head {
	uint64_t base, nr_ranges, names_bytes;
};

struct symbols_range {
	uint32_t start, size, into, name;
};

#define MAX_PROBED 1024

static struct symbols_head *table_of(void *bytes)
{
	struct object_header *header = bytes;

	return (void *)((struct object_segment *)(header + 1) + header->nr_segments);
}

static void mend_ranges(struct symbols_range *ranges, uint64_t nr_ranges, uint64_t names_bytes)
{
	uint32_t end = 0;

	for (uint64_t i = 0; i < nr_ranges; i++) {
		ranges[i].start = end + ranges[i].start % 256;
		ranges[i].size = ranges[i].size % 1024 + 1;
		ranges[i].into %= 4096;
		ranges[i].name %= (uint32_t)names_bytes;
		end = ranges[i].start + ranges[i].size;
	}
}

static void mend(void *bytes, size_t size, uint8_t what)
{
	struct object_header *header = bytes;
	struct symbols_head *table;
	uint64_t left;

	if (size < sizeof(*header))
		return;
	header->magic = OBJECT_MAGIC;
	header->nr_segments %= OBJECT_MAX_SEGMENTS + 1;
	header->build_id[0] = '\0';
	left = size - sizeof(*header);
	if (left <= header->nr_segments * sizeof(struct object_segment) + sizeof(*table))
		return;
	left -= header->nr_segments * sizeof(struct object_segment) + sizeof(*table);
	table = table_of(bytes);
	table->nr_ranges %= (left - 1) / sizeof(struct symbols_range) + 1;
	table->names_bytes = left - table->nr_ranges * sizeof(struct symbols_range);
	((char *)bytes)[size - 1] = '\0';
	if (what & MENDS_RANGES)
		mend_ranges((struct symbols_range *)(table + 1), table->nr_ranges,
			    table->names_bytes);
}

static void probe(const struct object *object, const char *end, uint64_t address, uint64_t start)
{
	struct found_symbol found;

	require(symbol_table__find(object->table, address, &found));
	require(found.start == start && found.name < end && *found.slot == NULL);
	require(memchr(found.name, '\0', (size_t)(end - found.name)) != NULL);
}

static void probe_ranges(const struct object *object, void *bytes, size_t size)
{
	const struct symbols_head *table = table_of(bytes);
	const struct symbols_range *ranges = (const void *)(table + 1);
	const uint64_t step = table->nr_ranges / MAX_PROBED + 1;
	const char *end = (const char *)bytes + size;

	for (uint64_t i = 0; i < table->nr_ranges; i += step) {
		const uint64_t first = table->base + ranges[i].start;
		const uint64_t last = first + ranges[i].size - 1;

		probe(object, end, first, first - ranges[i].into);
		if (last - table->base <= UINT32_MAX) /* as far as lookups go */
			probe(object, end, last, first - ranges[i].into);
	}
}

static void use(const struct object *object)
{
	struct found_symbol found;
	uint64_t address;

	require(strlen(object->header->build_id) <= 2 * BUILD_ID_MAX_BYTES);
	for (unsigned int shift = 0; shift < 64; shift++) {
		if (object__address(object, 1ULL << shift, &address))
			symbol_table__find(object->table, address, &found);
		symbol_table__find(object->table, UINT64_MAX << shift, &found);
		object__is_entry(object, 1ULL << shift);
	}
	require(object__memory_bytes(object) > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct object *object = NULL;
	void *bytes;

	if (size == 0)
		return 0;
	bytes = copy_of(data + 1, size - 1);
	if (data[0] & MENDS_COUNTS)
		mend(bytes, size - 1, data[0]);
	if (!object__open(bytes, size - 1, &object)) {
		probe_ranges(object, bytes, size - 1);
		use(object);
		object__free(object);
	}
	free(bytes);
	return 0;
}
