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

struct otlp_tables;

/* Makes empty tables for stacks of this dictionary. NULL: out of memory. */
struct otlp_tables *otlp_tables__new(const struct dictionary *dictionary);
void otlp_tables__free(struct otlp_tables *tables);

/*
 * Find or add an entry. Return its index; 0 for NULL, and when out of memory, which finish reports.
 */
int32_t otlp_tables__string(struct otlp_tables *tables, const char *string);
int32_t otlp_tables__text(struct otlp_tables *tables, const char *key, const char *text);
int32_t otlp_tables__number(struct otlp_tables *tables, const char *key, int64_t number);
int32_t otlp_tables__stack(struct otlp_tables *tables, uint32_t stack);

/*
 * Fills a message with the tables, which it borrows; nothing may be added after that. 0; or
 * -ENOMEM, now or in an earlier call.
 */
int otlp_tables__finish(struct otlp_tables *tables, Otlp__ProfilesDictionary *dictionary);

/*
 * Returns the text as valid UTF-8: each invalid byte becomes U+FFFD. Owned by strings; NULL: out of
 * memory.
 */
const char *otlp__valid_text(struct dictionary *strings, const char *text);

#endif
