/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the path of a cgroup by its id, which BPF gives. */
#ifndef TOPSTACKS_PROCESSES_CGROUPS_H
#define TOPSTACKS_PROCESSES_CGROUPS_H

#include "base/common.h"

struct cgroups;
struct time_budget;
struct opener;
struct process;

/* Opens nothing yet. */
struct cgroups *cgroups__new(void);
void cgroups__free(struct cgroups *cgroups);

/*
 * The path of the process's cgroup, such as "/system.slice/nginx.service", below the root of the
 * hierarchy that we see; NULL: not known, or the cgroup is gone. Looks each cgroup up once, with an
 * opener if given, as opener__open(). Valid until the next call.
 */
const char *cgroups__path(struct cgroups *cgroups, const struct process *process,
			  struct opener *opener, struct time_budget *budget);

#endif
