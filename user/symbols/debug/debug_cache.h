/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cache in which the user's debuginfod clients keep fetched files: a directory for each build
 * ID, with "debuginfo" and "executable" in it.
 */
#ifndef TOPSTACKS_SYMBOLS_DEBUG_DEBUG_CACHE_H
#define TOPSTACKS_SYMBOLS_DEBUG_DEBUG_CACHE_H

#include "base/common.h"

/*
 * Opens the cache as user_cache__open() does, and user_cache__make(). path: PATH_MAX bytes for its
 * name, "" if unknown.
 */
int debug_cache__open(char *path);
int debug_cache__make(char *path);

/* Whether we can write to the cache: 0, or a negative errno. */
int debug_cache__check_writable(const char *path);

/* Why the cache is not used, as the rest of a sentence; NULL: there is nothing to tell. */
const char *debug_cache__why(int code);

/*
 * Removes the partial files of a build ID that debuginfod clients left when they were killed during
 * a download, and that were not written to for a day. cache: a directory of the user.
 */
void debug_leftovers__remove_old(int cache, const char *build_id);

/* Removes the partial files written to since a time (CLOCK_REALTIME, in seconds). */
void debug_leftovers__remove_since(int cache, const char *build_id, long long since);

#endif
