/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds functions and modules that have another name in new than in base. docs/diff.md has the
 * rule.
 */
#ifndef TOPSTACKS_DIFF_MATCHING_FIND_RENAMES_H
#define TOPSTACKS_DIFF_MATCHING_FIND_RENAMES_H

#include "diff/matching/match_frames.h"
#include "diff/matching/renames.h"

/* Adds to renames, which is empty. 0 or -ENOMEM. */
int find_renames(struct renames *renames, const struct run *runs, size_t nr_runs,
		 const struct match_options *options);

/* Finds renamed modules only; frames must be counted by function. 0 or -ENOMEM. */
int find_renamed_modules(struct renames *renames, const struct matched_frames *frames);

#endif
