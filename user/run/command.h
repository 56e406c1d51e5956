/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command after "--". It is forked before the sampler opens, so that it can be sampled from its
 * exec on. The child waits for command__exec() before its exec. When the command ends, the run
 * ends.
 */
#ifndef TOPSTACKS_RUN_COMMAND_H
#define TOPSTACKS_RUN_COMMAND_H

#include <sys/types.h>

#include "base/common.h"

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

#endif
