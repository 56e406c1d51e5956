/* SPDX-License-Identifier: GPL-2.0-only */
/* The files in the spool that were not read yet. */
#ifndef TOPSTACKS_PUSH_WAITING_H
#define TOPSTACKS_PUSH_WAITING_H

#include <stdbool.h>

#include "push/push_ledger.h"
#include "push/state.h"

/*
 * Counts them. looks: also counts the samples, for which files are read; files for which some
 * seconds do not suffice are reported as uncounted.
 */
void waiting__count(struct push_waiting *waiting, const char *directory,
		    const struct push_state *state, bool looks);

#endif
