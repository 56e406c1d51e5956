/* SPDX-License-Identifier: GPL-2.0-only */
/* The target of a run: as a value and in words, and whether it can be sampled from here. */
#ifndef TOPSTACKS_RUN_TARGET_H
#define TOPSTACKS_RUN_TARGET_H

#include <sys/types.h>

#include "base/common.h"
#include "capture/capture.h"

struct events;

/*
 * Processes, or one thread, or a command, or else the whole system; names narrow the choice. All
 * pointers are borrowed.
 */
struct target {
	const pid_t *pids;
	size_t nr_pids;
	pid_t tid;
	char **command;	  /* a program and its arguments, NULL at the end; NULL: no command */
	const char *user; /* account of the command; NULL: ours */
	struct target_names names;
};

enum capture_scope target__scope(const struct target *target);

/*
 * Words such as "redis-server (pid 4711)", "all processes", "make -j2". free() them. NULL: out of
 * memory.
 */
char *target__describe(const struct target *target);

#endif
