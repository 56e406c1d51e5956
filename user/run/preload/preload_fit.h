/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks whether a command can be sampled by a preloaded library. There may be no loader, or it may
 * ignore LD_PRELOAD: then no allocation would be sampled. The check reads the command's program
 * before it starts; programs that it executes later are not checked.
 */
#ifndef TOPSTACKS_RUN_PRELOAD_PRELOAD_FIT_H
#define TOPSTACKS_RUN_PRELOAD_PRELOAD_FIT_H

#include "base/common.h"

enum preload_obstacle {
	PRELOAD_NO_OBSTACLE, /* or none known: a command that cannot be started reports that
			      * itself */
	PRELOAD_STATIC,	     /* statically linked: no loader starts it */
	PRELOAD_FOREIGN,     /* for another machine, or 32 bits */
	PRELOAD_PRIVILEGED,  /* its exec gives privileges, so the loader ignores LD_PRELOAD */
	PRELOAD_OWN_MALLOC,  /* it defines an allocator, which comes before ours */
	PRELOAD_ASAN,	     /* its AddressSanitizer aborts if another library is loaded first */
};

/*
 * Returns what keeps a command from being sampled with the preloaded library when it runs as this
 * user (NULL: as we do). Then err has a sentence, with what to do instead.
 */
enum preload_obstacle preload_fit__check(const char *command, const char *user, struct error *err);

/*
 * Returns a sentence, without a full stop, if another allocator may hide some of the command's
 * allocations: one in the user's own LD_PRELOAD, which comes first, or one that the command is
 * linked with. free() it. NULL: there is none.
 */
char *preload_fit__note(const char *command);

#endif
