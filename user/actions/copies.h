/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording and its other events with other profiles, for as long as it is shown. */
#ifndef TOPSTACKS_ACTIONS_COPIES_H
#define TOPSTACKS_ACTIONS_COPIES_H

#include "profile/recording.h"

/*
 * Copies of a list, each with what change made of its profile (NULL: out of memory), which it owns; all else is
 * lent. *copies is NULL for an empty list. 0 or -ENOMEM; copies__free in either case.
 */
int copies__make(const struct recording *list,
		 struct profile *(*change)(void *context, const struct profile *profile),
		 void *context, struct recording **copies);
void copies__free(struct recording *copies);

#endif
