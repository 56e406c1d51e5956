/* SPDX-License-Identifier: GPL-2.0-only */
/* A command whose allocations are sampled: it gets the library that does, if it can have it. */
#ifndef TOPSTACKS_RUN_ALLOC_COMMAND_H
#define TOPSTACKS_RUN_ALLOC_COMMAND_H

#include <stdbool.h>

#include "base/error.h"
#include "capture/events/capture_options.h"

struct target;

/* Zeros: nobody asked for allocations. */
struct alloc_command {
	char *preloaded; /* NULL: it gets none; owned */
	int program; /* its file, if it cannot have the library, and has a malloc of its own; or 0 */
	char **environment; /* of the command; NULL: ours. Owned; its strings are the environment's, or its own */
};

/*
 * Looks at the command before it is forked, and tells the user what keeps a part of it from being sampled. 0 or
 * negative errno with a sentence.
 */
int alloc_command__prepare(struct alloc_command *prepared, const struct target *target,
			   const struct capture_options *capture, bool is_quiet, struct error *err);
void alloc_command__free(struct alloc_command *prepared);

#endif
