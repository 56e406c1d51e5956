/* SPDX-License-Identifier: GPL-2.0-only */
/* A command whose allocations are sampled: it gets the library that does, if it can have it. */
#ifndef TOPSTACKS_RUN_ALLOC_COMMAND_H
#define TOPSTACKS_RUN_ALLOC_COMMAND_H

#include "base/error.h"

struct session_plan;

/* Zeros: nobody asked for allocations. */
struct alloc_command {
	char *library; /* NULL: it gets none; owned */
	char **environment; /* of the command; NULL: ours. Owned; its strings are the environment's, or its own */
};

/*
 * Looks at the command before it is forked, and tells the user what keeps a part of it from being sampled. 0 or
 * negative errno with a sentence.
 */
int alloc_command__prepare(struct alloc_command *prepared, const struct session_plan *plan,
			   struct error *err);
void alloc_command__free(struct alloc_command *prepared);

#endif
