/* SPDX-License-Identifier: GPL-2.0-only */
/* What /proc tells of a process that lives: its mappings, as modules, and its root directory. */
#ifndef TOPSTACKS_PROCESSES_LIVING_H
#define TOPSTACKS_PROCESSES_LIVING_H

#include <stdint.h>

struct mappings;
struct modules;
struct root;
struct roots;

/*
 * Its mappings, for the caller, and its birth. *start_ticks: the one it must have, 0: any. 0;
 * -ESRCH: it is gone, or another one; -ENOENT: it has no memory of its own.
 */
int living__mappings(struct modules *modules, int32_t pid, uint64_t *start_ticks,
		     struct mappings **mappings);

/* As roots__take, of a process of this birth (0: any). 0 or negative errno. */
int living__root(struct roots *roots, int32_t pid, uint64_t start_ticks, struct root **root);

#endif
