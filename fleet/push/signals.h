/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals are blocked all the time, and taken where the pusher waits: SIGINT, SIGTERM and SIGHUP
 * end it with its state kept, SIGUSR1 makes it print its ledger.
 */
#ifndef TOPSTACKS_PUSH_SIGNALS_H
#define TOPSTACKS_PUSH_SIGNALS_H

#include <stdbool.h>

struct push_signals {
	bool must_stop;	  /* stays so */
	bool must_report; /* until a report is written */
};

/* Before the first thread. */
void signals__hold(void);

/* Waits so long, or until a signal comes; 0 seconds: only looks. */
void signals__wait(struct push_signals *signals, double seconds);

#endif
