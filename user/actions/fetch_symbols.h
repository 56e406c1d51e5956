/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Chooses the debug files to fetch from servers, and their order: those of the hottest files first,
 * each file once in a run.
 */
#ifndef TOPSTACKS_ACTIONS_FETCH_SYMBOLS_H
#define TOPSTACKS_ACTIONS_FETCH_SYMBOLS_H

#include "base/common.h"

struct fetching;
struct frame;
struct readers;
struct recording;

/*
 * Call it where debuginfod__start() may be called. urls: as for debuginfod__start(); the rest is
 * borrowed. 0, or negative errno with err filled.
 */
int fetching__start(struct fetching **fetching, const char *urls, struct error *err);
void fetching__stop(struct fetching *fetching); /* NULL is fine */

/* Whether a frame lacks something that a debug file would give. */
enum lack {
	LACK_NO, /* the frame lacks nothing */
	LACK_YES,
	LACK_NEVER, /* the debug file is here already */
};

struct lacks {
	enum lack (*of)(void *context, const struct frame *frame); /* frame has a build ID */
	void (*on_fetched)(void *context, const char *build_id);   /* NULL: not called */
	void *context;
};

/* Fetches debug files and returns how many came. fetching__tell() reports the failures. */
size_t fetching__get(struct fetching *fetching, struct readers *readers,
		     const struct recording *recording, const struct lacks *lacks);

/* Tells on standard error which files were not fetched, and why. */
void fetching__tell(struct fetching *fetching);

#endif
