/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The executable mappings of a program image: which file is at which address. Sorted, without
 * overlap, shared by those who have the same ones (a fork and its parent) until one of them changes.
 */
#ifndef TOPSTACKS_PROCESSES_MAPPINGS_H
#define TOPSTACKS_PROCESSES_MAPPINGS_H

#include <stddef.h>
#include <stdint.h>

#include "processes/process.h"

struct mapped_file;
struct mapped_files;

/* A piece of a mapping: what later mappings left of it. */
struct mapped_area {
	uint64_t start, end;
	uint64_t offset; /* of start in the file */
	struct mapped_file *file;
	uint64_t mapped_ns;   /* since then it is there; 0: not known, or before we looked */
	uint64_t replaced_ns; /* until then other code was in a part of it; 0: never */
};

struct mappings;

/* Empty. NULL: out of memory. */
struct mappings *mappings__new(void);
struct mappings *mappings__share(struct mappings *mappings);
/* Drops one reference. */
void mappings__free(struct mappings *mappings);

/*
 * Puts a mapping over what is there; its file is known in files, or comes to be. time_ns: when it
 * was mapped, 0 if that is not known. *mappings is replaced if others share it, and may move. 0,
 * -ENOMEM, or -E2BIG: more areas than a process may have.
 */
int mappings__map(struct mappings **mappings, struct mapped_files *files,
		  const struct mapping *mapping, uint64_t time_ns);

/*
 * Those of a living process, given as /proc/PID, for the caller. 0 or negative errno; -ENOENT: it
 * has no memory of its own.
 */
int mappings__read(struct mapped_files *files, int process, struct mappings **mappings);

/* The area that contains the address, NULL if none; valid until the next mappings__map. */
const struct mapped_area *mappings__find(const struct mappings *mappings, uint64_t address);

const struct mapped_area *mappings__areas(const struct mappings *mappings, size_t *nr_areas);
/* A share of the bytes: those of n sharers add up to the whole. */
size_t mappings__memory_bytes(const struct mappings *mappings);

#endif
