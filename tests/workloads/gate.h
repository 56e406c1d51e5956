/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gives a workload two rests, and its truth is of all that it does between them. The workload does
 * nothing before SIGUSR1, and nothing after the truth is printed, until SIGTERM. A profiler that
 * looks on from the first rest to the second misses nothing.
 */
#ifndef WORKLOAD_GATE_H
#define WORKLOAD_GATE_H

#include "workload.h"

static sigset_t gate_signals;

/*
 * Keeps signals for gate_rest() alone, so that they interrupt no wait. Call it before other threads
 * are made.
 */
static inline void gate_close(void)
{
	workload_begin(WORKLOAD_MAX_SECONDS);
	sigemptyset(&gate_signals);
	sigaddset(&gate_signals, SIGUSR1);
	sigaddset(&gate_signals, SIGTERM);
	sigaddset(&gate_signals, SIGINT);
	sigprocmask(SIG_BLOCK, &gate_signals, NULL);
}

/* Rests until SIGUSR1; other signals end the program. */
static inline void gate_rest(void)
{
	int signal = 0;

	if (sigwait(&gate_signals, &signal) || signal != SIGUSR1)
		exit(0);
}

/* Says that the truth is printed, and rests. */
static inline void gate_done(void)
{
	printf("done\n");
	fflush(stdout);
	gate_rest();
}

#endif
