/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording of a whole machine, as one of its users may see it. */
#ifndef TOPSTACKS_PROFILE_SELECT_OWNER_CHOICE_H
#define TOPSTACKS_PROFILE_SELECT_OWNER_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/recording.h"

/*
 * Leaves only samples of processes that were this user's as long as the recording tells of them, in the slices too:
 * a process of which any sample is another's, or nobody's, is not his. Who woke a thread is left out. Without kernel
 * frames, those that follow each other become one frame "[kernel]" without an address.
 *
 * What the recording says of all processes goes, too: ledger, quality, cost and target; the dictionary is a new one,
 * in which nothing else is left. 0, or -ENOMEM, and the recording is not to be shown to anybody.
 */
int recording__choose_owner(struct recording *recording, uint32_t uid, bool with_kernel_frames);

#endif
