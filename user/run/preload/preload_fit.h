/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a command can be sampled by a library that is preloaded: a loader may not be asked, or not obey, and then
 * nothing would be. So the command is looked at before it is started. What it executes later is not known here.
 */
#ifndef TOPSTACKS_RUN_PRELOAD_PRELOAD_FIT_H
#define TOPSTACKS_RUN_PRELOAD_PRELOAD_FIT_H

#include "base/error.h"

enum preload_obstacle {
	PRELOAD_NO_OBSTACLE, /* or none that is known: a command that cannot be started says so itself */
	PRELOAD_STATIC,	     /* no loader starts it */
	PRELOAD_FOREIGN, /* it is for another machine, or of 32 bits */
	PRELOAD_PRIVILEGED, /* it gets rights by being executed, and so its loader takes nothing from us */
	PRELOAD_OWN_MALLOC, /* it brings an allocator along that comes first */
	PRELOAD_ASAN,	    /* its AddressSanitizer ends it if any library is loaded before */
};

/*
 * What keeps a command from being sampled so, if it runs as this user (NULL: as we do). err then says it in a
 * sentence, with what to do instead.
 */
enum preload_obstacle preload_fit__check(const char *command, const char *user, struct error *err);

/*
 * Another allocator may keep some of what a command allocates from being sampled: one that the user's own LD_PRELOAD
 * names, which comes first, or one that the command is linked with. A sentence on that, without a full stop; free()
 * it. NULL: there is nothing to say.
 */
char *preload_fit__note(const char *command);

#endif
