/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Debug files of servers, by build ID: fetched into the user's cache (debug_cache.h), where whoever looks for a debug
 * file finds them. All files together take no more time and bytes than the bounds below.
 */
#ifndef TOPSTACKS_SYMBOLS_DEBUG_DEBUGINFOD_H
#define TOPSTACKS_SYMBOLS_DEBUG_DEBUGINFOD_H

#define DEBUGINFOD_MAX_NS    60000000000ULL
#define DEBUGINFOD_MAX_BYTES (2ULL << 30)

struct debuginfod;
struct error;
struct readers;

/*
 * To be called before threads exist and before anything foreign is read. urls: as for debug_servers__find(). 0, or
 * negative errno with err filled.
 */
int debuginfod__start(struct debuginfod **out, const char *urls, struct error *err);
void debuginfod__stop(struct debuginfod *servers); /* NULL is fine */

/*
 * Fetches one, and waits for it. 0: it is in the cache, and a reader says that it is whole and has this build ID. Else
 * what debuginfod__why() knows; what the reader does not say that of is removed.
 */
int debuginfod__fetch(struct debuginfod *servers, struct readers *readers, const char *build_id);

/* Why one was not fetched, as the rest of a sentence. */
const char *debuginfod__why(int code);

#endif
