/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command after "--". It is forked before the sampler opens, so that it can be sampled from its
 * exec on. The child waits for command__exec() before its exec. When the command ends, the run
 * ends.
 *
 * A command whose allocations are sampled is started with our preloaded library, if its loader
 * takes that.
 */
#ifndef TOPSTACKS_RUN_COMMAND_H
#define TOPSTACKS_RUN_COMMAND_H

#include <sys/types.h>

#include "base/common.h"

struct capture_options;
struct target;

struct command {
	pid_t pid;
	int go;	     /* write end: the child waits for a byte from it; -1: closed */
	int failure; /* read end: the child reports a failed exec here; -1: closed */
	int pidfd;   /* readable when the command has ended; -1 before 5.3 */
};

/*
 * Forks a child that waits before its exec. environment: for the command, or NULL: ours. user: the
 * account to switch to before the exec, or NULL. All arguments are borrowed for the call. 0 or
 * negative errno.
 */
int command__fork(struct command *command, char **words, char **environment, const char *user,
		  struct error *err);

/*
 * Lets the child exec. If the exec fails, the child is gone and err has exit code 126 or 127. 0 or
 * negative errno.
 */
int command__exec(struct command *command, char **words, struct error *err);

/* Waits for the command's end. Returns its exit status as a shell has it, 128 + n for signal n. */
int command__wait(struct command *command);

/* Ends a command that still waits for its exec. */
void command__abandon(struct command *command);

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
