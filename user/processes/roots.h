/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Root directories of processes that have another one than we do: of containers, chroots, mount
 * namespaces. Kept open, so that files below them are found when the process is gone.
 */
#ifndef TOPSTACKS_PROCESSES_ROOTS_H
#define TOPSTACKS_PROCESSES_ROOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Nobody has to open it: it is ours, or kept, or nobody knows which it is. */
bool roots__has(const struct roots *roots, const struct root_identity *identity);

/*
 * The root of a process: one for all that share it and the mount namespace. fd is the directory's, with
 * O_PATH, and taken; -1: it was not opened. With a reference for the caller; NULL: it is ours, or out of
 * reach, or there are too many.
 */
struct root_directory *roots__take(struct roots *roots, const struct root_identity *identity,
				   int fd);

/* NULL is fine for all three. */
struct root_directory *root__ref(struct root_directory *root);
void root__unref(struct root_directory *root);
int root__fd(const struct root_directory *root); /* of the directory, with O_PATH; or -1 */

/*
 * The descriptors of own and of all that are kept, own being the first; either may be NULL. Returns
 * how many there are.
 */
size_t roots__list(const struct roots *roots, const struct root_directory *own,
		   int fds[MAX_ROOTS + 1]);

/* Closes those that nobody has used for some time: what is mounted below them is busy till then. */
void roots__forget(struct roots *roots, uint64_t now_ns);

#endif
