/* SPDX-License-Identifier: GPL-2.0-only */
/* The first few of many, in order. */
#ifndef TOPSTACKS_PROFILE_SELECT_H
#define TOPSTACKS_PROFILE_SELECT_H

#include <stddef.h>

/* Negative if a comes before b; never 0 for different items if the result is to be the same twice.
 */
typedef int select_order(const void *a, const void *b, const void *context);

/*
 * Sorts the first nr of nr_items pointers to the front; what is behind them is in no order. Takes
 * nr_items × log(nr) steps at worst, about nr_items if nr is small. Returns how many were sorted.
 */
size_t select__first(const void **items, size_t nr_items, size_t nr, select_order *order,
		     const void *context);

#endif
