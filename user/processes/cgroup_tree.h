/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The unified cgroup hierarchy (version 2), as mounted here. Paths are relative to its root:
 * "/a/b".
 */
#ifndef TOPSTACKS_PROCESSES_CGROUP_TREE_H
#define TOPSTACKS_PROCESSES_CGROUP_TREE_H

#include <limits.h>

#include "base/common.h"

struct cgroup_tree {
	int root; /* -1: not mounted */
	char mount_point[PATH_MAX];
};

/* Finds the mount point; root stays -1 if there is none. */
void cgroup_tree__open(struct cgroup_tree *tree);
void cgroup_tree__close(struct cgroup_tree *tree);

/* Turns "/sys/fs/cgroup/a/b" or "/a/b" into "/a/b"; the result points into path, or to "/". */
const char *cgroup_tree__strip(const struct cgroup_tree *tree, const char *path);

/*
 * The id of a cgroup in the kernel and BPF. Follows no link, and stays inside the hierarchy. 0 or
 * negative errno: -ENOENT: no such cgroup; -ENODEV: no hierarchy.
 */
int cgroup_tree__id(const struct cgroup_tree *tree, const char *path, uint64_t *id);

/*
 * Whether hierarchies of version 1 are mounted; topstacks does not know their cgroups. place: mount
 * point of the first one that has this path, which may begin with the mount point; "": none has.
 */
bool cgroup_tree__has_version_1(const char *path, char place[PATH_MAX]);

/*
 * Visits all cgroups, parents first, 100,000 at most. visit returns 0, 1 to skip the cgroups
 * inside, or a negative errno, which ends the walk.
 */
int cgroup_tree__walk(const struct cgroup_tree *tree, int (*visit)(void *context, const char *path),
		      void *context);

#endif
