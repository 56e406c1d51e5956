/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Limits how long we wait for helper processes, and read what other processes offer: there is no
 * limit, or, in a hurry, a total time for all waits.
 *
 *	while (!is_answered && (wait_ns = hurry__wait_ns(hurry))) {
 *		is_answered = wait(wait_ns);
 *		hurry__spend(hurry, waited_ns);
 *	}
 */
#ifndef TOPSTACKS_BASE_TIME_BUDGET_H
#define TOPSTACKS_BASE_TIME_BUDGET_H

#include "base/common.h"

struct hurry {
	bool (*has_come)(void *context); /* whether the limit applies now, asked during waits;
					  * NULL: always */
	void *context;
	uint64_t left_ns; /* time left for all waits together */
};

/* How long to wait before calling this again; 0: no longer. hurry NULL: no limit. */
uint64_t hurry__wait_ns(const struct hurry *hurry);

/* Charges time that was waited. */
void hurry__spend(struct hurry *hurry, uint64_t waited_ns);

#endif
