/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_VIEWS_VALUES_H
#define TOPSTACKS_VIEWS_VALUES_H

#include <stddef.h>
#include <stdint.h>

/* "12,345", "1.5 s", "3.2 MB", by the unit of a sample type; NULL is a count. As snprintf. */
int value__format(char *text, size_t size, uint64_t value, const char *unit);

#endif
