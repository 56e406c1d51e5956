/* SPDX-License-Identifier: GPL-2.0-only */
/* The rates that several files were recorded at: nobody asked for their mean. */
#ifndef TOPSTACKS_PROFILE_ASKED_RATES_H
#define TOPSTACKS_PROFILE_ASKED_RATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOST_TOLD_RATES 3

/* Zeroed: none. */
struct asked_rates {
	uint64_t nr;
	double hz
		[MOST_TOLD_RATES]; /* lowest first; of more than that many the lowest, the highest */
};

void asked_rates__add(struct asked_rates *rates, double hz);

/* "99 and 997", "49, 99 and 997", "49 to 4,999". False: there are no two. */
bool asked_rates__format(const struct asked_rates *rates, char *text, size_t size);

#endif
