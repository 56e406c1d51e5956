/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fetches debug files from servers by build ID into the user's cache (debug_cache.h), where all
 * lookups of debug files find them. All files together take no more time and bytes than the limits
 * below.
 */
#ifndef TOPSTACKS_SYMBOLS_DEBUG_DEBUGINFOD_H
#define TOPSTACKS_SYMBOLS_DEBUG_DEBUGINFOD_H

#define DEBUGINFOD_MAX_NS    60000000000ULL
#define DEBUGINFOD_MAX_BYTES (2ULL << 30)

struct debuginfod;
struct error;
struct readers;

/*
 * Starts the fetching. Call it before there are threads and before untrusted data is read. urls: as
 * for debug_servers__find(). 0, or negative errno with err filled.
 */
int debuginfod__start(struct debuginfod **out, const char *urls, struct error *err);
void debuginfod__stop(struct debuginfod *servers); /* NULL is fine */

/*
 * Fetches a debug file and waits for it. 0: it is in the cache, and a reader has found it complete
 * and with this build ID. Else a code for debuginfod__why(); a file that fails the check is
 * removed.
 */
int debuginfod__fetch(struct debuginfod *servers, struct readers *readers, const char *build_id);

/* Why a file was not fetched, as the rest of a sentence. */
const char *debuginfod__why(int code);

#endif
