/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Access to tracefs, the kernel's list of tracepoints. If it is not mounted, it is mounted
 * detached, never into the tree.
 */
#ifndef TOPSTACKS_CAPTURE_EVENTS_TRACEFS_H
#define TOPSTACKS_CAPTURE_EVENTS_TRACEFS_H

#include "base/common.h"

/*
 * Opens the directory of tracefs with the raised rights to look: the mounted one, else a detached
 * mount. Returns a descriptor, to be closed, or negative errno with a sentence (EXIT_SYSTEM).
 */
int tracefs__open(struct error *err);

/*
 * Reads a file of at most max_bytes below tracefs into *text, which is to be freed. Check untrusted
 * parts of path first: see tracepoint_name__is_sane. Returns 0 or negative errno.
 */
int tracefs__read(int tracefs, const char *path, size_t max_bytes, char **text);

#endif
