/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JVMs are asked to write a perf map, as `jcmd PID Compiler.perfmap` does: by a file in the JVM's
 * /tmp, a SIGQUIT that makes the JVM look for it, and the socket that the JVM then opens. This is
 * done with the rights of the JVM's user in a process of its own, an attacher: it asks one JVM, and
 * ends.
 *
 * One spawner forks all attachers.
 */
#ifndef TOPSTACKS_PROCESSES_ATTACHER_H
#define TOPSTACKS_PROCESSES_ATTACHER_H

#include "base/common.h"

struct hired;
struct spawner;

/* Time limit for one JVM: the caller dismisses the attacher after it. */
#define ATTACHER_LIMIT_NS 2000000000ULL

/*
 * A JVM, identified so that another process with its pid, or another program in it, is not asked.
 */
struct attaching {
	uint64_t start_ticks; /* its start time */
	int32_t pid;
};

/*
 * Starts the spawner of attachers: before rights are given up, before there are threads, and before
 * untrusted data is read. 0 or negative errno, as spawner__start(). End it with spawner__stop().
 */
int attachers__start(struct spawner **spawner);

/*
 * Hires an attacher without waiting. Its exit code, by hired__has_ended(), is the result. 0 or
 * negative errno.
 */
int attacher__ask(struct spawner *spawner, const struct attaching *attaching, struct hired *hired);

/* Why it failed, as the rest of a sentence; NULL: not worth a notice, as the process is gone. */
const char *attacher__why(int code);

/* Runs in the attacher. 0 or negative errno. */
int attacher__serve(const struct attaching *attaching);

#endif
