/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two functions that sampling by bytes needs, in whole numbers: a program that allocates finds its
 * floating-point flags, modes and registers as it left them.
 */
#ifndef TOPSTACKS_PRELOAD_CHANCE_H
#define TOPSTACKS_PRELOAD_CHANCE_H

#include <stdint.h>

#define CHANCE_ONE (1ULL << 62) /* certainty */

/* Of the next of random numbers, which are as good whatever the state was at first, and differ if it did. */
uint64_t chance__next(uint64_t *state);

/*
 * An exponential gap of mean bytes (up to 2^40) that 64 random bits are worth, in whole bytes: how many go by
 * before the one that is hit.
 */
uint64_t chance__gap(uint64_t random, uint64_t mean);

/* That a gap of mean bytes ends within size bytes: 1 - exp(-size / mean), of CHANCE_ONE. Size is not 0. */
uint64_t chance__of_hit(uint64_t size, uint64_t mean);

#endif
