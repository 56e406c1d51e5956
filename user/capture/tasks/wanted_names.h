/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the names mean that targets were asked for by: patterns, user ids and cgroups in the kernel's
 * maps. Several names of a kind widen, several kinds narrow. The kernel judges processes by them
 * (kern/sample/judge.bpf.h).
 */
#ifndef TOPSTACKS_CAPTURE_TASKS_WANTED_NAMES_H
#define TOPSTACKS_CAPTURE_TASKS_WANTED_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "processes/cgroup_tree.h"

struct target_names;
struct topstacks_bpf;

/* One that was named, or the cgroup of a container that was. */
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
		missing_kind; /* of the first name that means nothing here; 0: all mean something */
	const char *missing;
};

/* Fills the maps. A name that means nothing is noted, and no error. 0 or negative errno. */
int wanted_names__init(struct wanted_names *wanted, const struct target_names *names,
		       struct topstacks_bpf *skeleton, struct error *err);
/* Zeroed is fine. */
void wanted_names__fini(struct wanted_names *wanted);

/* Looks again for the cgroups: that of a service which was started again is another one. */
void wanted_names__refresh(struct wanted_names *wanted);

#endif
