/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the user's debuginfod clients keep what they fetched: a directory for each build ID, with "debuginfo"
 * and "executable" in it.
 */
#ifndef TOPSTACKS_SYMBOLS_DEBUG_DEBUG_CACHE_H
#define TOPSTACKS_SYMBOLS_DEBUG_DEBUG_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* Causes of our own, as those of base/error.h. */
#define EOTHERSWRITE EBADR
#define ERELATIVE    EBADE

/*
 * A descriptor of it, with O_PATH; path, of PATH_MAX bytes, is what it is called, "" if nobody knows.
 * -ENOENT: there is none; -ENOTOURS: it is somebody else's; -EOTHERSWRITE: others may write to it;
 * -ERELATIVE: its path depends on where we are. Such a one is not to be used.
 */
int debug_cache__open(char *path);

/*
 * Makes it if it is not there, but nothing below a directory or by a link that is neither the effective user's nor
 * root's: this is -ENOTOURS, too, as is one that
 * is there, but by a link of others. As debug_cache__open(), or what mkdir() gave, for what
 * is there: -ENOTDIR: it is no directory; -ENOLINK: it is a link that leads nowhere.
 */
int debug_cache__make(char *path);

/* 0, or why we cannot write to it, as a negative errno. */
int debug_cache__check_writable(const char *path);

/* Why it is not used, as the rest of a sentence; NULL: there is nothing to say. */
const char *debug_cache__why(int code);

/* An open file of it is our user's, and no other may write to it. */
bool debug_cache__is_ours(int fd);

/* What clients of debuginfod leave in the cache when they are ended in the midst of a download. */
/* Removes those of a build ID that nobody has written to for a day. cache: a directory of the user's own. */
void debug_leftovers__remove_old(int cache, const char *build_id);

/* Removes those that were written to since then (CLOCK_REALTIME, in seconds). */
void debug_leftovers__remove_since(int cache, const char *build_id, long long since);

#endif
