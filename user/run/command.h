/* SPDX-License-Identifier: GPL-2.0-only */
/* The command after "--": started when told, watched, and ended as it ends. */
#ifndef TOPSTACKS_RUN_COMMAND_H
#define TOPSTACKS_RUN_COMMAND_H

#include <sys/types.h>

#include "base/error.h"

struct command {
	pid_t pid;
	int go;	     /* write end: the child waits for it to close */
	int failure; /* read end: the errno of an exec that failed */
	int pidfd;   /* readable when the child has ended; -1 before 5.3 */
};

/* Forks a child that waits; user: whom to become before the exec, or NULL. 0 or negative errno. */
int command__fork(struct command *command, char **words, const char *user, struct error *err);

/* Lets it exec. Exit codes 126 and 127 in err if that fails. 0 or negative errno. */
int command__exec(struct command *command, char **words, struct error *err);

/* Its exit status as a shell has it, 128 + n for signal n; waits for its end. */
int command__wait(struct command *command);

/* Ends a child that still waits for its exec. */
void command__abandon(struct command *command);

#endif
