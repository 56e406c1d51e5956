/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks by what is in them, for as long as a thread may wait with one: a wait outlives the set of
 * maps in which its stack was stored. At the end of each generation the cut names the stacks of all
 * waits that go on; so what two drains did not name, the next one cannot.
 */
#ifndef TOPSTACKS_CAPTURE_KERNEL_WAIT_STACKS_H
#define TOPSTACKS_CAPTURE_KERNEL_WAIT_STACKS_H

#include <stdint.h>

struct carried_stacks;
struct raw_stack;
struct raw_stacks;

/* raw_stacks is borrowed. NULL: out of memory. */
struct carried_stacks *carried_stacks__new(struct raw_stacks *raw_stacks);
/* NULL is fine. */
void carried_stacks__free(struct carried_stacks *carried);

/*
 * A drain names a key, which has this stack; NULL: as it had before. The stack, which lives until
 * the drain after next at least, or NULL: nobody knows it, or out of memory.
 */
const struct raw_stack *carried_stacks__name(struct carried_stacks *carried, uint64_t key,
					     const struct raw_stack *stack);

/* The drain is over. */
void carried_stacks__forget(struct carried_stacks *carried);

#endif
