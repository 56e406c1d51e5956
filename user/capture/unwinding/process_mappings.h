/* SPDX-License-Identifier: GPL-2.0-only */
/* The executable mappings of one process, as its list of regions is made from them. */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_PROCESS_MAPPINGS_H
#define TOPSTACKS_CAPTURE_UNWINDING_PROCESS_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "topstacks/unwind_abi.h"

struct unwind_loader;
struct unwind_part;

#define UNWIND_MAX_REGIONS (1U << UNWIND_REGIONS_SHIFT) /* of a process */

struct unwind_parts {
	struct unwind_part **parts; /* in order of address */
	size_t nr_parts, capacity;
	size_t nr_ready; /* the first ones, which need not be waited for */
	bool is_partial; /* there are more */
};

/* How long something may take, and what cuts it short then. */
struct unwind_patience {
	uint64_t until_ns;		  /* CLOCK_MONOTONIC */
	bool (*is_urgent)(void *context); /* NULL: nothing cuts it short */
	void *context;
};

bool unwind_patience__is_over(const struct unwind_patience *patience);

/* Of whom a text lists the mappings, and what is known of them. */
struct unwind_reading {
	int text; /* processes/maps.h */
	int32_t pid;
	const struct unwind_parts *before; /* that it had; NULL: none is known */
	const struct unwind_patience *patience;
};

/*
 * Asks for the files of all mappings of a process, but for those that it had before, which are of the
 * same file still. The caller zeroes parts before, and puts them in any case. 0; -EAGAIN: it was cut
 * short; -ENOENT: the process has none; -ENOMEM.
 */
int unwind_parts__read(struct unwind_parts *parts, struct unwind_loader *loader,
		       const struct unwind_reading *reading);

/* Zeroed is fine. */
void unwind_parts__put(struct unwind_parts *parts);

/* Their files have arrived, all but those that take long. */
bool unwind_parts__are_ready(struct unwind_parts *parts, uint64_t now_ns);

/* Whose files have not arrived. */
size_t unwind_parts__nr_late(const struct unwind_parts *parts);

/* Of all that have; UNWIND_MAX_REGIONS at most. Returns how many. */
uint32_t unwind_parts__regions(struct unwind_parts *parts, struct unwind_region *regions);

#endif
