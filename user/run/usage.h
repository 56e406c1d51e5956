/* SPDX-License-Identifier: GPL-2.0-only */
/* CPU time and memory of this process and of its helper processes. */
#ifndef TOPSTACKS_RUN_USAGE_H
#define TOPSTACKS_RUN_USAGE_H

#include "base/common.h"
#include "profile/recording.h"

struct lines;
struct readers;
struct spawner;
struct symbols;

/* The helpers whose usage counts as ours. */
struct usage_sources {
	const struct readers *readers;	 /* NULL: there are none */
	const struct spawner *openers;	 /* likewise */
	const struct spawner *attachers; /* likewise */
	const struct symbols *symbols;	 /* its own readers count; NULL: there are none */
	const struct lines *lines;	 /* likewise */
};

struct usage {
	uint64_t now_ns;	     /* CLOCK_MONOTONIC */
	uint64_t user_ns, system_ns; /* CPU of all threads, so far */
	uint64_t children_ns;	     /* CPU time of helpers, without the command's */
	uint64_t program_runs, program_ns;
};

void usage__read(struct usage *usage, const struct usage_sources *sources);

/* The sum of all CPU time, including our BPF programs in the kernel. */
uint64_t usage__cpu_ns(const struct usage *usage);

/*
 * Fills in the CPU time and the wall time since start, with helpers' time as user time, and the
 * memory now. Leaves kernel_bytes alone.
 */
void usage__cost(const struct usage *start, const struct usage_sources *sources, struct cost *cost);

#endif
