/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The maps that unwind rows are in. Telling the program of a new one has the kernel wait until all
 * programs that run have ended, which takes some 10 ms: so those of a large table are made at once.
 */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_CHUNKS_H
#define TOPSTACKS_CAPTURE_UNWINDING_CHUNKS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/host/map_calls.h"
#include "unwind/unwind.h"

#define UNWIND_MAX_CHUNKS  256 /* entries of the map of chunks */
#define UNWIND_CHUNK_BYTES (UNWIND_CHUNK_ENTRIES * sizeof(struct unwind_row))

struct unwind_chunks {
	int map;		     /* of the maps */
	struct map_calls *map_calls; /* borrowed */
	uint32_t nr, max;	     /* max: at most UNWIND_MAX_CHUNKS */
	struct unwind_row *rows[UNWIND_MAX_CHUNKS];
	pthread_t maker; /* of the first one */
	bool makes_first;
};

/*
 * Begins to make the first one. Until await_first, or until a chunk is asked for, a thread does, while files are
 * read; nobody else looks at *chunks or map_calls.
 */
void unwind_chunks__make_first(struct unwind_chunks *chunks);
void unwind_chunks__await_first(struct unwind_chunks *chunks);

void unwind_chunks__fini(struct unwind_chunks *chunks);

/*
 * The rows of a chunk that exists, or is the next one; that is made then, and with it as many as are
 * needed from it on, as far as there is room. NULL: it cannot be made.
 */
struct unwind_row *unwind_chunks__get(struct unwind_chunks *chunks, uint32_t chunk,
				      uint32_t nr_needed);

#endif
