/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lists of regions that programs read, side by side in one mapped array. A list never changes:
 * a new list is written elsewhere, and the place of the old one is reused after a grace period.
 */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_REGIONS_H
#define TOPSTACKS_CAPTURE_UNWINDING_REGIONS_H

#include "base/common.h"
#include "topstacks/unwind_abi.h"

struct unwind_lists;

/* map: descriptor of an array of nr_entries regions, mapped here. NULL and errno on failure. */
struct unwind_lists *unwind_lists__new(int map, uint32_t nr_entries);
/* NULL is fine. */
void unwind_lists__free(struct unwind_lists *lists);

/* Copies a list of nr regions, at least one, into the array. Returns 0 or -ENOSPC. */
int unwind_lists__add(struct unwind_lists *lists, const struct unwind_region *regions, uint32_t nr,
		      struct unwind_regions *list);

/* Removes a list. Running programs may still read it. */
void unwind_lists__remove(struct unwind_lists *lists, const struct unwind_regions *list);

/* Tells that a grace period has passed: no program runs any more that ran at the last call. */
void unwind_lists__settle(struct unwind_lists *lists);

#endif
