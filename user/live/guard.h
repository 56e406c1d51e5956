/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Restores the terminal when the program is killed by a signal that it does not handle: SIGSEGV,
 * SIGABRT and the like, SIGQUIT, SIGUSR1. Afterwards the signal has its default effect.
 */
#ifndef TOPSTACKS_LIVE_GUARD_H
#define TOPSTACKS_LIVE_GUARD_H

/* Remembers the current settings of this terminal, to restore them later. */
void guard__remember(int fd);
/*
 * Guards from now on. leave: the escape sequence of terminfo that restores the screen; it is
 * copied.
 */
void guard__arm(const char *leave);
void guard__disarm(void);

/* Restores the terminal at once, without waiting until it takes pending output. */
void guard__give_back(void);

#endif
