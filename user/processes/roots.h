/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Root directories of processes whose root differs from ours: in containers, chroots, mount
 * namespaces. They stay open, so that files below them are found when the process is gone.
 */
#ifndef TOPSTACKS_PROCESSES_ROOTS_H
#define TOPSTACKS_PROCESSES_ROOTS_H

#include "base/common.h"
#include "processes/procfs.h"

struct root_directory;

#define MAX_ROOTS 64

struct roots {
	struct root_identity own;
	struct root_directory *roots[MAX_ROOTS];
	size_t nr_roots;
};

void roots__init(struct roots *roots);
void roots__fini(struct roots *roots);

/* Whether the root need not be opened: it is ours, already kept, or not known. */
bool roots__has(const struct roots *roots, const struct root_identity *identity);

/*
 * The root of a process, shared by all with the same root and mount namespace. fd: the directory,
 * with O_PATH, which is taken; -1: not opened. The caller gets a reference. NULL: it is ours, out
 * of reach, or there are too many.
 */
struct root_directory *roots__take(struct roots *roots, const struct root_identity *identity,
				   int fd);

/* NULL is fine for all three. */
struct root_directory *root__ref(struct root_directory *root);
void root__unref(struct root_directory *root);
int root__fd(const struct root_directory *root); /* the directory, with O_PATH; or -1 */

/*
 * Lists the descriptors of own, which comes first, and of all kept roots; either may be NULL.
 * Returns their number.
 */
size_t roots__list(const struct roots *roots, const struct root_directory *own,
		   int fds[MAX_ROOTS + 1]);

/* Closes roots not used for some time, because they keep mounts below them busy. */
void roots__forget(struct roots *roots, uint64_t now_ns);

#endif
