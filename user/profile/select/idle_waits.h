/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waits of those who wait for work: the workers of a pool, a server that nobody asks for anything. Their time
 * is as true as any other, and hides all that matters.
 *
 * They are waits by poll, sleep or lock, and
 *  - where threads are told apart, of a thread that spent 99 % of the duration or more in such waits: what
 *    else it did, run above all, is less than 1 %;
 *  - elsewhere, or where the duration is not known, of a process and stack whose waits take 100 ms or more on
 *    average, or of which none has ended.
 */
#ifndef TOPSTACKS_PROFILE_SELECT_IDLE_WAITS_H
#define TOPSTACKS_PROFILE_SELECT_IDLE_WAITS_H

#include "profile/profile.h"

/*
 * Parts the samples: those that wait for work, and all others, in two profiles of the same dictionary, both
 * the caller's to free. Both are NULL if none waits for work, as in every profile whose weights are no
 * nanoseconds. duration_ns: of what was sampled; 0: not known. 0 or -ENOMEM.
 */
int profile__part_idle_waits(const struct profile *profile, uint64_t duration_ns,
			     struct profile **idle, struct profile **others);

#endif
