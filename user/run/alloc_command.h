/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command of a run that samples allocations: it is started with our preloaded library, if its
 * loader takes that.
 */
#ifndef TOPSTACKS_RUN_ALLOC_COMMAND_H
#define TOPSTACKS_RUN_ALLOC_COMMAND_H

#include "base/common.h"
#include "capture/events/capture_options.h"

struct target;

/* All zeros: allocations are not sampled. */
struct alloc_command {
	char *preloaded; /* our LD_PRELOAD library; NULL: not preloaded; owned */
	int program; /* descriptor of the program, if it cannot take the library but has a malloc
		      * to probe; or 0 */
	char **environment; /* for the command; NULL: ours. Owned; its strings are ours or in the
			     * same memory */
};

/*
 * Checks the command before it is forked, and prints what keeps a part of its allocations from
 * being sampled. 0 or negative errno with err filled.
 */
int alloc_command__prepare(struct alloc_command *prepared, const struct target *target,
			   const struct capture_options *capture, bool is_quiet, struct error *err);
void alloc_command__free(struct alloc_command *prepared);

#endif
