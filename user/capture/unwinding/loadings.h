/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loadings: processes whose mappings are being read, or whose files are awaited. No function here
 * waits.
 */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_LOADINGS_H
#define TOPSTACKS_CAPTURE_UNWINDING_LOADINGS_H

#include "base/common.h"
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
	uint64_t heat;	 /* the member's heat before the loading */
	uint64_t ticket; /* of the request to the opener */
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
 * Starts to read the mappings of a member, which has this instance now, and clears its wanted flag.
 * Returns 0; 1: no further request is possible now, and the member stays wanted; -ENOMEM. Processes
 * that are gone or find no room are walked by frame pointers.
 */
int unwind_loadings__begin(struct unwind_loadings *loadings, struct unwind_member *member,
			   uint64_t instance, const struct unwind_patience *patience);

/* Ends the loading of a member, if there is one. Requested files still arrive. */
void unwind_loadings__end(struct unwind_loadings *loadings, struct unwind_member *member);
void unwind_loadings__end_all(struct unwind_loadings *loadings);

/* Takes mappings that were read, and requests their files. Returns 0 or -ENOMEM. */
int unwind_loadings__take_maps(struct unwind_loadings *loadings,
			       const struct unwind_patience *patience);

/*
 * Passes each loading to on_ready whose files have arrived, except slow ones, and ends it. Stops if
 * on_ready returns nonzero, and returns that.
 */
int unwind_loadings__end_ready(struct unwind_loadings *loadings,
			       int (*on_ready)(void *context, struct unwind_loading *loading),
			       void *context);

/* Fills in a descriptor to poll for mappings. Returns 1, or 0 if none are awaited. */
size_t unwind_loadings__watch(const struct unwind_loadings *loadings, struct pollfd *watched);

#endif
