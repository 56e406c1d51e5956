/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's list of its tracepoints, wherever it is mounted, or nowhere. Nothing is mounted into the tree. */
#ifndef TOPSTACKS_CAPTURE_EVENTS_TRACEFS_H
#define TOPSTACKS_CAPTURE_EVENTS_TRACEFS_H

#include <stddef.h>

#include "base/error.h"

/*
 * The directory of tracefs, with what rights we have to look: where it is mounted, else detached. A
 * descriptor, the caller's to close, or negative errno with a sentence (EXIT_SYSTEM).
 */
int tracefs__open(struct error *err);

/*
 * Reads a file below it, of max_bytes at most, into *text, which is to be freed. Nothing of path may
 * come from anyone unchecked: see tracepoint_name__is_sane. 0 or negative errno.
 */
int tracefs__read(int tracefs, const char *path, size_t max_bytes, char **text);

#endif
