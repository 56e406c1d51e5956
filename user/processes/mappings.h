/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The executable mappings of a program image: which file is at which address. Sorted, without
 * overlap, shared by those who have the same ones (a fork and its parent) until one of them changes.
 */
#ifndef TOPSTACKS_PROCESSES_MAPPINGS_H
#define TOPSTACKS_PROCESSES_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processes/process.h"

struct living;
struct mapped_by;
struct mapped_file;
struct mapped_files;

/* A piece of a mapping: what later mappings left of it. */
struct mapped_area {
	uint64_t start, end;
	uint64_t offset; /* of start in the file */
	struct mapped_file *file;
	/*
	 * The file of whose text it may hold a copy, at that text's own addresses: its byte original_offset is, or would be, at
	 * original_start. NULL: none.
	 */
	struct mapped_file *original;
	uint64_t original_start, original_end, original_offset;
	bool original_is_head; /* it is the file's beginning, and not executable */
	bool is_beside; /* it only adjoins what is mapped of that file, as memory of others may */
	uint64_t mapped_ns;   /* since then it is there; 0: not known, or before we looked */
	uint64_t replaced_ns; /* until then other code was in a part of it; 0: never */
};

struct mappings;

/* Empty; files must outlive it, and accounts for its memory. NULL: out of memory. */
struct mappings *mappings__new(struct mapped_files *files);
struct mappings *mappings__share(struct mappings *mappings);
/* Drops one reference. */
void mappings__free(struct mappings *mappings);

/*
 * Puts a mapping over what is there; its file is known, or comes to be. time_ns: when it was mapped,
 * 0 if that is not known. *mappings is replaced if others share it. 0 or -ENOMEM.
 */
int mappings__map(struct mappings **mappings, const struct mapping *mapping, uint64_t time_ns);

struct mappings_bounds {
	size_t bytes; /* that they may take */
	bool if_short; /* only if their text is short (maps.h); else if it is as long as is read of one */
};

/*
 * Those of a living process, its pid and birth, for the caller; *living is who it is. 0 or negative errno; -ENOENT: it has
 * no memory of its own; -E2BIG: they take more than the bounds say; -EFBIG: their text is longer;
 * -ETIMEDOUT, -EAGAIN: as opener__open().
 */
int mappings__read(struct mapped_files *files, const struct mapped_by *by,
		   const struct mappings_bounds *bounds, struct mappings **mappings,
		   struct living *living);

/* The area that contains the address, NULL if none; valid until the next mappings__map. */
const struct mapped_area *mappings__find(const struct mappings *mappings, uint64_t address);

/* Calls on_area for each, in order, until it returns something else than 0, and returns that. */
int mappings__each(const struct mappings *mappings,
		   int (*on_area)(void *context, const struct mapped_area *area), void *context);

/* Whether one of them is the file's. */
bool mappings__have(const struct mappings *mappings, const struct mapped_file *file);

/* What they cost, counted now: areas, and of each file the part that falls to each area in it. */
size_t mappings__bytes(struct mappings *mappings);

/* Whether they cost more than so much, or not much less. Cheap to ask after each mapping. */
bool mappings__exceed(struct mappings *mappings, size_t max_bytes);

#endif
