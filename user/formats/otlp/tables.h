/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The dictionary of a request: tables that its profiles share. Element 0 of each table is the zero
 * value.
 */
#ifndef TOPSTACKS_FORMATS_OTLP_TABLES_H
#define TOPSTACKS_FORMATS_OTLP_TABLES_H

#include "base/common.h"
#include "formats/otlp/profiles.pb-c.h"
#include "profile/dictionary.h"
#include "profile/pool.h"

/* ---- a table of messages in which each key has one row ---- */

/* Each row begins with a message, so that pointers to rows are a repeated field of protobuf. */
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
 * Returns a new row for the key, zeroed; NULL: the table has it already. *index: of the row. Tables
 * have less than 2^31 rows: with more a message would be too large.
 */
void *otlp_table__add(struct otlp_table *table, const void *key, size_t nr_bytes, int32_t *index);

/* Valid until the next row is added. */
void *otlp_table__row(const struct otlp_table *table, size_t index);

/* The key of a row, valid as long as the table. */
const void *otlp_table__key(const struct otlp_table *table, size_t index, size_t *nr_bytes);

/* Makes the pointers to all rows; after that no row may be added. */
void otlp_table__finish(struct otlp_table *table);

void otlp_table__fini(struct otlp_table *table);

/* ---- the tables of a dictionary ---- */

struct otlp_tables;

/* Makes empty tables for stacks of this dictionary. */
struct otlp_tables *otlp_tables__new(const struct dictionary *dictionary);
void otlp_tables__free(struct otlp_tables *tables);

/* Find or add an entry. Return its index; 0 for NULL. */
int32_t otlp_tables__string(struct otlp_tables *tables, const char *string);
int32_t otlp_tables__text(struct otlp_tables *tables, const char *key, const char *text);
int32_t otlp_tables__number(struct otlp_tables *tables, const char *key, int64_t number);
int32_t otlp_tables__stack(struct otlp_tables *tables, uint32_t stack);

/* Fills a message with the tables, which it borrows; nothing may be added after that. */
void otlp_tables__finish(struct otlp_tables *tables, Otlp__ProfilesDictionary *dictionary);

/* Returns the text as valid UTF-8: each invalid byte becomes U+FFFD. Owned by strings. */
const char *otlp__valid_text(struct dictionary *strings, const char *text);

#endif
