/* SPDX-License-Identifier: GPL-2.0-only */
/* What a process gives up that reads foreign bytes. */
#ifndef TOPSTACKS_READERS_CONFINE_H
#define TOPSTACKS_READERS_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

/* Made before anything is given up, for readers to use then. */
struct confinement;

/* NULL: out of memory. */
struct confinement *confinement__new(void);
void confinement__free(struct confinement *confinement); /* NULL is fine */

/*
 * For the process that forks readers: no capabilities and no way to get some, an empty directory as
 * its root and another user's id where we may choose them, no core dumps, first to go when memory is
 * short; and but the system calls that it and readers need. 0 or negative errno.
 */
int confine__spawner(const struct confinement *confinement);

struct reader_bounds {
	uint64_t max_memory_bytes; /* of its own: files that it maps do not count */
	uint64_t max_answer_bytes;
	uint64_t max_scratch_bytes; /* of files in memory that it asks for */
	unsigned int max_seconds;   /* of CPU time */
	int niceness;		    /* at least */
	bool traps_open; /* opening a file is a SIGSYS, which it may handle; else -EPERM */
};

/* For a reader, which has its files: reading, memory and answering is what is left. 0 or -errno. */
int confine__reader(const struct confinement *confinement, const struct reader_bounds *bounds);

#endif
