/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Limits how long we wait for helper processes, and read what other processes offer: there is no
 * limit, or, in a hurry, a total time for all waits.
 *
 *	while (!is_answered && (wait_ns = time_budget__wait_ns(budget))) {
 *		is_answered = wait(wait_ns);
 *		time_budget__spend(budget, waited_ns);
 *	}
 */
#ifndef TOPSTACKS_BASE_TIME_BUDGET_H
#define TOPSTACKS_BASE_TIME_BUDGET_H

#include "base/common.h"

struct time_budget {
	bool (*has_come)(void *context); /* whether the limit applies now, asked during waits;
					  * NULL: always */
	void *context;
	uint64_t left_ns; /* time left for all waits together */
};

/* How long to wait before calling this again; 0: no longer. budget NULL: no limit. */
uint64_t time_budget__wait_ns(const struct time_budget *budget);

/* Charges time that was waited. */
void time_budget__spend(struct time_budget *budget, uint64_t waited_ns);

#endif
