/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel says of a process that may be a JVM, and what a JVM answers. Both may be anything. */
#ifndef TOPSTACKS_PROCESSES_ATTACHER_TEXT_H
#define TOPSTACKS_PROCESSES_ATTACHER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whom to become for it, and whether it can be called. */
struct attach_target {
	uint32_t uid, gid; /* as we see them */
	int32_t pid;	   /* as it sees itself, in its own pid namespace */
	bool catches_quit; /* SIGQUIT does not end it */
};

/*
 * Of /proc/PID/status. 0; -EPROTO: it is none; -EUCLEAN: it has several users or groups, as a program
 * does that runs with another one's rights; -ESRCH: the process has ended.
 */
int attach_text__target(const char *status, struct attach_target *target);

/* Whether a JVM's library is called so: "libjvm.so", in any directory, also if it was replaced since. */
bool attach_text__is_library(const char *path);

/*
 * Of what a JVM has answered, whose first line is a number. 0; -ENOTSUP: it could not do what it was told
 * to; -EBADMSG: nothing that a JVM says.
 */
int attach_text__verdict(const char *answer, size_t length);

#endif
