/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A debug file is fetched by elfutils' libdebuginfod, in a process that is there for this file alone: a fetcher.
 * It may speak with servers and fill the cache, and has no rights, nor anything else of ours. What it has
 * fetched may be anything: others find out what.
 */
#ifndef TOPSTACKS_SYMBOLS_DEBUG_FETCHER_H
#define TOPSTACKS_SYMBOLS_DEBUG_FETCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/file.h"

struct hired;
struct spawner;

struct fetch_request {
	uint64_t max_bytes, max_ns;
	char build_id[BUILD_ID_TEXT_SIZE]; /* lower-case hex */
};

/* What a fetcher sends before it ends. */
struct fetch_account {
	uint64_t nr_bytes; /* that came */
};

struct fetcher_plan {
	const char *urls;  /* of servers, as DEBUGINFOD_URLS has them */
	const char *cache; /* directory that is there */
};

/* False: this program cannot load a library. */
bool fetchers__are_possible(void);

/*
 * Starts what fetchers are forked from: before there are threads, and before anything foreign is read. The
 * plan is borrowed until it returns. 0; -ELIBACC: there is no libdebuginfod, or it cannot be loaded;
 * other negative errno.
 */
int fetchers__start(struct spawner **spawner, const struct fetcher_plan *plan);

/*
 * Waits for nobody. How it ends (hired__has_ended): 0: the cache has it; -ENOENT: no server has it; -EFBIG: it
 * is too large; -ETIME: max_ns were over; -ETIMEDOUT: no server answered; other negative errno.
 */
int fetcher__ask(struct spawner *spawner, const struct fetch_request *request, struct hired *hired);

#endif
