/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sampling rates of several files that were added up. No user asked for their mean, so they are
 * shown one by one, or as a range.
 */
#ifndef TOPSTACKS_PROFILE_ASKED_RATES_H
#define TOPSTACKS_PROFILE_ASKED_RATES_H

#include "base/common.h"

#define MOST_TOLD_RATES 3

/* Zeroed: no rates. */
struct asked_rates {
	uint64_t nr;
	/* Lowest first. If nr is more than MOST_TOLD_RATES: only the lowest and the highest. */
	double hz[MOST_TOLD_RATES];
};

void asked_rates__add(struct asked_rates *rates, double hz);

/*
 * Writes "99 and 997", "49, 99 and 997" or "49 to 4,999". False if there are fewer than two rates.
 */
bool asked_rates__format(const struct asked_rates *rates, char *text, size_t size);

#endif
