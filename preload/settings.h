/* SPDX-License-Identifier: GPL-2.0-only */
/* What the environment says to the library. It is looked at as it is: some programs have a getenv of their own. */
#ifndef TOPSTACKS_PRELOAD_SETTINGS_H
#define TOPSTACKS_PRELOAD_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/* TOPSTACKS_ALLOC_EVERY, in bytes; GAPS_DEFAULT_MEAN if it is not from 1 to GAPS_MAX_MEAN, in decimal. */
uint64_t settings__mean(char *const *environment);

/* TOPSTACKS_ALLOC_ALONE=1: programs that this one executes are not to have the library. */
bool settings__alone(char *const *environment);

/* Takes our variables out of it, and the library off the end of LD_PRELOAD, in place. */
void settings__leave(char **environment);

#endif
