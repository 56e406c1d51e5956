/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two functions that sampling by bytes needs, in integers: they leave the floating-point flags,
 * modes and registers of the allocating program unchanged.
 */
#ifndef TOPSTACKS_PRELOAD_CHANCE_H
#define TOPSTACKS_PRELOAD_CHANCE_H

#include <stdint.h>

#define CHANCE_ONE (1ULL << 62) /* certainty */

/* The next random number. Any initial state is fine; different states give different numbers. */
uint64_t chance__next(uint64_t *state);

/*
 * Converts 64 random bits to an exponential gap with this mean (up to 2^40), in whole bytes: the
 * number of bytes before the one that is hit.
 */
uint64_t chance__gap(uint64_t random, uint64_t mean);

/*
 * The probability that a gap with this mean ends within size bytes: 1 - exp(-size / mean), in units
 * of 1 / CHANCE_ONE. size is not 0.
 */
uint64_t chance__of_hit(uint64_t size, uint64_t mean);

#endif
