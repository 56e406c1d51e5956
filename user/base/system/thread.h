/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads of our own. */
#ifndef TOPSTACKS_BASE_SYSTEM_THREAD_H
#define TOPSTACKS_BASE_SYSTEM_THREAD_H

#include <pthread.h>

#include "base/error.h"

/* Starts one that hears no signal: those are for the thread that waits for them. 0 or -errno. */
int thread__start(pthread_t *thread, void *(*run)(void *context), void *context);

/* Says why thread__start gave this code: "WHAT: why" (what: "cannot start the thread that answers"). Returns the code. */
int thread__explain(struct error *err, int code, const char *what);

/*
 * This thread, and those that it starts, go ahead of others' from here on: while we wait for a CPU
 * of a busy machine, maps and rings run over, and keys are not answered. Without the right to it we
 * go on as we are.
 */
void thread__hurry(void);

/*
 * The first thread's stack may grow as far as libraries need that walk what others nested, whatever
 * ulimit -s says, if its hard limit or our rights allow it. Children have this from us.
 */
void thread__raise_stack(void);

#endif
