/* SPDX-License-Identifier: GPL-2.0-only */
/* CPU time and memory of this process and of those that read files for it. */
#ifndef TOPSTACKS_RUN_USAGE_H
#define TOPSTACKS_RUN_USAGE_H

#include <stdint.h>

#include "profile/recording.h"

struct lines;
struct readers;
struct spawner;
struct symbols;

/* Who works for this process in others. */
struct usage_sources {
	const struct readers *readers;	 /* NULL: there are none */
	const struct spawner *openers;	 /* likewise */
	const struct spawner *attachers; /* likewise */
	const struct symbols *symbols;	 /* whose readers may be at work; NULL: nobody's */
	const struct lines *lines;	 /* likewise */
};

struct usage {
	uint64_t now_ns;	     /* when it was read, on the monotonic clock */
	uint64_t user_ns, system_ns; /* CPU of all threads, so far */
	uint64_t children_ns;	     /* CPU of our other processes, but for a command's */
	uint64_t program_runs, program_ns;
};

void usage__read(struct usage *usage, const struct usage_sources *sources);

/* All CPU time together, that of the programs in the kernel too. */
uint64_t usage__cpu_ns(const struct usage *usage);

/*
 * CPU time since start, that of children being user time, the time that has passed meanwhile, and memory now;
 * kernel_bytes is left alone.
 */
void usage__cost(const struct usage *start, const struct usage_sources *sources, struct cost *cost);

#endif
