/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Comparison of memory. A comparison needs counts of samples, and blocks of a heap are none. A
 * number of bytes, divided by the bytes between two samples, is a count of independent samples.
 *
 * Leaf frames of allocators are dropped: a sample counts for the caller of malloc().
 */
#ifndef TOPSTACKS_DIFF_MATCHING_BYTE_COUNTS_H
#define TOPSTACKS_DIFF_MATCHING_BYTE_COUNTS_H

#include "profile/recording.h"

/*
 * Replaces the shown event's profile by one with such counts. Its metrics must be blocks, and its
 * period known. The event has no slices then.
 */
void byte_counts__make(struct recording *recording);

/* True after byte_counts__make(); the weight is still the number of bytes. */
bool byte_counts__are_made(const struct metrics *metrics);

#endif
