/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Blocks of memory, as heap profilers sample them: of all bytes that are allocated one in a period is hit,
 * by chance, and a block that is hit stands for all blocks of its size that were not. So counts are of
 * blocks, and no samples.
 */
#ifndef TOPSTACKS_PROFILE_HEAP_H
#define TOPSTACKS_PROFILE_HEAP_H

#include <stdbool.h>

#include "profile/recording.h"

/* It is of blocks and their bytes, whoever recorded it. */
bool heap__has_blocks(const struct recording *recording);

/*
 * How many independent samples so many bytes are worth. Of blocks that are much smaller than the period an
 * estimate of X bytes has the variance X * period; that of larger ones has less. 0: they are not sampled, or
 * nobody says how.
 */
double heap__samples(const struct recording *recording, double bytes);

#endif
