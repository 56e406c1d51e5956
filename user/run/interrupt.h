/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The signal flag. interrupt__hold() blocks SIGINT, SIGTERM and, unless nohup(1) ignores it, SIGHUP
 * before anything that takes long. After interrupt__setup() they are delivered only where a command
 * waits (recorder__run), and noted here; a second one ends the program at once.
 */
#ifndef TOPSTACKS_RUN_INTERRUPT_H
#define TOPSTACKS_RUN_INTERRUPT_H

#include <signal.h>

#include "base/common.h"

enum interrupt {
	INTERRUPT_NONE,
	INTERRUPT_TERMINAL, /* by a key: every process of the foreground group got it */
	INTERRUPT_PROCESS,  /* by kill(2): we alone got it */
};

/* Blocks the signals while a run is prepared. */
void interrupt__hold(void);

/*
 * Begins noting signals: the run begins. persistent: later signals are noted too, instead of ending
 * the program.
 */
void interrupt__setup(bool persistent);

/* Removes these signals from a mask for ppoll(2); other blocked signals stay blocked. */
void interrupt__let_in(sigset_t *mask);

/*
 * Returns how a signal came since the last call, and forgets the signal; *signal_number: which one.
 */
enum interrupt interrupt__take(int *signal_number);

/* Whether a signal has come and is still blocked. */
bool interrupt__is_pending(void);

/* Whether a signal was noted at any time, taken or not. */
bool interrupt__has_come(void);

/* Ends the program by the pending signal, as no run has begun that it could end. */
void interrupt__obey(void);

/*
 * The run is over: from now on a signal ends the program, because what remains may wait for other
 * processes without a limit. Earlier signals were meant for the run and are forgotten.
 */
void interrupt__release(void);

/* Restores the original signal dispositions, in a child before its exec. */
void interrupt__reset(void);

#endif
