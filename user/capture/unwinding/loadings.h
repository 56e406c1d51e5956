/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes whose mappings are read, and then wait for the files behind them. Nothing here waits. */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_LOADINGS_H
#define TOPSTACKS_CAPTURE_UNWINDING_LOADINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/unwinding/process_mappings.h"

struct opener;
struct pollfd;
struct unwind_loader;
struct unwind_member;
struct unwind_members;

struct unwind_loading {
	struct unwind_loading *next;
	struct unwind_member *member;
	uint64_t instance;
	uint64_t heat;	 /* of the member, before */
	uint64_t ticket; /* of the opener that reads its mappings */
	bool has_maps;
	struct unwind_parts parts;
};

/* All are borrowed. */
struct unwind_loadings {
	struct unwind_members *members;
	struct unwind_loader *loader;
	struct opener *opener; /* reads mappings; NULL: they are read here */
	struct unwind_loading *first;
};

/*
 * Has the mappings of a member read, which is of this instance now; it is wanted no longer. 0; 1: no
 * more can be asked for now, and it is wanted still; -ENOMEM. What cannot be loaded, because it is gone
 * or there is no room, is walked by frame pointers.
 */
int unwind_loadings__begin(struct unwind_loadings *loadings, struct unwind_member *member,
			   uint64_t instance, const struct unwind_patience *patience);

/* Ends what is under way for a member, if anything is. What was asked for arrives nevertheless. */
void unwind_loadings__end(struct unwind_loadings *loadings, struct unwind_member *member);
void unwind_loadings__end_all(struct unwind_loadings *loadings);

/* Takes mappings that have been read, and asks for their files. 0 or -ENOMEM. */
int unwind_loadings__take_maps(struct unwind_loadings *loadings,
			       const struct unwind_patience *patience);

/*
 * Shows each whose files have all come, but for those that take long, and ends it; until on_ready
 * returns something else than 0, which is returned.
 */
int unwind_loadings__end_ready(struct unwind_loadings *loadings,
			       int (*on_ready)(void *context, struct unwind_loading *loading),
			       void *context);

/* What to poll for until there are maps to take, one at most. Returns how many. */
size_t unwind_loadings__watch(const struct unwind_loadings *loadings, struct pollfd *watched);

#endif
