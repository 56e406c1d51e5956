/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Distinct stacks, by content. Both generations have the same stacks under different ids; here
 * equal stacks are one, and are named once. References keep a stack alive; any thread may hold
 * them.
 */
#ifndef TOPSTACKS_CAPTURE_KERNEL_RAW_STACKS_H
#define TOPSTACKS_CAPTURE_KERNEL_RAW_STACKS_H

#include "base/common.h"
#include "capture/events/sample.h"

struct code;
struct code_objects;
struct raw_stack;
struct raw_stacks;
struct spilled_stack;

/*
 * codes is borrowed and resolves the words of interpreted code; NULL: none are resolved.
 */
struct raw_stacks *raw_stacks__new(struct code_objects *codes);
void raw_stacks__free(struct raw_stacks *stacks);

/* Returns the stack of these words and this end, with a reference. */
struct raw_stack *raw_stacks__get(struct raw_stacks *stacks, const uint64_t *words,
				  uint32_t nr_frames, enum stack_end end);
/*
 * Returns the code object of a word, valid as long as the stack. NULL: the word is an address, or
 * not known yet. Any thread may call it.
 */
const struct code *raw_stack__code(const struct raw_stack *stack, uint32_t index);

/* Add and drop a reference. NULL is fine. */
void raw_stacks__hold(const struct raw_stack *stack);
void raw_stacks__put(struct raw_stacks *stacks, const struct raw_stack *stack);

/* Returns the end of a stack that was walked by unwind tables (unwind_abi.h). */
enum stack_end stack_end__of_walk(const struct spilled_stack *stack);

/* Returns the language of a word, "[python]". NULL: the word is an address. */
const char *word__language(uint64_t word);

#endif
