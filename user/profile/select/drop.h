/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Leaves uninformative frames out of stacks, such as those of executors and event loops: callers
 * join callees.
 */
#ifndef TOPSTACKS_PROFILE_SELECT_DROP_H
#define TOPSTACKS_PROFILE_SELECT_DROP_H

#include "base/common.h"
#include "profile/recording.h"

/* The only frame of a stack that lost all its frames. */
#define FRAME_DROPPED "[dropped]"

/* Sums of the shown value: samples that lost a frame, and samples that lost all. */
struct dropped {
	uint64_t shortened, emptied;
};

/*
 * Leaves out frames whose function's name matches, in all events and slices; adds to *dropped.
 * Samples and their values stay. 0, or -EINVAL with err filled.
 */
int recording__drop(struct recording *recording, const char *pattern, struct dropped *dropped,
		    struct error *err);

#endif
