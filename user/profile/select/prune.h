/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frames that the writer of a file wants left out, as pprof does (drop_frames and keep_frames in profile.proto): those
 * of an allocator, say, so that memory belongs to who asked for it.
 */
#ifndef TOPSTACKS_PROFILE_SELECT_PRUNE_H
#define TOPSTACKS_PROFILE_SELECT_PRUNE_H

#include <stdint.h>

#include "profile/recording.h"

/*
 * Leaves out, in all events and slices, of each stack the outermost function that drop_frames matches and keep_frames
 * does not, and all that it called; but not what is outermost itself: a stack keeps what comes before. Adds to *pruned
 * how much of the value that is shown has fewer frames now. The expressions are used up. 0, or -ENOMEM;
 * -EINVAL, -EOPNOTSUPP or -E2BIG: they are none, use \p, or are too large for all names, and nothing is left out.
 */
int recording__prune(struct recording *recording, uint64_t *pruned);

#endif
