/* SPDX-License-Identifier: GPL-2.0-only */
/* Frames that say nothing, such as those of executors and event loops, are left out: callers join callees. */
#ifndef TOPSTACKS_PROFILE_SELECT_DROP_H
#define TOPSTACKS_PROFILE_SELECT_DROP_H

#include <stdint.h>

#include "base/error.h"
#include "profile/recording.h"

/* What a stack becomes that has no other frame. */
#define FRAME_DROPPED "[dropped]"

/* How much of the value that is shown: with a frame left out, and without any that is left. */
struct dropped {
	uint64_t shortened, emptied;
};

/* pattern: an extended regular expression. 0, or -EINVAL with err filled. */
int drop__check(const char *pattern, struct error *err);

/*
 * Leaves out frames of functions whose name it matches, in all events and slices; adds to *dropped. Samples
 * and their values stay. 0, or negative errno with err filled.
 */
int recording__drop(struct recording *recording, const char *pattern, struct dropped *dropped,
		    struct error *err);

#endif
