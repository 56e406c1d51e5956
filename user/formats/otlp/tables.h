/* SPDX-License-Identifier: GPL-2.0-only */
/* The dictionary of a request: tables that its profiles share, whose element 0 is the zero value. */
#ifndef TOPSTACKS_FORMATS_OTLP_TABLES_H
#define TOPSTACKS_FORMATS_OTLP_TABLES_H

#include <stdint.h>

#include "formats/otlp/profiles.pb-c.h"
#include "profile/dictionary.h"

struct otlp_tables;

/* For stacks of that dictionary. NULL: out of memory. */
struct otlp_tables *otlp_tables__new(const struct dictionary *dictionary);
void otlp_tables__free(struct otlp_tables *tables);

/* Indexes of what is in the tables from now on; 0 for nothing, and when out of memory. */
int32_t otlp_tables__string(struct otlp_tables *tables, const char *string);
int32_t otlp_tables__text(struct otlp_tables *tables, const char *key, const char *text);
int32_t otlp_tables__number(struct otlp_tables *tables, const char *key, int64_t number);
int32_t otlp_tables__stack(struct otlp_tables *tables, uint32_t stack);

/*
 * All of it, borrowed from the tables, to which nothing may be added any more. 0, or what went wrong
 * since they are there: -ENOMEM.
 */
int otlp_tables__finish(struct otlp_tables *tables, Otlp__ProfilesDictionary *dictionary);

/*
 * A string that is valid UTF-8: each byte of it that is not becomes U+FFFD. Owned by strings; NULL: out of
 * memory.
 */
const char *otlp__valid_text(struct dictionary *strings, const char *text);

#endif
