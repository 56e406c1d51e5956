/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A token or password in a file of its own: one line of visible ASCII, which can end no header and needs no
 * escaping. What others may read is no secret.
 */
#ifndef TOPSTACKS_BASE_SYSTEM_SECRET_H
#define TOPSTACKS_BASE_SYSTEM_SECRET_H

#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

#define SECRET_OF_ANYBODY ((uid_t)-1)

/*
 * Reads it with the rights that the process has. owner: whose file it has to be. text: size bytes, with the NUL. 0, or
 * negative errno: -EPERM: others may read it; -EINVAL: it is no such line; -ESTALE: it is another's.
 */
int secret__read(const char *path, uid_t owner, char *text, size_t size);

/* The same of anybody's file that somebody named: with err filled. */
int secret__read_named(const char *path, char *text, size_t size, struct error *err);

#endif
