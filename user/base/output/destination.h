/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The destination of an output: a file, standard output, or another file that a path leads to.
 *
 * A regular file is replaced when the new one is complete (base/output/replacement.h): a full disk
 * or a kill leaves the old file unchanged. Links are followed, except those of other users
 * (base/output/path_walk.h); the target is replaced, not the link. Devices, FIFOs and descriptors
 * (/dev/stdout, /dev/fd/3) are written in place; but a device behind a link, and a FIFO without a
 * reader within a second, are errors.
 *
 *	code = destination__open(&destination, path, err);
 *	if (!code)
 *		code = destination__close(&destination, write_all_to(destination.out), err);
 */
#ifndef TOPSTACKS_BASE_OUTPUT_DESTINATION_H
#define TOPSTACKS_BASE_OUTPUT_DESTINATION_H

#include <sys/types.h>

#include "base/common.h"
#include "base/output/replacement.h"

struct destination {
	FILE *out;
	const char *path;		/* as given; NULL: standard output */
	struct replacement replacement; /* for a regular file; replaced NULL: the output is
					 * written in place */
};

/*
 * The exit code for an output that cannot be opened: EXIT_USAGE if a directory is in the place of a
 * file or the other way round, else EXIT_INTERNAL. code: a negative errno.
 */
int destination__exit_code(int code);

/*
 * Reports the error that destination__open() would report, before there is data. Leaves nothing
 * behind, and does not open anything but regular files, as others may have readers. 0 or negative
 * errno.
 */
int destination__check(const char *path, struct error *err);

/*
 * Modes of new files, before umask. A replaced file keeps its mode and owner, if the owner is us or
 * the user who called sudo; otherwise the new file is ours, with the mode of a new file.
 */
#define DESTINATION_SHARED 0666
#define DESTINATION_PRIVATE \
	0600 /* it tells of the processes of all users, or of the addresses of the kernel */

/* Gives a private file to the user who called sudo, who may read it without sudo then. */
void destination__give_to_caller(int fd);

/*
 * Opens an output. path: NULL or "-" is standard output; borrowed. mode: one of those above, or
 * that of a file to copy. 0 or negative errno.
 */
int destination__open(struct destination *destination, const char *path, mode_t mode,
		      struct error *err);

/* Lets a group read a new file, even a private one. On failure the file stays private. */
void destination__share(const struct destination *destination, gid_t readers);

/*
 * Ends the output. code 0: all was written; then, if this returns 0, the data is on the disk under
 * its name. Or code is the negative errno of a failed write, and the old file stays. If a complete
 * file cannot get its name it is kept, and the error says where.
 */
int destination__close(struct destination *destination, int code, struct error *err);

/*
 * Opens an output that is read while it grows, so it is not replaced: a regular file is emptied, a
 * descriptor of ours is shared at its position, a FIFO without a reader fails instead of waiting. A
 * new file is private. Returns a descriptor, which the caller closes, or negative errno; -ENOTOURS:
 * the file belongs neither to us nor to the user who called sudo, and stays unchanged.
 */
int destination__open_growing(const char *path);

#endif
