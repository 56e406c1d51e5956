/* SPDX-License-Identifier: GPL-2.0-only */
/* What clients of debuginfod leave in the cache when they are ended in the midst of a download. */
#ifndef TOPSTACKS_SYMBOLS_DEBUG_DEBUG_LEFTOVERS_H
#define TOPSTACKS_SYMBOLS_DEBUG_DEBUG_LEFTOVERS_H

/* Removes those of a build ID that nobody has written to for a day. cache: a directory of the user's own. */
void debug_leftovers__remove_old(int cache, const char *build_id);

/* Removes those that were written to since then (CLOCK_REALTIME, in seconds). */
void debug_leftovers__remove_since(int cache, const char *build_id, long long since);

#endif
