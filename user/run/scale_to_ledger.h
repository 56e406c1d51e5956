/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of what threads did stand for their time; the ledger has that time to the nanosecond.
 * Where they are a part of all that there was, they are made to add up to it.
 */
#ifndef TOPSTACKS_RUN_SCALE_TO_LEDGER_H
#define TOPSTACKS_RUN_SCALE_TO_LEDGER_H

#include <stdbool.h>

struct ledger;
struct profile;

/*
 * has_running: those that run are sampled, too. is_thinned: not all waits were. Time
 * of which no sample was taken is one sample without a stack: of runnable and blocked threads in their commonest state. 0 or -ENOMEM.
 */
int scale_to_ledger__profile(struct profile *profile, const struct ledger *ledger, bool has_running,
			     bool is_thinned);

#endif
