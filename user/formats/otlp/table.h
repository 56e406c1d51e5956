/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of messages, each once: what is equal by its key is the same row. Every row begins with a message,
 * so that the table is what protobuf takes for a repeated field.
 */
#ifndef TOPSTACKS_FORMATS_OTLP_TABLE_H
#define TOPSTACKS_FORMATS_OTLP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/pool.h"

struct otlp_table {
	size_t row_bytes;
	struct pool keys; /* a row each, by number */
	char *rows;
	size_t capacity;
	void **pointers; /* to the rows, once they are all there */
};

static inline size_t otlp_table__nr_rows(const struct otlp_table *table)
{
	return table->keys.nr_items;
}

/*
 * The index of the row of that key, or -1 when out of memory or beyond what an index can say. *fresh:
 * it is new, and zeroed.
 */
int32_t otlp_table__row_of(struct otlp_table *table, const void *key, size_t nr_bytes, bool *fresh);

/* Valid until the next row is added. */
void *otlp_table__row(const struct otlp_table *table, size_t index);

/* The key of a row, valid as long as the table. */
const void *otlp_table__key(const struct otlp_table *table, size_t index, size_t *nr_bytes);

/* Pointers to all rows, to which none may be added from now on. 0 or -ENOMEM. */
int otlp_table__finish(struct otlp_table *table);

void otlp_table__fini(struct otlp_table *table);

#endif
