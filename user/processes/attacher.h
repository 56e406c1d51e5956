/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JVMs are told to write a perf map, as `jcmd PID Compiler.perfmap` does it: by a file in its /tmp, a
 * SIGQUIT that makes it look there, and a socket that it opens then. All of this is done with the rights of the
 * JVM's user, and in a process that is there for nothing else: an attacher, which has one JVM to tell,
 * and ends.
 *
 * All of them are forked by one spawner.
 */
#ifndef TOPSTACKS_PROCESSES_ATTACHER_H
#define TOPSTACKS_PROCESSES_ATTACHER_H

#include <stdbool.h>
#include <stdint.h>

struct hired;
struct spawner;

/* In all, for one JVM: whoever has asked for it dismisses it then. */
#define ATTACHER_LIMIT_NS 2000000000ULL

/* A JVM: it must be this process still, and not have executed another program. */
struct attaching {
	uint64_t start_ticks; /* of its birth */
	int32_t pid;
};

/*
 * Starts what attachers are forked from: before rights are given up, before there are threads, and
 * before anything foreign is read. 0 or negative errno; by_confine: as of spawner__start().
 * spawner__stop() ends it.
 */
int attachers__start(struct spawner **spawner, bool *by_confine);

/* Waits for nobody: how it ends (hired__has_ended) is what came of it. 0 or negative errno. */
int attacher__ask(struct spawner *spawner, const struct attaching *attaching, struct hired *hired);

/* Why it failed, as the rest of a sentence; NULL: nobody has to be told, as the process is gone. */
const char *attacher__why(int code);

/* In the attacher: 0 or negative errno. */
int attacher__serve(const struct attaching *attaching);

#endif
