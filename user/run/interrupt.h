/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The signal flag. SIGINT, SIGTERM and, unless nohup(1) ignores it, SIGHUP are blocked from
 * interrupt__hold on, which is before anything takes long. From interrupt__setup on they are let in
 * where a command waits (recorder__run), and noted here; a second one ends the program at once.
 */
#ifndef TOPSTACKS_RUN_INTERRUPT_H
#define TOPSTACKS_RUN_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

enum interrupt {
	INTERRUPT_NONE,
	INTERRUPT_TERMINAL, /* by a key: every process of the foreground group got it */
	INTERRUPT_PROCESS,  /* by kill(2): we alone got it */
};

/* A run is prepared. */
void interrupt__hold(void);

/* It begins. persistent: later signals are noted too, instead of ending the program. */
void interrupt__setup(bool persistent);

/* The mask of a wait that these signals may interrupt; what else is blocked stays so. */
void interrupt__let_in(sigset_t *mask);

/* Which signal came since the last call, and how; forgets it. */
enum interrupt interrupt__take(int *signal_number);

/* A signal has come, and is blocked. */
bool interrupt__is_pending(void);

/* A signal has been noted, whether or not it was taken since. */
bool interrupt__has_come(void);

/* Ends the program by the signal that is pending, as there is no run that it could end. */
void interrupt__obey(void);

/*
 * From now on a signal ends the program: the run is over, and what is left may wait for others
 * without end. Signals that came before had meant the run, and are forgotten.
 */
void interrupt__release(void);

/* Sets signals back to what they were, in a child before its exec. */
void interrupt__reset(void);

#endif
