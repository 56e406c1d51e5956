/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Settings from the environment. It is read directly, as some programs have a getenv() of their
 * own.
 */
#ifndef TOPSTACKS_PRELOAD_SETTINGS_H
#define TOPSTACKS_PRELOAD_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * TOPSTACKS_ALLOC_EVERY, in bytes; GAPS_DEFAULT_MEAN if it is not a decimal number from 1 to
 * GAPS_MAX_MEAN.
 */
uint64_t settings__mean(char *const *environment);

/* TOPSTACKS_ALLOC_ALONE=1: programs that this one executes should not get the library. */
bool settings__alone(char *const *environment);

/* Removes our variables, and the library from the end of LD_PRELOAD, in place. */
void settings__leave(char **environment);

#endif
