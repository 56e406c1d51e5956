/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The programs' view of each process: the list of its regions, by its instance. An exec changes the
 * instance, so a list never applies to samples of another image.
 */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_LISTINGS_H
#define TOPSTACKS_CAPTURE_UNWINDING_LISTINGS_H

#include "base/common.h"
#include "capture/unwinding/process_mappings.h"
#include "topstacks/unwind_abi.h"

struct map_calls;
struct unwind_lists;

/* The list of one process. Zeroed: the programs have none. */
struct unwind_listing {
	uint64_t instance; /* 0: none */
	struct unwind_regions list;
	struct unwind_parts parts; /* the parts that the list was made of */
	size_t nr_late;		   /* parts whose files had not arrived when the list was made */
};

struct unwind_listings {
	int processes;		     /* map: instance -> struct unwind_regions */
	struct map_calls *map_calls; /* borrowed */
	struct unwind_lists *lists;  /* borrowed */
	size_t nr_lacking;	     /* listings with late parts */
	struct unwind_region regions[UNWIND_MAX_REGIONS]; /* scratch for the current process */
};

/*
 * Gives the programs a new list, which takes over the parts. The old list is removed, also if it
 * has another instance. Returns 0; -ENOSPC or -E2BIG: no room for the list; or another negative
 * errno.
 */
int unwind_listings__publish(struct unwind_listings *listings, struct unwind_listing *listing,
			     uint64_t instance, struct unwind_parts *parts);

/* Removes the process's list from the programs. */
void unwind_listings__withdraw(struct unwind_listings *listings, struct unwind_listing *listing);

#endif
