/* SPDX-License-Identifier: GPL-2.0-only */
/* What lies in the spool and was not read yet. */
#ifndef TOPSTACKS_PUSH_WAITING_H
#define TOPSTACKS_PUSH_WAITING_H

#include <stdbool.h>

#include "push/account.h"
#include "push/state.h"

/*
 * Counts it. looks: also the samples, for which files are read; those for which there is no time within
 * some seconds are told apart.
 */
void waiting__count(struct push_waiting *waiting, const char *directory,
		    const struct push_state *state, bool looks);

#endif
