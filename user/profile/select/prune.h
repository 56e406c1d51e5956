/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Leaves out the frames that the writer of a file wants left out, as pprof does (drop_frames and
 * keep_frames in profile.proto): those of an allocator, say, so that memory counts for its caller.
 */
#ifndef TOPSTACKS_PROFILE_SELECT_PRUNE_H
#define TOPSTACKS_PROFILE_SELECT_PRUNE_H

#include "base/common.h"
#include "profile/recording.h"

/*
 * Prunes all events and slices. In each stack the outermost function that drop_frames matches and
 * keep_frames does not is left out with all its callees. The root itself stays: a stack keeps what
 * comes before the match. Adds to *pruned the shown value of all stacks that got shorter. Clears
 * the two expressions. 0 or -ENOMEM; -EINVAL, -EOPNOTSUPP or -E2BIG: the expressions are invalid,
 * use \p, or take too long on these names, and nothing is left out.
 */
int recording__prune(struct recording *recording, uint64_t *pruned);

#endif
