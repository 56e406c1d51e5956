// SPDX-License-Identifier: GPL-2.0-only
#include "profile/heap.h"

#include <string.h>

bool heap__has_blocks(const struct recording *recording)
{
	const struct metrics *metrics = profile__metrics(recording->profile);
	const struct metric *count = &metrics->of[VALUE_COUNT];
	const struct metric *weight = &metrics->of[VALUE_WEIGHT];

	return weight->name && !strcmp(weight->unit, "bytes") && !count->is_events;
}

double heap__samples(const struct recording *recording, double bytes)
{
	if (!heap__has_blocks(recording) || recording->period <= 1)
		return 0;
	return bytes / (double)recording->period;
}
