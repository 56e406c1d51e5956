/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the program has of each process: the list of its regions, found by its instance. An exec changes
 * the instance, so a list never meets another image's samples.
 */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_LISTINGS_H
#define TOPSTACKS_CAPTURE_UNWINDING_LISTINGS_H

#include <stddef.h>
#include <stdint.h>

#include "capture/unwinding/process_mappings.h"
#include "topstacks/unwind_abi.h"

struct map_calls;
struct unwind_lists;

/* Zeroed: the program has none. */
struct unwind_listing {
	uint64_t instance; /* 0: none */
	struct unwind_regions list;
	struct unwind_parts parts; /* of that list */
	size_t nr_late;		   /* whose files had not arrived when it was made */
};

struct unwind_listings {
	int processes;		     /* map: instance -> struct unwind_regions */
	struct map_calls *map_calls; /* borrowed */
	struct unwind_lists *lists;  /* borrowed */
	size_t nr_lacking;	     /* listings that have late files */
	struct unwind_region regions[UNWIND_MAX_REGIONS]; /* of the process at hand */
};

/*
 * The program has a new list, which takes the parts; the one before is given up, and an old instance's
 * with it. 0; -ENOSPC or -E2BIG: there is no room for the list; or another negative errno.
 */
int unwind_listings__publish(struct unwind_listings *listings, struct unwind_listing *listing,
			     uint64_t instance, struct unwind_parts *parts);

/* Takes from the program what it knows of the process. */
void unwind_listings__withdraw(struct unwind_listings *listings, struct unwind_listing *listing);

#endif
