/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A long run whose rate was lowered to keep the bound on its cost (run/governor.h) tries the
 * original rate again: after a minute, and after twice as long each time that the try fails.
 */
#ifndef TOPSTACKS_ACTIONS_RECOVERY_H
#define TOPSTACKS_ACTIONS_RECOVERY_H

#include "base/common.h"

struct recovery {
	double asked_hz;
	uint64_t pause_ns, next_ns; /* pause before the next try, and its time; 0: the rate is
				     * not lowered */
};

/*
 * Whether to try the asked rate now. Call it at the end of each interval. rate_hz: rate of that
 * interval. now_ns: from any clock.
 */
bool recovery__is_due(struct recovery *recovery, double rate_hz, uint64_t now_ns);

#endif
