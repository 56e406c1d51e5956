/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A new regular file that takes the place of another one when it is complete: a full disk or a kill
 * leaves the old one unchanged. Until then it has no name, and the kernel removes it if its process
 * is killed.
 *
 * On a file system without unnamed files, it is called FILE.tmp-0123abcd meanwhile; any file that
 * replaces another has such a name for a moment. Its process holds a lock on it, so the next
 * process that writes to FILE recognizes abandoned files, and removes them.
 */
#ifndef TOPSTACKS_BASE_OUTPUT_REPLACEMENT_H
#define TOPSTACKS_BASE_OUTPUT_REPLACEMENT_H

#include <sys/stat.h>

#include "base/common.h"

struct replacement {
	int fd;		 /* to write to, private; the caller closes it at the end */
	int directory;	 /* contains both names */
	char *replaced;	 /* may not exist; NULL: struct is not in use */
	char *temporary; /* NULL: the file has no name */
};

/*
 * directory: contains name, existing or not; it is taken over, also on failure. name is borrowed.
 * 0, or negative errno, and no file is left.
 */
int replacement__open(struct replacement *replacement, int directory, const char *name);

/*
 * Gives the file its name. When this returns 0 the data is on the disk under its name. After a
 * negative errno *kept is the path where the complete file is nevertheless; free() it; NULL: it is
 * lost.
 */
int replacement__take_place(struct replacement *replacement, char **kept);

/* Copies owner and mode of another file to an open one, as far as permitted. */
void replacement__take_after(int fd, const struct stat *other);

/* Removes the new file. */
void replacement__abandon(struct replacement *replacement);

/* Whether rest, the text after a file's name, makes it a temporary name: ".tmp-0123abcd". */
bool replacement__is_temporary(const char *rest);

/*
 * Removes a temporary file if its process was killed. 0, also if a process still writes it, or
 * negative errno.
 */
int replacement__sweep(int directory, const char *name);

#endif
