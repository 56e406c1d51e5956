/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which debug files are fetched from servers, and in which order: those of the hottest files first, of each file once
 * in a run.
 */
#ifndef TOPSTACKS_ACTIONS_FETCH_SYMBOLS_H
#define TOPSTACKS_ACTIONS_FETCH_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct fetching;
struct frame;
struct readers;
struct recording;

/*
 * To be called where debuginfod__start() may be. urls: as for that; everything else is borrowed. 0, or negative
 * errno with err filled.
 */
int fetching__start(struct fetching **fetching, const char *urls, struct error *err);
void fetching__stop(struct fetching *fetching); /* NULL is fine */

/* What a debug file is fetched for. */
enum lack {
	LACK_NO, /* of this frame */
	LACK_YES,
	LACK_NEVER, /* a debug file of its file is there already */
};

struct lacks {
	enum lack (*of)(void *context, const struct frame *frame); /* which has a build ID */
	void (*on_fetched)(void *context, const char *build_id);   /* NULL: nobody asks */
	void *context;
};

/* How many were fetched. What fails is told by fetching__tell(). */
size_t fetching__get(struct fetching *fetching, struct readers *readers,
		     const struct recording *recording, const struct lacks *lacks);

/* Says on standard error what was not fetched, and why. */
void fetching__tell(struct fetching *fetching);

#endif
