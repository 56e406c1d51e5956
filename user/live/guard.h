/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Restores the terminal when the program is killed by a signal that it does not handle: SIGSEGV,
 * SIGABRT and the like, SIGQUIT, SIGUSR1. The signal then does what it would have done.
 */
#ifndef TOPSTACKS_LIVE_GUARD_H
#define TOPSTACKS_LIVE_GUARD_H

/* The settings of the terminal that is to be given back. */
void guard__remember(int fd);
/* From here on. leave: what brings the terminal back, as terminfo has it; copied. */
void guard__arm(const char *leave);
void guard__disarm(void);

/* At once, without waiting for the terminal to take anything. */
void guard__give_back(void);

#endif
