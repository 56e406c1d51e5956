/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Distinct stacks, by content. Both generations see the same stacks under other ids; interned here
 * they are one, and are named once. A stack lives as long as anybody refers to it; any thread may.
 */
#ifndef TOPSTACKS_CAPTURE_KERNEL_RAW_STACKS_H
#define TOPSTACKS_CAPTURE_KERNEL_RAW_STACKS_H

#include <stdint.h>

#include "capture/events/sample.h"

struct code;
struct codes;
struct raw_stack;
struct raw_stacks;
struct spilled_stack;

/* codes are borrowed: what words stand for is found there; NULL: nobody knows. NULL: no memory. */
struct raw_stacks *raw_stacks__new(struct codes *codes);
void raw_stacks__free(struct raw_stacks *stacks);

/* A reference to the stack of these words and this end; NULL: out of memory. */
struct raw_stack *raw_stacks__get(struct raw_stacks *stacks, const uint64_t *words,
				  uint32_t nr_frames, enum stack_end end);
/* What a word of it stands for, as long as it lives. NULL: an address, or not known yet. Any thread may ask. */
const struct code *raw_stack__code(const struct raw_stack *stack, uint32_t index);

/* A reference more, and one less. NULL is fine. */
void raw_stacks__hold(struct raw_stacks *stacks, const struct raw_stack *stack);
void raw_stacks__put(struct raw_stacks *stacks, const struct raw_stack *stack);

/* How a walk by unwind tables ended (abi.h). */
enum stack_end stack_end__of_walk(const struct spilled_stack *stack);

/* "[python]": whose interpreted code a word of a stack stands for. NULL: it is an address. */
const char *word__language(uint64_t word);

#endif
