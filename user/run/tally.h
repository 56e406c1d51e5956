/* SPDX-License-Identifier: GPL-2.0-only */
/* What the ledger has of a sample that only its names tell: the kernel has counted the rest. */
#ifndef TOPSTACKS_RUN_TALLY_H
#define TOPSTACKS_RUN_TALLY_H

#include <stdbool.h>

struct ledger;
struct raw_sample;
struct symbolized_stack;

/* False: it is one of the idle task, and none of work. */
bool tally__sample(struct ledger *ledger, const struct raw_sample *raw,
		   const struct symbolized_stack *named);

#endif
