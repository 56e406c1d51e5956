/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The malloc-like functions of a process: places for probes in the files that define them, and
 * where their arguments are.
 */
#ifndef TOPSTACKS_CAPTURE_PROBES_MALLOC_PLACES_H
#define TOPSTACKS_CAPTURE_PROBES_MALLOC_PLACES_H

#include "base/common.h"
#include "topstacks/probes_abi.h"

struct allocator;
struct readers;

struct malloc_place {
	int file; /* open; owned by the list */
	uint64_t offset;
	bool is_emulated;
	struct malloc_call call;
};

/* The list of places. Zeroed: none. Of each file, malloc comes first. */
struct malloc_places {
	struct malloc_place list[ABI_MAX_MALLOC_CALLS];
	size_t nr;
};

/*
 * Adds the functions of a file that are not listed yet; aliases are added once. Returns 0 or
 * negative errno with a sentence.
 */
int malloc_places__add(struct malloc_places *places, const struct allocator *allocator,
		       struct readers *readers, struct error *err);

/*
 * Returns the index of the first place in the file that the descriptor `file` has open; places->nr:
 * there is none.
 */
size_t malloc_places__find(const struct malloc_places *places, int file);

/* Closes the files. */
void malloc_places__free(struct malloc_places *places);

#endif
