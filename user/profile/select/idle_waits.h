/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waits of threads that wait for work: the workers of a pool, a server without requests. Their time
 * is real, but hides all that matters.
 *
 * They are waits by poll, sleep or lock, and
 *  - where threads are told apart, of a thread that spent 99 % of the duration or more in such
 *    waits: running and other waits are less than 1 %;
 *  - elsewhere, or if the duration is not known, of a process and a stack: the waits there take
 *    100 ms or more on average, or none of them has ended.
 */
#ifndef TOPSTACKS_PROFILE_SELECT_IDLE_WAITS_H
#define TOPSTACKS_PROFILE_SELECT_IDLE_WAITS_H

#include "profile/profile.h"

/*
 * Splits the samples into waits for work and all others, two profiles of the same dictionary; the
 * caller frees both. Both are NULL if no sample waits for work, and in every profile whose weights
 * are no nanoseconds. duration_ns: of the recording; 0: not known.
 */
void profile__part_idle_waits(const struct profile *profile, uint64_t duration_ns,
			      struct profile **idle, struct profile **others);

#endif
