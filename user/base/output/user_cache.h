/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Directories in which the user's programs keep what can be made again. They are found by the
 * environment, which "sudo -E" keeps of another user: only a directory of the effective user counts
 * that no other user may write to.
 */
#ifndef TOPSTACKS_BASE_OUTPUT_USER_CACHE_H
#define TOPSTACKS_BASE_OUTPUT_USER_CACHE_H

#include "base/common.h"

/* Error codes of our own, like those of base/error.h. */
#define EOTHERSWRITE EBADR
#define ERELATIVE    EBADE

/* Returns the value of a variable; NULL: it is not set, or no absolute path. */
const char *user_cache__variable(const char *variable);

/*
 * Writes "$XDG_CACHE_HOME/NAME" or "$HOME/.cache/NAME" to path, which has PATH_MAX bytes, or ""
 * if neither is there. name begins with a slash.
 */
void user_cache__find(char *path, const char *name);

/*
 * Opens a directory with O_PATH and returns a descriptor. -ENOENT: there is none; -ENOTOURS:
 * another user owns it; -EOTHERSWRITE: others may write to it; -ERELATIVE: its path is relative to
 * the current directory. After an error it must not be used.
 */
int user_cache__open(const char *path);

/*
 * Opens a directory; creates it if it does not exist, and its parent. -ENOTOURS also if its path
 * leads through a directory (to create something in) or a link that belongs neither to the
 * effective user nor to root. Other errors are those of user_cache__open() and mkdir(); -ENOTDIR: a
 * file is in its place; -ENOLINK: a dangling link is. path is unchanged afterwards.
 */
int user_cache__make(char *path);

/* Whether an open file belongs to our user, and no other user may write to it. */
bool user_cache__is_ours(int fd);

#endif
