/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gives the terminal back as it was if the program is killed by its own fault: SIGSEGV, SIGABRT and
 * the like, and SIGQUIT. The signal then does what it would have done.
 */
#ifndef TOPSTACKS_VIEWS_GUARD_H
#define TOPSTACKS_VIEWS_GUARD_H

/* The settings of the terminal that is to be given back. */
void guard__remember(int fd);
/* From here on. leave: what brings the terminal back, as terminfo has it; copied. */
void guard__arm(const char *leave);
void guard__disarm(void);

/* At once, without waiting for the terminal to take anything. */
void guard__give_back(void);

#endif
