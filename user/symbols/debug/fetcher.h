/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A fetcher is a process that fetches one debug file with elfutils' libdebuginfod. It may talk to
 * servers and fill the cache, and has no rights and no other data of ours. The fetched file is
 * untrusted: readers check it.
 */
#ifndef TOPSTACKS_SYMBOLS_DEBUG_FETCHER_H
#define TOPSTACKS_SYMBOLS_DEBUG_FETCHER_H

#include "base/common.h"
#include "elf/file.h"

struct hired;
struct spawner;

struct fetch_request {
	uint64_t max_bytes, max_ns;
	char build_id[BUILD_ID_TEXT_SIZE]; /* lower-case hex */
};

/* A fetcher sends this before it ends. */
struct fetch_account {
	uint64_t nr_bytes; /* received */
};

struct fetcher_plan {
	const char *urls;  /* servers, as in DEBUGINFOD_URLS */
	const char *cache; /* an existing directory */
};

/* Whether this program can load libraries. */
bool fetchers__are_possible(void);

/*
 * Starts the process from which fetchers are forked. Call it before there are threads and before
 * untrusted data is read. The plan is borrowed for the call. 0; -ELIBACC: libdebuginfod is missing
 * or cannot be loaded; or other negative errno.
 */
int fetchers__start(struct spawner **spawner, const struct fetcher_plan *plan);

/*
 * Starts a fetcher without waiting. Its exit code, by hired__has_ended(): 0: the file is in the
 * cache; -ENOENT: no server has it; -EFBIG: it is too large; -ETIME: max_ns is over; -ETIMEDOUT: no
 * server answered; other negative errno.
 */
int fetcher__ask(struct spawner *spawner, const struct fetch_request *request, struct hired *hired);

#endif
