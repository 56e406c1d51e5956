/* SPDX-License-Identifier: GPL-2.0-only */
/* What /proc knows of a process that lives. */
#ifndef TOPSTACKS_PROCESSES_PROCFS_H
#define TOPSTACKS_PROCESSES_PROCFS_H

#include <stdbool.h>
#include <stdint.h>

#include "processes/process.h"

/*
 * /proc/PID as a directory: a descriptor of it stays with this process, and when that is gone it
 * finds nothing, whoever has the pid then. -ESRCH: no such process.
 */
int procfs__open(int32_t pid);

/* When the process was born, in clock ticks since boot. 0 or negative errno. */
int procfs__start_ticks(int process, uint64_t *ticks);
/* The same of a time in ns. */
uint64_t procfs__ticks(uint64_t boottime_ns);
/* And back: when such a birth was at the earliest. */
uint64_t procfs__birth_ns(uint64_t ticks);
/* Both are the same birth, whichever way they were rounded. */
bool procfs__same_start(uint64_t ticks, uint64_t other_ticks);

struct identity {
	uint32_t uid; /* effective, as we see it */
	int32_t pid;  /* as it sees itself, in its own pid namespace */
};

/* 0 or negative errno. */
int procfs__identity(int process, struct identity *identity);

/*
 * Calls on_mapping for each executable mapping, in order of address, until it returns something
 * else than 0, and returns that; 0 or negative errno otherwise. Kernel threads have none.
 */
int procfs__each_mapping(int process, int (*on_mapping)(void *context, const struct mapping *),
			 void *context);

/* As procfs__each_mapping, for text of that form and mappings of any kind. */
int maps__each(int fd, int (*on_mapping)(void *context, const struct mapping *, bool executable),
	       void *context);

#endif
