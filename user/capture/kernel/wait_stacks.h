/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks by key, kept as long as a thread may wait with them: a wait outlives the set that stored
 * its stack. At the end of each generation, the cut charges all unfinished waits and so uses their
 * stacks. A stack that two drains did not use can thus be forgotten.
 */
#ifndef TOPSTACKS_CAPTURE_KERNEL_WAIT_STACKS_H
#define TOPSTACKS_CAPTURE_KERNEL_WAIT_STACKS_H

#include "base/common.h"

struct carried_stacks;
struct raw_stack;
struct raw_stacks;

/* Creates an empty table. raw_stacks is borrowed. */
struct carried_stacks *carried_stacks__new(struct raw_stacks *raw_stacks);
/* NULL is fine. */
void carried_stacks__free(struct carried_stacks *carried);

/*
 * Notes that the current drain uses a key. stack: the key's stack; NULL: unchanged. Returns the
 * key's stack, valid at least until the drain after next; NULL: unknown.
 */
const struct raw_stack *carried_stacks__name(struct carried_stacks *carried, uint64_t key,
					     const struct raw_stack *stack);

/* Ends a drain: drops stacks that were not used for long. */
void carried_stacks__forget(struct carried_stacks *carried);

#endif
