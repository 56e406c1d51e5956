/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Follows a path in directories where other users may create links. The path is walked name by
 * name, with descriptors. A link of another user is not followed if it lies in a sticky directory
 * that a group or all users may write to, such as /tmp: it may lead to a file that this user may
 * not write to. The link must belong to us (effective uid) or to the directory's owner. Kernels do
 * this for the last name of a path if fs.protected_symlinks is set; here it is done on all kernels,
 * and for each name.
 *
 * -ESTRANGER: there is such a link.
 */
#ifndef TOPSTACKS_BASE_OUTPUT_PATH_WALK_H
#define TOPSTACKS_BASE_OUTPUT_PATH_WALK_H

#include <limits.h>

#include "base/common.h"

/*
 * The result: a name in an open directory, so that changes to the path do not matter, and the file
 * there.
 */
struct walked_path {
	int directory;
	int fd; /* O_PATH, the file; -1: it does not exist */
	char name[NAME_MAX + 1];
	bool is_linked; /* the last name of the path is a link */
	bool is_magic;	/* the name itself is a link of /proc that only the kernel can follow */
};

/*
 * Finds a file. 0, also if only the directory exists, or negative errno. Call path_walk__close()
 * after 0. -EISDIR: the path ends in a slash, and does not exist.
 */
int path_walk__find(struct walked_path *place, const char *path);
void path_walk__close(struct walked_path *place);

/*
 * Opens the file, or creates it with O_CREAT. flags: those of open(2). Returns a descriptor, which
 * the caller closes, or negative errno.
 */
int path_walk__open(const struct walked_path *place, int flags, unsigned int mode);

/*
 * Opens a directory for reading; make: creates it and its parents if needed. Returns a descriptor,
 * which the caller closes, or negative errno.
 */
int path_walk__open_directory(const char *path, bool make);

#endif
