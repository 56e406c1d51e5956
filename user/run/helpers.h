/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes that deal with what is foreign to us, so that this one need not. They are started
 * before anything else of a run or a report, and ended after it.
 */
#ifndef TOPSTACKS_RUN_HELPERS_H
#define TOPSTACKS_RUN_HELPERS_H

#include <stdbool.h>

#include "base/error.h"

struct readers;
struct spawner;

struct helpers {
	struct spawner *openers;   /* of foreign files: processes/opener.h */
	struct readers *readers;   /* of the same */
	struct spawner *attachers; /* to JVMs: processes/attacher.h; NULL: nobody asked for them */
};

/* Zeroed at first. attaches: to JVMs, too. 0, or negative errno with err filled: then none is left. */
int helpers__start(struct helpers *helpers, bool attaches, struct error *err);

/* Zeroed is fine. */
void helpers__stop(struct helpers *helpers);

#endif
