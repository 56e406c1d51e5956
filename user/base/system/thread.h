/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads of our own. */
#ifndef TOPSTACKS_BASE_SYSTEM_THREAD_H
#define TOPSTACKS_BASE_SYSTEM_THREAD_H

#include <pthread.h>

#include "base/common.h"

/*
 * Starts a thread with all signals blocked: the thread that waits for signals gets them. 0 or
 * -errno.
 */
int thread__start(pthread_t *thread, void *(*run)(void *context), void *context);

/*
 * Explains a code of thread__start(): "WHAT: why" (what: "cannot start the thread that answers").
 * Returns the code.
 */
int thread__explain(struct error *err, int code, const char *what);

/*
 * Raises the priority of this thread and those it starts: while we wait for a CPU of a busy
 * machine, maps and rings overflow, and keys are not answered. Does nothing without the right.
 */
void thread__hurry(void);

/*
 * Raises the stack limit of the first thread, because libraries that walk deeply nested input need
 * stack, independent of ulimit -s. Works if the hard limit or our rights allow it. Children inherit
 * it.
 */
void thread__raise_stack(void);

#endif
