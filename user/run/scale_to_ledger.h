/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of threads' states stand for time, and the ledger has that time to the nanosecond. If
 * only a part of the time was sampled, the weights are scaled to add up to all of it.
 */
#ifndef TOPSTACKS_RUN_SCALE_TO_LEDGER_H
#define TOPSTACKS_RUN_SCALE_TO_LEDGER_H

#include "base/common.h"

struct ledger;
struct profile;

/*
 * Scales the weights of a profile. has_running: running threads are sampled, too. is_thinned: not
 * all waits were sampled. Time without any sample becomes one sample without a stack, in the
 * commonest state of runnable or blocked threads.
 */
void scale_to_ledger__profile(struct profile *profile, const struct ledger *ledger,
			      bool has_running, bool is_thinned);

#endif
