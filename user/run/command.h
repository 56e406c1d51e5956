/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command after "--". It is forked before anything else, so that it can be sampled from its
 * exec on, and waits for that until it is told. When it ends, the run ends.
 */
#ifndef TOPSTACKS_RUN_COMMAND_H
#define TOPSTACKS_RUN_COMMAND_H

#include <sys/types.h>

#include "base/error.h"

struct command {
	pid_t pid;
	int go;	     /* write end: the child waits until it is closed; -1: it is */
	int failure; /* read end: what made the exec fail; -1: it was read */
	int pidfd;   /* readable when the command has ended; -1 before 5.3 */
};

/*
 * Forks a process that waits; environment: what the command gets, or NULL: ours; user: whom to become before the
 * exec, or NULL. All is borrowed for the call. 0 or negative errno.
 */
int command__fork(struct command *command, char **words, char **environment, const char *user,
		  struct error *err);

/*
 * Lets it exec. If that fails, the process is gone and err has exit code 126 or 127. 0 or negative
 * errno.
 */
int command__exec(struct command *command, char **words, struct error *err);

/* Its exit status as a shell has it, 128 + n for signal n; waits for its end. */
int command__wait(struct command *command);

/* Ends one that still waits for its exec. */
void command__abandon(struct command *command);

#endif
