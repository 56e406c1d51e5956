/* SPDX-License-Identifier: GPL-2.0-only */
/* Confines processes that read untrusted bytes. */
#ifndef TOPSTACKS_READERS_CONFINE_H
#define TOPSTACKS_READERS_CONFINE_H

#include "base/common.h"

/* Data made before rights are given up, for readers to use later. */
struct confinement;

struct confinement *confinement__new(void);
void confinement__free(struct confinement *confinement); /* NULL is fine */

/*
 * For the process that forks readers: gives up all capabilities and ways to get them, changes root
 * to an empty directory and the user to an unused id where permitted, disables core dumps, makes
 * itself the first victim when memory is short, and keeps only the system calls that it and readers
 * need. 0 or negative errno.
 */
int confine__spawner(const struct confinement *confinement);

struct reader_bounds {
	uint64_t max_memory_bytes; /* private memory: mapped files do not count */
	uint64_t max_answer_bytes;
	uint64_t max_scratch_bytes; /* of scratch files that it asks for */
	unsigned int max_seconds;   /* of CPU time */
	int niceness;		    /* lower limit */
	bool traps_open; /* open raises SIGSYS, which the reader may handle; false: -EPERM */
};

/*
 * For a reader that has its files: it can only read, use memory and answer from now on. 0 or
 * -errno.
 */
int confine__reader(const struct confinement *confinement, const struct reader_bounds *bounds);

#endif
