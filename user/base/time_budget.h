/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long processes that work for us are waited for, and what others offer is read: as long as it
 * takes; but in a hurry so long in all, and no longer.
 *
 *	while (!is_answered && (wait_ns = hurry__wait_ns(hurry))) {
 *		is_answered = wait(wait_ns);
 *		hurry__spend(hurry, waited_ns);
 *	}
 */
#ifndef TOPSTACKS_BASE_TIME_BUDGET_H
#define TOPSTACKS_BASE_TIME_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct hurry {
	bool (*has_come)(void *context); /* asked while somebody waits; NULL: it has */
	void *context;
	uint64_t left_ns; /* for all waits in it */
};

/* How long to wait before this is asked again; 0: no more. NULL: there is none. */
uint64_t hurry__wait_ns(const struct hurry *hurry);

/* So long was waited. */
void hurry__spend(struct hurry *hurry, uint64_t waited_ns);

#endif
