/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of messages in which each key has one row. Every row begins with a message, so that
 * pointers to rows are a repeated field of protobuf.
 */
#ifndef TOPSTACKS_FORMATS_OTLP_TABLE_H
#define TOPSTACKS_FORMATS_OTLP_TABLE_H

#include "base/common.h"
#include "profile/pool.h"

struct otlp_table {
	size_t row_bytes;
	struct pool keys; /* numbered by row */
	char *rows;
	size_t capacity;
	void **pointers; /* to the rows; set by finish */
};

static inline size_t otlp_table__nr_rows(const struct otlp_table *table)
{
	return table->keys.nr_items;
}

/*
 * Finds or adds the row of a key. Returns its index, or -1: out of memory, or too many rows.
 * *fresh: the row is new, and zeroed.
 */
int32_t otlp_table__row_of(struct otlp_table *table, const void *key, size_t nr_bytes, bool *fresh);

/* Valid until the next row is added. */
void *otlp_table__row(const struct otlp_table *table, size_t index);

/* The key of a row, valid as long as the table. */
const void *otlp_table__key(const struct otlp_table *table, size_t index, size_t *nr_bytes);

/* Makes the pointers to all rows; after that no row may be added. 0 or -ENOMEM. */
int otlp_table__finish(struct otlp_table *table);

void otlp_table__fini(struct otlp_table *table);

#endif
