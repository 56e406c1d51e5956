// SPDX-License-Identifier: GPL-2.0-only
#include "profile/heap.h"

bool heap__has_blocks(const struct recording *recording)
{
	return metrics__are_blocks(profile__metrics(recording->profile));
}

double heap__samples(const struct recording *recording, double bytes)
{
	if (!heap__has_blocks(recording) || recording->period <= 1)
		return 0;
	return bytes / (double)recording->period;
}
