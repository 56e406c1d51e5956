/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A token or password in a file of its own: one line of visible ASCII, which is safe in a header
 * and needs no escaping. A file that other users may read is refused.
 */
#ifndef TOPSTACKS_BASE_SYSTEM_SECRET_H
#define TOPSTACKS_BASE_SYSTEM_SECRET_H

#include <sys/types.h>

#include "base/common.h"

#define SECRET_OF_ANYBODY ((uid_t)-1)

/*
 * Reads it with the rights in effect. owner: required owner of the file. text: size bytes,
 * terminated. 0, or negative errno: -EPERM: others may read it; -EINVAL: it is no such line;
 * -ESTALE: it has another owner.
 */
int secret__read(const char *path, uid_t owner, char *text, size_t size);

/* The same for a file that the user names, of any owner; fills err. */
int secret__read_named(const char *path, char *text, size_t size, struct error *err);

#endif
