/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where an output goes: a file, standard output, or whatever else a path leads to.
 *
 * A regular file is replaced when the new one is whole (base/output/replacement.h): a full disk or a kill
 * leaves the old file as it was. Links are followed but for a stranger's (base/output/path_walk.h): what they lead
 * to is replaced, not the link. Devices, FIFOs and descriptors (/dev/stdout, /dev/fd/3) are written to
 * as they are; but no device that a link leads to, and no FIFO that has no reader within a second.
 *
 *	code = destination__open(&destination, path, err);
 *	if (!code)
 *		code = destination__close(&destination, write_all_to(destination.out), err);
 */
#ifndef TOPSTACKS_BASE_OUTPUT_DESTINATION_H
#define TOPSTACKS_BASE_OUTPUT_DESTINATION_H

#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/output/replacement.h"

struct destination {
	FILE *out;
	const char *path;		/* as given; NULL: standard output */
	struct replacement replacement; /* of a regular file; replaced is NULL: as it is */
};

/*
 * The exit code for a place that cannot be written to: EXIT_USAGE if it is a directory where a file is
 * meant or the other way round, else EXIT_INTERNAL. code: a negative errno.
 */
int destination__exit_code(int code);

/*
 * What destination__open would say, before there is anything to write. Leaves nothing behind, and
 * does not open what is no regular file, since that has readers. 0 or negative errno.
 */
int destination__check(const char *path, struct error *err);

/*
 * Modes of new files, before umask. One that is there keeps its own, and its owner, if it is ours or
 * belongs to whoever called sudo; else the new one is ours, and its mode that of a new file.
 */
#define DESTINATION_SHARED 0666
#define DESTINATION_PRIVATE \
	0600 /* it tells of everybody's processes, or of the kernel's addresses */

/* What is private is private to whoever called sudo, who may look at it without. */
void destination__give_to_caller(int fd);

/*
 * path: NULL or "-" is standard output; borrowed. mode: one of those above, or that of a file which
 * is copied. 0 or negative errno.
 */
int destination__open(struct destination *destination, const char *path, mode_t mode,
		      struct error *err);

/* Lets a group read a new file that is private, too. Where that cannot be it stays private. */
void destination__share(const struct destination *destination, gid_t readers);

/*
 * Ends what open began. code: 0, and all of it is on the disk and under its name if this returns 0;
 * or the negative errno that writing ended with, and the old file stays. What is whole but cannot
 * get its name is kept, and the error says where.
 */
int destination__close(struct destination *destination, int code, struct error *err);

/*
 * Opens an output that is read while it grows, and so is not replaced: a regular file is emptied, a
 * descriptor of ours is shared where it stands, a FIFO that nobody reads fails instead of waiting.
 * A new file is private. A descriptor, the caller's to close, or negative errno; -ENOTOURS: a file that
 * is neither ours nor that of whoever called sudo, and stays as it is.
 */
int destination__open_growing(const char *path);

#endif
