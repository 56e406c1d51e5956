/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses the kernel's status of a process that may be a JVM, and the answer of a JVM. Both texts
 * are untrusted.
 */
#ifndef TOPSTACKS_PROCESSES_ATTACHER_TEXT_H
#define TOPSTACKS_PROCESSES_ATTACHER_TEXT_H

#include "base/common.h"

/* The account to switch to for a JVM, and whether the JVM can take the signal. */
struct attach_target {
	uint32_t uid, gid; /* as seen from our namespace */
	int32_t pid;	   /* its pid in its own pid namespace */
	bool catches_quit; /* has a handler for SIGQUIT, which would kill it otherwise */
};

/*
 * Parses /proc/PID/status. 0; -EPROTO: not such a text; -EUCLEAN: its user or group ids differ, as
 * in a setuid program; -ESRCH: the process has ended.
 */
int attach_text__target(const char *status, struct attach_target *target);

/* Whether a path is that of a JVM's library: "libjvm.so" in any directory, deleted or not. */
bool attach_text__is_library(const char *path);

/*
 * Parses a JVM's answer, whose first line is a number. 0; -ENOTSUP: the JVM could not run the
 * command; -EBADMSG: not a JVM's answer.
 */
int attach_text__verdict(const char *answer, size_t length);

#endif
