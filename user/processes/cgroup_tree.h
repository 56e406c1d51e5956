/* SPDX-License-Identifier: GPL-2.0-only */
/* The unified hierarchy of cgroups (version 2) as it is mounted here. Paths are below its root: "/a/b". */
#ifndef TOPSTACKS_PROCESSES_CGROUP_TREE_H
#define TOPSTACKS_PROCESSES_CGROUP_TREE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct cgroup_tree {
	int root; /* -1: it is not mounted */
	char mount_point[PATH_MAX];
};

/* Where it is mounted, if it is. */
void cgroup_tree__open(struct cgroup_tree *tree);
void cgroup_tree__close(struct cgroup_tree *tree);

/* "/sys/fs/cgroup/a/b" or "/a/b" -> "/a/b"; points into path, or to "/". */
const char *cgroup_tree__strip(const struct cgroup_tree *tree, const char *path);

/*
 * The id of a cgroup, as the kernel and BPF have it. No link is followed, and nothing is found outside
 * of the hierarchy. 0 or negative errno: -ENOENT, there is none; -ENODEV, no hierarchy.
 */
int cgroup_tree__id(const struct cgroup_tree *tree, const char *path, uint64_t *id);

/*
 * Whether hierarchies of version 1 are mounted, whose cgroups nothing here knows. place: the mount point of the
 * first one that has this path, which may begin with it; "": none has.
 */
bool cgroup_tree__has_version_1(const char *path, char place[PATH_MAX]);

/*
 * Visits all cgroups, each before those in it, 100,000 of them at most. visit returns 0, 1 to leave out
 * what is in it, or a negative errno, which ends the walk.
 */
int cgroup_tree__walk(const struct cgroup_tree *tree, int (*visit)(void *context, const char *path),
		      void *context);

#endif
