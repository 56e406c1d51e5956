/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Comparing memory. What is compared are counts of samples, and of a heap the blocks are none: its bytes,
 * divided by how many there are between two samples, are what independent samples would count.
 *
 * Whose leaf is malloc() is no question: it is who called it.
 */
#ifndef TOPSTACKS_DIFF_MATCHING_BYTE_COUNTS_H
#define TOPSTACKS_DIFF_MATCHING_BYTE_COUNTS_H

#include "profile/recording.h"

/*
 * Makes them of a recording of memory that says its period, without frames of allocators as leaves: of the
 * shown event, which has no slices then. 0 or -ENOMEM.
 */
int byte_counts__make(struct recording *recording);

/* They were made; the weight is still how many bytes there were. */
bool byte_counts__are_made(const struct metrics *metrics);

#endif
