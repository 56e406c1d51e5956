// SPDX-License-Identifier: GPL-2.0-only
#include "formats/otlp/table.h"

int32_t otlp_table__row_of(struct otlp_table *table, const void *key, size_t nr_bytes, bool *fresh)
{
	const size_t nr_rows = otlp_table__nr_rows(table);
	uint32_t id;

	*fresh = false;
	if (nr_rows >= INT32_MAX ||
	    array__reserve_bytes(&table->rows, &table->capacity, nr_rows + 1, table->row_bytes))
		return -1;
	id = pool__number(&table->keys, key, nr_bytes);
	if (id == ID_NONE)
		return -1;
	*fresh = id == nr_rows;
	if (*fresh)
		memset(otlp_table__row(table, id), 0, table->row_bytes);
	return (int32_t)id;
}

void *otlp_table__row(const struct otlp_table *table, size_t index)
{
	return table->rows + index * table->row_bytes;
}

const void *otlp_table__key(const struct otlp_table *table, size_t index, size_t *nr_bytes)
{
	*nr_bytes = pool__nr_bytes(&table->keys, (uint32_t)index);
	return pool__bytes(&table->keys, (uint32_t)index);
}

int otlp_table__finish(struct otlp_table *table)
{
	const size_t nr_rows = otlp_table__nr_rows(table);

	table->pointers = calloc(nr_rows + 1, sizeof(*table->pointers));
	if (!table->pointers)
		return -ENOMEM;
	for (size_t i = 0; i < nr_rows; i++)
		table->pointers[i] = otlp_table__row(table, i);
	return 0;
}

void otlp_table__fini(struct otlp_table *table)
{
	pool__clear(&table->keys);
	free(table->rows);
	free(table->pointers);
}
