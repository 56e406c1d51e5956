/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An interval as it is handed to the thread that shows it: a copy with a dictionary of its own, so
 * that nobody who samples and nobody who looks ever waits for the other.
 */
#ifndef TOPSTACKS_LIVE_MOMENT_H
#define TOPSTACKS_LIVE_MOMENT_H

#include "profile/interval.h"

struct moment {
	struct moment *next; /* the owner's, to queue it */
	struct profile *profile;
	struct interval interval; /* its profile and target are this moment's */
	char *target;
};

/* NULL: out of memory. */
struct moment *moment__new(const struct interval *interval);
void moment__free(struct moment *moment);

#endif
