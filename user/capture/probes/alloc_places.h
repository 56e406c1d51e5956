/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The places in files where an allocator, or our library (preload/), tells by a USDT probe that it
 * took a block as a sample, or that a block is freed. We attach our probes there.
 */
#ifndef TOPSTACKS_CAPTURE_PROBES_ALLOC_PLACES_H
#define TOPSTACKS_CAPTURE_PROBES_ALLOC_PLACES_H

#include "base/common.h"
#include "topstacks/probes_abi.h"

struct allocators;

enum alloc_passage {
	PASSAGE_CHOSEN, /* a block that is to be sampled */
	PASSAGE_FREED,	/* a block that is free from here on */
	PASSAGE_BEGINS, /* the library's first use since the program was executed */
	PASSAGE_ENDS,	/* the bytes allocated since the last chosen block */
	ALLOC_PASSAGES,
};

struct alloc_place {
	int file; /* open; owned */
	uint64_t offset;
	uint64_t
		semaphore; /* file offset of a counter by which the program sees a probe; 0: none */
	struct alloc_site site;
};

struct alloc_places {
	struct alloc_place *list;
	size_t nr, capacity;
};

/*
 * Finds the places of one kind in our library (preload/); path is trusted. Returns 0 or negative
 * errno with a sentence; -ENOENT: the library has none.
 */
int alloc_places__of_library(struct alloc_places *places, const char *path,
			     enum alloc_passage passage, struct error *err);

/*
 * Adds the places in those files of a process that report blocks themselves. The list may have them
 * already; there may be none. Returns 0 or negative errno: no descriptors are left.
 */
int alloc_places__add_allocators(struct alloc_places *places, const struct allocators *allocators,
				 enum alloc_passage passage);

/* Closes the files; zeroed is fine. */
void alloc_places__free(struct alloc_places *places);

#endif
