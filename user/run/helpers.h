/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The helper processes, which open and read untrusted files and talk to JVMs so that this process
 * need not. They start before anything else of a run or a report, and end after it.
 */
#ifndef TOPSTACKS_RUN_HELPERS_H
#define TOPSTACKS_RUN_HELPERS_H

#include "base/common.h"

struct readers;
struct spawner;

struct helpers {
	struct spawner *openers;   /* open files of other processes: processes/opener.h */
	struct readers *readers;   /* parse those files */
	struct spawner *attachers; /* attach to JVMs: processes/attacher.h; NULL: not asked for */
};

/*
 * Forks the helpers, and does not wait until they are ready. *helpers is zeroed before. attaches:
 * also start attachers. 0, or negative errno with err filled: then no helper runs.
 */
int helpers__start(struct helpers *helpers, bool attaches, struct error *err);

/* Waits until they are ready; to be called once. 0, or negative errno with err filled. */
int helpers__await(const struct helpers *helpers, struct error *err);

/* Ends all helpers. A zeroed struct is fine. */
void helpers__stop(struct helpers *helpers);

#endif
