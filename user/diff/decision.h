/* SPDX-License-Identifier: GPL-2.0-only */
/* From counts to findings: the rule of docs/diff.md, in its order. */
#ifndef TOPSTACKS_DIFF_DECISION_H
#define TOPSTACKS_DIFF_DECISION_H

#include "diff/comparison.h"

struct decision_options decision_options__default(void);

/*
 * Decides about all units. Equal input gives equal output. *decision is the caller's to fini, also
 * after an error. 0, -ENOMEM, -EINVAL (rates with one run a side), or what overlap() returned.
 */
int decision__init(struct decision *decision, const struct comparison *comparison,
		   const struct decision_options *options);
void decision__fini(struct decision *decision);

#endif
