/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The meaning of the names that select targets: patterns, user ids and cgroups in the kernel's
 * maps. Names of one kind are alternatives; kinds are combined by "and". The kernel judges
 * processes by them (kern/sample/judge.bpf.h).
 */
#ifndef TOPSTACKS_CAPTURE_TASKS_WANTED_NAMES_H
#define TOPSTACKS_CAPTURE_TASKS_WANTED_NAMES_H

#include "base/common.h"
#include "processes/cgroup_tree.h"

struct target_names;
struct topstacks_bpf;

/* A cgroup that was named, or that of a named container. */
struct wanted_cgroup {
	char *path;
	uint64_t id;
	uint32_t kind;
};

struct wanted_names {
	const struct target_names *names; /* borrowed */
	struct topstacks_bpf *skeleton;	  /* borrowed */
	struct cgroup_tree tree;
	struct wanted_cgroup *cgroups;
	size_t nr_cgroups, cgroups_capacity;
	uint32_t
		missing_kind; /* kind of the first name that does not exist here; 0: all names do */
	const char *missing;
};

/*
 * Fills the maps. A name that does not exist is noted and is no error. Returns 0 or negative errno.
 */
int wanted_names__init(struct wanted_names *wanted, const struct target_names *names,
		       struct topstacks_bpf *skeleton, struct error *err);
/* Zeroed is fine. */
void wanted_names__fini(struct wanted_names *wanted);

/* Looks up the cgroups again: a service that was restarted has a new one. */
void wanted_names__refresh(struct wanted_names *wanted);

#endif
