/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A regular file that takes the place of another when it is whole: a full disk or a kill leaves the
 * old one as it was. Until then it has no name, and the kernel removes it if its owner is killed.
 *
 * Where a file system has no files without names it is called FILE.tmp-0123abcd meanwhile, as is any
 * that replaces another, for a moment. Its owner holds a lock on it, so that whoever writes to
 * FILE next can tell what was left behind, and removes it.
 */
#ifndef TOPSTACKS_BASE_OUTPUT_REPLACEMENT_H
#define TOPSTACKS_BASE_OUTPUT_REPLACEMENT_H

#include <stdbool.h>

struct replacement {
	int fd;		 /* to be written to, private; the caller's to close when it has ended */
	int directory;	 /* of both names */
	char *replaced;	 /* need not be there; NULL: this is no replacement */
	char *temporary; /* NULL: it has no name */
};

/*
 * directory: where name, which is borrowed, is or will be; taken over, also on failure. 0, or
 * negative errno: then nothing is left.
 */
int replacement__open(struct replacement *replacement, int directory, const char *name);

/*
 * Ends it: what was written is on the disk and under its name when this returns 0. After a negative
 * errno *kept is the path where it is nevertheless, whole; free() it; NULL: it is gone.
 */
int replacement__take_place(struct replacement *replacement, char **kept);

/* Ends it without a trace. */
void replacement__abandon(struct replacement *replacement);

/* Whether rest, which follows the name of a file, makes it a temporary one: ".tmp-0123abcd". */
bool replacement__is_temporary(const char *rest);

/*
 * Removes a temporary file in a directory if nobody writes it any more, its owner having been killed.
 * 0, also if it is somebody's, or negative errno.
 */
int replacement__sweep(int directory, const char *name);

#endif
