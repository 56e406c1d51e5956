/* SPDX-License-Identifier: GPL-2.0-only */
/* The executable mappings of a process, as parts. Its list of regions is made from them. */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_PROCESS_MAPPINGS_H
#define TOPSTACKS_CAPTURE_UNWINDING_PROCESS_MAPPINGS_H

#include "base/common.h"
#include "topstacks/unwind_abi.h"

struct unwind_loader;
struct unwind_part;

#define UNWIND_MAX_REGIONS (1U << UNWIND_REGIONS_SHIFT) /* of one process */

struct unwind_parts {
	struct unwind_part **parts; /* in order of address */
	size_t nr_parts, capacity;
	size_t nr_ready; /* the first so many parts need not be waited for any more */
	bool is_partial; /* the process has more mappings */
};

/* A time limit for an operation that yields to urgent work. */
struct unwind_patience {
	uint64_t until_ns;		  /* CLOCK_MONOTONIC */
	bool (*is_urgent)(void *context); /* called after until_ns; NULL: never interrupted */
	void *context;
};

bool unwind_patience__is_over(const struct unwind_patience *patience);

/* The source of a process's mappings. */
struct unwind_reading {
	int text; /* processes/maps.h */
	int32_t pid;
	const struct unwind_parts *before; /* the process's earlier parts; NULL: none */
	const struct unwind_patience *patience;
};

/*
 * Requests the files of all mappings of a process, and reuses earlier parts whose file is the same.
 * The caller zeroes parts before, and puts them in any case. Returns 0; -EAGAIN: interrupted;
 * -ENOENT: there are no mappings; -ENOMEM.
 */
int unwind_parts__read(struct unwind_parts *parts, struct unwind_loader *loader,
		       const struct unwind_reading *reading);

/* Zeroed is fine. */
void unwind_parts__put(struct unwind_parts *parts);

/* Returns true if the files of all parts have arrived, except slow ones. */
bool unwind_parts__are_ready(struct unwind_parts *parts, uint64_t now_ns);

/* Returns the number of parts whose files have not arrived. */
size_t unwind_parts__nr_late(const struct unwind_parts *parts);

/* Fills in the regions of all parts, at most UNWIND_MAX_REGIONS. Returns their number. */
uint32_t unwind_parts__regions(struct unwind_parts *parts, struct unwind_region *regions);

#endif
