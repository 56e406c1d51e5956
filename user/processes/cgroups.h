/* SPDX-License-Identifier: GPL-2.0-only */
/* From the id of a cgroup, as BPF tells it, to its path. */
#ifndef TOPSTACKS_PROCESSES_CGROUPS_H
#define TOPSTACKS_PROCESSES_CGROUPS_H

#include <stdint.h>

struct cgroups;
struct hurry;
struct opener;
struct process;

/* Opens nothing yet. NULL: out of memory. */
struct cgroups *cgroups__new(void);
void cgroups__free(struct cgroups *cgroups);

/*
 * "/system.slice/nginx.service", below the root of the hierarchy that we see; NULL: nobody knows,
 * or it is gone. Asked once for each cgroup, perhaps with an opener, as opener__open(); valid until the
 * next call.
 */
const char *cgroups__path(struct cgroups *cgroups, const struct process *process,
			  struct opener *opener, struct hurry *hurry);

#endif
