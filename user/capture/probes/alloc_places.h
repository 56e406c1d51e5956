/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where programs pass with blocks that were chosen to be sampled, and with blocks that are free: probes of a file.
 */
#ifndef TOPSTACKS_CAPTURE_PROBES_ALLOC_PLACES_H
#define TOPSTACKS_CAPTURE_PROBES_ALLOC_PLACES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "topstacks/abi.h"

struct allocators;

enum alloc_passage {
	PASSAGE_CHOSEN, /* with a block that is to be sampled */
	PASSAGE_FREED,	/* with one that is free from here on */
	PASSAGE_BEGINS, /* for the first time since the program was executed */
	PASSAGE_ENDS,	/* with what was allocated since the last block that was chosen */
	ALLOC_PASSAGES,
};

struct alloc_place {
	int file; /* stays open; its owner's */
	uint64_t offset;
	uint64_t
		semaphore; /* its place in the file: the program wants to know that somebody looks; 0: it does not */
	struct alloc_site site;
};

struct alloc_places {
	struct alloc_place *list;
	size_t nr, capacity;
};

/*
 * Those of that kind in the library that commands get (preload/): path is ours, and trusted. 0 or negative errno with
 * a sentence; -ENOENT: the library has none.
 */
int alloc_places__of_library(struct alloc_places *places, const char *path,
			     enum alloc_passage passage, struct error *err);

/*
 * Adds those of the files of a process that tell of their blocks themselves. 0 or -ENOMEM; they may be there already,
 * or none.
 */
int alloc_places__add_allocators(struct alloc_places *places, const struct allocators *allocators,
				 enum alloc_passage passage);

/* Closes the files; zeroed is fine. */
void alloc_places__free(struct alloc_places *places);

#endif
