/* SPDX-License-Identifier: GPL-2.0-only */
/* Kinds of option values: from text to value, and in words. */
#ifndef TOPSTACKS_BASE_OPTION_VALUES_H
#define TOPSTACKS_BASE_OPTION_VALUES_H

#include <stddef.h>

#include "base/option_rows.h"

/* Puts text's value into the row's field. 0, -EINVAL: not what the row accepts, -ENOMEM. */
int option__store(const struct option_row *row, void *values, const char *text);

/* What the row accepts: "a whole number from 1 to 100", "auto, always or never". */
void option__describe(const struct option_row *row, char *text, size_t size);

/* Frees what option__store allocated, if anything. */
void option__release(const struct option_row *row, void *values);

#endif
