/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Chunks: maps that hold unwind rows. When a new map is added to the map of maps, the kernel waits
 * until all running programs have ended, which takes some 10 ms. So the chunks of a large table are
 * added together.
 */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_CHUNKS_H
#define TOPSTACKS_CAPTURE_UNWINDING_CHUNKS_H

#include <pthread.h>

#include "base/common.h"
#include "capture/host/map_calls.h"
#include "unwind/unwind.h"

#define UNWIND_MAX_CHUNKS  256 /* entries of the map of chunks */
#define UNWIND_CHUNK_BYTES (UNWIND_CHUNK_ENTRIES * sizeof(struct unwind_row))

struct unwind_chunks {
	int map;		     /* descriptor of the map of maps */
	struct map_calls *map_calls; /* borrowed */
	uint32_t nr, max;	     /* max: at most UNWIND_MAX_CHUNKS */
	struct unwind_row *rows[UNWIND_MAX_CHUNKS];
	pthread_t maker; /* the thread that makes the first chunk */
	bool makes_first;
};

/*
 * Starts a thread that makes the first chunk, while files are read. Until await_first, or until a
 * chunk is requested, do not use *chunks or map_calls.
 */
void unwind_chunks__make_first(struct unwind_chunks *chunks);
void unwind_chunks__await_first(struct unwind_chunks *chunks);

void unwind_chunks__fini(struct unwind_chunks *chunks);

/*
 * Returns the rows of a chunk that exists, or of the next one. In that case it makes the next
 * nr_needed chunks, as far as there is room. NULL: the chunk cannot be made.
 */
struct unwind_row *unwind_chunks__get(struct unwind_chunks *chunks, uint32_t chunk,
				      uint32_t nr_needed);

#endif
