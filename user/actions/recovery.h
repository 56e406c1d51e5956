/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run without end that was slowed down by the bound on its cost (run/governor.h) tries the rate that was
 * asked for again: after a minute, and after twice as long each time that it was in vain.
 */
#ifndef TOPSTACKS_ACTIONS_RECOVERY_H
#define TOPSTACKS_ACTIONS_RECOVERY_H

#include <stdbool.h>
#include <stdint.h>

struct recovery {
	double asked_hz;
	uint64_t pause_ns, next_ns; /* how long to wait, and until when; 0: it is not slowed down */
};

/* Whether to try now, at the end of an interval, when the rate was rate_hz. now_ns: any clock's. */
bool recovery__is_due(struct recovery *recovery, double rate_hz, uint64_t now_ns);

#endif
