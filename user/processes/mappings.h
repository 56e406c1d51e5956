/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The executable mappings of a program image: which file is at which address. Sorted, without
 * overlap, and shared between images with the same mappings (a fork and its parent) until one of
 * them changes.
 */
#ifndef TOPSTACKS_PROCESSES_MAPPINGS_H
#define TOPSTACKS_PROCESSES_MAPPINGS_H

#include "base/ranges.h"
#include "processes/process.h"

struct living;
struct mapped_by;
struct mapped_file;
struct mapped_files;

/* The part of a mapping that later mappings have left. */
struct mapped_area {
	struct range range;
	uint64_t offset; /* file offset of its start */
	struct mapped_file *file;
	/*
	 * The file whose text this memory may be a copy of, at the text's own addresses: byte
	 * original_offset of the file is, or would be, at original_start. NULL: none.
	 */
	struct mapped_file *original;
	uint64_t original_start, original_end, original_offset;
	bool original_is_head; /* original is the beginning of the file, and not executable */
	bool is_beside;	       /* it only adjoins that file's mappings, as unrelated memory may */
	uint64_t mapped_ns;    /* when it was mapped; 0: not known, or before we looked */
	uint64_t replaced_ns;  /* until then a part of it held other code; 0: never */
};

struct mappings;

/* Creates empty mappings; files must outlive them, and counts their memory. */
struct mappings *mappings__new(struct mapped_files *files);
struct mappings *mappings__share(struct mappings *mappings);
/* Drops one reference. */
void mappings__free(struct mappings *mappings);

/*
 * Adds a mapping over older ones; adds its file if it is new. time_ns: when it was mapped, 0 if not
 * known. *mappings is replaced if it is shared.
 */
void mappings__map(struct mappings **mappings, const struct mapping *mapping, uint64_t time_ns);

struct mappings_bounds {
	size_t bytes;  /* memory limit of the mappings */
	bool if_short; /* read only a short text (maps.h); false: up to the usual limit */
};

/*
 * Reads the mappings of a living process (by: pid and start time); *living: its identity. 0 or
 * negative errno; -ENOENT: it has no memory of its own; -E2BIG: they exceed bounds->bytes; -EFBIG:
 * the text is too long; -ETIMEDOUT, -EAGAIN: as opener__open().
 */
int mappings__read(struct mapped_files *files, const struct mapped_by *by,
		   const struct mappings_bounds *bounds, struct mappings **mappings,
		   struct living *living);

/* The area that contains the address, NULL if none; valid until the next mappings__map. */
const struct mapped_area *mappings__find(const struct mappings *mappings, uint64_t address);

/* Calls on_area for each struct mapped_area in order until it returns non-zero; returns that. */
int mappings__each(const struct mappings *mappings, int (*on_area)(void *context, void *area),
		   void *context);

/* Whether an area is of the file. */
bool mappings__have(const struct mappings *mappings, const struct mapped_file *file);

/* Counts the memory: areas, and a share of each file, divided by the number of its areas. */
size_t mappings__bytes(struct mappings *mappings);

/* Whether the memory exceeds max_bytes, or nearly so. Cheap enough to call after each mapping. */
bool mappings__exceed(struct mappings *mappings, size_t max_bytes);

#endif
