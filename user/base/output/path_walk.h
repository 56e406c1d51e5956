/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a path leads to, where others may put links into it. The path is walked name by name, by
 * descriptors. A link of a stranger's is not followed if it lies in a sticky directory that the
 * world or a group may write to, as /tmp is: it may lead to what the stranger may not write to. The
 * link must be ours (effective uid) or the directory's owner's. Kernels do so for the last name of a
 * path if fs.protected_symlinks is set; it is done here on all of them, and for each name.
 *
 * -ESTRANGER: there is such a link.
 */
#ifndef TOPSTACKS_BASE_OUTPUT_PATH_WALK_H
#define TOPSTACKS_BASE_OUTPUT_PATH_WALK_H

#include <limits.h>
#include <stdbool.h>

/* NAME in a directory that stays the same whatever happens to its path, and what is there. */
struct place {
	int directory;
	int fd; /* O_PATH, what is there; -1: nothing yet */
	char name[NAME_MAX + 1];
	bool is_linked; /* the path's last name is a link */
	bool is_magic;	/* NAME itself is a link, of /proc, which the kernel alone can follow */
};

/*
 * 0, also if nothing is there in a directory that is, or negative errno. place__close it after 0.
 * -EISDIR: the path ends in a slash, and nothing is there.
 */
int place__find(struct place *place, const char *path);
void place__close(struct place *place);

/*
 * Opens what is there, or makes it with O_CREAT. flags: those of open(2). A descriptor, the caller's
 * to close, or negative errno.
 */
int place__open(const struct place *place, int flags, unsigned int mode);

/*
 * Opens a directory for reading; with make it is made, with all that leads to it. A descriptor, the
 * caller's to close, or negative errno.
 */
int place__open_directory(const char *path, bool make);

#endif
