// SPDX-License-Identifier: GPL-2.0-only
#include "symbols/jit/late_names.h"

#include "profile/frame.h"

/* Memory of a table in the map, with malloc's overhead. */
#define TABLE_BYTES (sizeof(struct late_table) + 48)

static void free_table(void *item)
{
	struct late_table *table = item;

	late_table__fini(table);
	table->bounds->bytes -= TABLE_BYTES;
	free(table);
}

void late_names__init(struct late_names *names, size_t max_bytes, bool demangle)
{
	*names = (struct late_names){.bounds = {.max_bytes = max_bytes, .demangle = demangle}};
	map__init_numbers(&names->tables, free_table);
}

void late_names__fini(struct late_names *names)
{
	map__fini(&names->tables);
}

struct late_table *late_names__open(struct late_names *names, uint64_t instance)
{
	struct late_table *table = map__find_number(&names->tables, instance);

	if (table || names->bounds.bytes + TABLE_BYTES > names->bounds.max_bytes)
		return table;
	table = map__add_number(&names->tables, instance, sizeof(*table));
	table->bounds = &names->bounds;
	names->bounds.bytes += TABLE_BYTES;
	return table;
}

bool late_names__name(const struct late_names *names, uint64_t instance, const struct frame *frame,
		      bool is_caller, struct frame *named)
{
	struct late_table *table = map__find_number(&names->tables, instance);
	uint64_t start;

	*named = *frame;
	if (!table || late_table__find(table, frame->address - is_caller, &named->function,
				       &start) != LATE_NAMED)
		return false;
	named->offset = frame->address - start;
	return true;
}

static bool is_over(void *item, void *nothing)
{
	(void)nothing;
	return ((const struct late_table *)item)->is_over;
}

void late_names__bound(struct late_names *names)
{
	if (names->bounds.bytes > names->bounds.max_bytes / 4 * 3)
		map__visit(&names->tables, is_over, NULL);
}

static bool count_reused(void *item, void *nr)
{
	*(size_t *)nr += late_table__nr_reused(item);
	return false;
}

size_t late_names__nr_reused(struct late_names *names)
{
	size_t nr = 0;

	map__visit(&names->tables, count_reused, &nr);
	return nr;
}
