// SPDX-License-Identifier: GPL-2.0-only
#include "actions/recovery.h"

#define FIRST_PAUSE_NS	 60000000000ULL
#define LONGEST_PAUSE_NS (16 * FIRST_PAUSE_NS)

bool recovery__is_due(struct recovery *recovery, double rate_hz, uint64_t now_ns)
{
	const bool is_slow = rate_hz > 0 && rate_hz < recovery->asked_hz;

	if (!is_slow) {
		if (now_ns >= recovery->next_ns)
			*recovery = (struct recovery){.asked_hz = recovery->asked_hz};
		return false;
	}
	if (!recovery->pause_ns) {
		recovery->pause_ns = FIRST_PAUSE_NS;
		recovery->next_ns = now_ns + FIRST_PAUSE_NS;
	}
	if (now_ns < recovery->next_ns)
		return false;
	recovery->pause_ns *= recovery->pause_ns < LONGEST_PAUSE_NS ? 2 : 1;
	recovery->next_ns = now_ns + recovery->pause_ns;
	return true;
}
