/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a process calls malloc and its like: places for probes in the files that have these functions, and what their
 * arguments say.
 */
#ifndef TOPSTACKS_CAPTURE_PROBES_MALLOC_PLACES_H
#define TOPSTACKS_CAPTURE_PROBES_MALLOC_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "topstacks/abi.h"

struct allocator;
struct readers;

struct malloc_place {
	int file; /* stays open; the list's */
	uint64_t offset;
	bool is_emulated;
	struct malloc_call call;
};

/* Zeroed: none. malloc is the first one of each file. */
struct malloc_places {
	struct malloc_place list[ABI_MAX_MALLOC_CALLS];
	size_t nr;
};

/*
 * Adds those of a file that are not there yet; functions that are one and the same are added once. 0 or negative errno
 * with a sentence.
 */
int malloc_places__add(struct malloc_places *places, const struct allocator *allocator,
		       struct readers *readers, struct error *err);

/* The first one of a file; nr: there is none. */
size_t malloc_places__find(const struct malloc_places *places, int file);

/* Closes the files. */
void malloc_places__free(struct malloc_places *places);

#endif
