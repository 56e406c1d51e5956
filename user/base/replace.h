/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that takes another one's place when it is whole: written beside it under a name of its own
 * and renamed, so that a full disk or a kill leaves the old file as it was.
 */
#ifndef TOPSTACKS_BASE_REPLACE_H
#define TOPSTACKS_BASE_REPLACE_H

#include <stdio.h>

struct replace {
	FILE *out;
	char *path, *temporary;
};

/* What replace__open adds to a name: "FILE.tmpXXXXXX". */
#define REPLACE_SUFFIX ".tmp"

/* 0 or negative errno. A path that is there and no regular file (/dev/null, a FIFO) is written. */
int replace__open(struct replace *replace, const char *path);

/*
 * What replace__open would say, before there is anything to write: 0 or negative errno. Leaves
 * nothing behind, and does not open what is no regular file, since that has readers.
 */
int replace__check(const char *path);

/* Onto the disk, and under its name. 0, or negative errno, after which only the old file is there.
 */
int replace__commit(struct replace *replace);

void replace__abandon(struct replace *replace);

#endif
