/* SPDX-License-Identifier: GPL-2.0-only */
/* Restricts a recording of a whole machine to one user, who may see only his own processes. */
#ifndef TOPSTACKS_PROFILE_SELECT_OWNER_CHOICE_H
#define TOPSTACKS_PROFILE_SELECT_OWNER_CHOICE_H

#include "base/common.h"
#include "profile/recording.h"

/*
 * Leaves only samples of processes that belonged to this user throughout the recording, in the
 * slices too: a process with any sample of another user, or of none, is left out. Frames about the
 * waker of a thread are left out. Without kernel frames, a run of them becomes one frame "[kernel]"
 * without an address.
 *
 * Facts about all processes go, too: ledger, quality, cost and target. The dictionary is a new one
 * with nothing else in it.
 */
void recording__choose_owner(struct recording *recording, uint32_t uid, bool with_kernel_frames);

#endif
