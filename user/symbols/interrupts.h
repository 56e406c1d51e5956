/* SPDX-License-Identifier: GPL-2.0-only */
/* Telling an idle CPU's idling from interrupt work done on it, by the names of kernel functions. */
#ifndef TOPSTACKS_SYMBOLS_INTERRUPTS_H
#define TOPSTACKS_SYMBOLS_INTERRUPTS_H

#include <stdbool.h>

/*
 * Where the kernel is entered by an interrupt, or works off what one left behind. A stack of the
 * idle task that passes none of these is idling. NULL is none.
 */
bool interrupt__is_entry(const char *function);

#endif
