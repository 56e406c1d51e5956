// SPDX-License-Identifier: GPL-2.0-only
#include "elf/symbol_table.h"

#include "base/files.h"

#define MAX_PARTS_WITHIN 64

/* The header of an image; ranges and names follow. */
struct symbol_image {
	uint64_t base;
	uint64_t nr_ranges, names_bytes;
};

struct symbol_table {
	uint64_t base;
	const struct symbol_range *ranges;
	const struct symbol_name **slots; /* one for each range; pages never written cost nothing */
	size_t nr_ranges;
	const char *names;
	size_t names_bytes;
	struct symbol_range *own_ranges; /* NULL: in an image */
	char *own_names;
};

/* ---- life ---- */

struct symbol_table *symbol_table__new(const struct symbol_ranges *ranges)
{
	struct symbol_table *table = calloc(1, sizeof(*table));
	const struct symbol_name **slots = calloc(ranges->nr_ranges + 1, sizeof(*slots));

	if (!table || !slots) {
		free(table);
		free(slots);
		free(ranges->ranges);
		free(ranges->names);
		return NULL;
	}
	*table = (struct symbol_table){.base = ranges->base,
				       .ranges = ranges->ranges,
				       .slots = slots,
				       .nr_ranges = ranges->nr_ranges,
				       .names = ranges->names,
				       .names_bytes = ranges->names_bytes,
				       .own_ranges = ranges->ranges,
				       .own_names = ranges->names};
	return table;
}

void symbol_table__free(struct symbol_table *table)
{
	if (!table)
		return;
	free(table->own_ranges);
	free(table->slots);
	free(table->own_names);
	free(table);
}

/* ---- from one process to another ---- */

size_t symbol_table__image_bytes(const struct symbol_table *table)
{
	return sizeof(struct symbol_image) + table->nr_ranges * sizeof(*table->ranges) +
	       table->names_bytes;
}

int symbol_table__write(const struct symbol_table *table, int fd)
{
	const struct symbol_image image = {table->base, table->nr_ranges, table->names_bytes};
	int code = files__write(fd, &image, sizeof(image));

	if (!code)
		code = files__write(fd, table->ranges, table->nr_ranges * sizeof(*table->ranges));
	return code ? code : files__write(fd, table->names, table->names_bytes);
}

/* Checks an image: names are terminated and inside of it, ranges are sorted and do not overlap. */
static bool is_in_order(const struct symbol_table *table)
{
	uint64_t end = 0;

	if (table->nr_ranges && (!table->names_bytes || table->names[table->names_bytes - 1]))
		return false;
	for (size_t i = 0; i < table->nr_ranges; i++) {
		const struct symbol_range *range = &table->ranges[i];

		if (range->start < end || !range->size || range->name >= table->names_bytes ||
		    range->into > table->base + range->start)
			return false;
		end = (uint64_t)range->start + range->size;
	}
	return table->base <= UINT64_MAX - end;
}

int symbol_table__open(const void *bytes, size_t nr_bytes, struct symbol_table **out)
{
	const struct symbol_image *image = bytes;
	struct symbol_table *table;
	size_t left;
	int code = -EBADMSG;

	if (nr_bytes < sizeof(*image))
		return -EBADMSG;
	left = nr_bytes - sizeof(*image);
	if (image->nr_ranges > left / sizeof(struct symbol_range) ||
	    image->names_bytes != left - image->nr_ranges * sizeof(struct symbol_range))
		return -EBADMSG;
	table = xmalloc(sizeof(*table));
	*table = (struct symbol_table){.base = image->base,
				       .ranges = (const struct symbol_range *)(image + 1),
				       .nr_ranges = image->nr_ranges,
				       .names_bytes = image->names_bytes};
	table->names = (const char *)(table->ranges + table->nr_ranges);
	if (is_in_order(table)) {
		table->slots = calloc(table->nr_ranges + 1, sizeof(*table->slots));
		code = table->slots ? 0 : -ENOMEM;
	}
	if (code)
		symbol_table__free(table);
	else
		*out = table;
	return code;
}

/* ---- using ---- */

bool symbol_table__find(const struct symbol_table *table, uint64_t address,
			struct found_symbol *found)
{
	const uint64_t wanted = address - table->base;
	size_t low = 0, high = table->nr_ranges;
	const struct symbol_range *range;

	if (address < table->base || wanted > UINT32_MAX)
		return false;
	/*
	 * Finds the first range that starts after the address. Each sample comes here, so the loop
	 * compares fields in place, which array__lower_bound() does not.
	 */
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (table->ranges[middle].start <= wanted)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return false;
	range = &table->ranges[low - 1];
	if (wanted - range->start >= range->size)
		return false;
	found->name = table->names + range->name;
	found->start = table->base + range->start - range->into;
	found->slot = &table->slots[low - 1];
	return true;
}

bool symbol_table__find_caller(const struct symbol_table *table, uint64_t address,
			       uint64_t returns_to, struct found_symbol *found)
{
	if (symbol_table__find(table, address, found))
		return true;
	return symbol_table__find(table, returns_to, found) && found->start == returns_to;
}

uint64_t symbol_table__end(const struct symbol_table *table, const struct found_symbol *found)
{
	const size_t first = (size_t)(found->slot - table->slots);
	size_t last = first;

	for (size_t i = first + 1; i < table->nr_ranges && i - last <= MAX_PARTS_WITHIN; i++) {
		const struct symbol_range *range = &table->ranges[i];

		if (table->base + range->start - range->into == found->start)
			last = i;
	}
	return table->base + table->ranges[last].start + table->ranges[last].size;
}

bool symbol_table__has(const struct symbol_table *table, const char *name)
{
	size_t i;

	for (i = 0; i < table->nr_ranges; i++)
		if (!strcmp(table->names + table->ranges[i].name, name))
			return true;
	return false;
}

size_t symbol_table__memory_bytes(const struct symbol_table *table)
{
	return sizeof(*table) + table->nr_ranges * (sizeof(struct symbol_range) + sizeof(void *)) +
	       table->names_bytes;
}
