/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cache in which the user's debuginfod clients keep fetched files: a directory for each build
 * ID, with "debuginfo" and "executable" in it.
 */
#ifndef TOPSTACKS_SYMBOLS_DEBUG_DEBUG_CACHE_H
#define TOPSTACKS_SYMBOLS_DEBUG_DEBUG_CACHE_H

#include "base/common.h"

/* Error codes of our own, like those of base/error.h. */
#define EOTHERSWRITE EBADR
#define ERELATIVE    EBADE

/*
 * Opens the cache with O_PATH and returns a descriptor. path: PATH_MAX bytes for its name, "" if
 * unknown. -ENOENT: there is no cache; -ENOTOURS: another user owns it; -EOTHERSWRITE: others may
 * write to it; -ERELATIVE: its path is relative to the current directory. After an error it must
 * not be used.
 */
int debug_cache__open(char *path);

/*
 * Opens the cache; creates it if it does not exist. -ENOTOURS also if its path leads through a
 * directory (to create something in) or a link that belongs neither to the effective user nor to
 * root. Other errors are those of debug_cache__open() and mkdir(); -ENOTDIR: a file is in its
 * place; -ENOLINK: a dangling link is.
 */
int debug_cache__make(char *path);

/* Whether we can write to the cache: 0, or a negative errno. */
int debug_cache__check_writable(const char *path);

/* Why the cache is not used, as the rest of a sentence; NULL: there is nothing to tell. */
const char *debug_cache__why(int code);

/* Whether an open file of the cache belongs to our user, and no other user may write to it. */
bool debug_cache__is_ours(int fd);

/*
 * Removes the partial files of a build ID that debuginfod clients left when they were killed during
 * a download, and that were not written to for a day. cache: a directory of the user.
 */
void debug_leftovers__remove_old(int cache, const char *build_id);

/* Removes the partial files written to since a time (CLOCK_REALTIME, in seconds). */
void debug_leftovers__remove_since(int cache, const char *build_id, long long since);

#endif
