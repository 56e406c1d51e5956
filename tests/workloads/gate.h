/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For workloads whose truth is of all that they do between two rests: nothing moves before SIGUSR1, and nothing
 * after the truth is printed, until SIGTERM. Who looks on from the first rest to the second misses nothing.
 */
#ifndef WORKLOAD_GATE_H
#define WORKLOAD_GATE_H

#include "workload.h"

static sigset_t gate_signals;

/* Before other threads are made: signals are for gate_rest() alone, and interrupt no wait. */
static inline void gate_close(void)
{
	workload_begin(WORKLOAD_MAX_SECONDS);
	sigemptyset(&gate_signals);
	sigaddset(&gate_signals, SIGUSR1);
	sigaddset(&gate_signals, SIGTERM);
	sigaddset(&gate_signals, SIGINT);
	sigprocmask(SIG_BLOCK, &gate_signals, NULL);
}

/* Until SIGUSR1; other signals end the program. */
static inline void gate_rest(void)
{
	int signal = 0;

	if (sigwait(&gate_signals, &signal) || signal != SIGUSR1)
		exit(0);
}

/* The truth is printed. */
static inline void gate_done(void)
{
	printf("done\n");
	fflush(stdout);
	gate_rest();
}

#endif
