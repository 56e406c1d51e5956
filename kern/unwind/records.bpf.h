/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walks a user stack along frame records, with the same frames as the kernel's walk
 * (perf_callchain_user). The kernel reads record by record, and takes an exception at the last one,
 * 1.5 us for 14 frames. Here pieces of the stack are copied, and records followed within them.
 *
 * The stack is only stored in the log. Requires bpf_task_pt_regs (5.15); see cfg_follow_records.
 */
#ifndef TOPSTACKS_KERN_UNWIND_RECORDS_BPF_H
#define TOPSTACKS_KERN_UNWIND_RECORDS_BPF_H

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "arch/arch.bpf.h"
#include "maps/event.bpf.h"
#include "maps/maps.bpf.h"
#include "maps/stack_pieces.bpf.h"
#include "topstacks/hash.h"

#define RECORD_BYTES 16
#define RECORDS_PART 6 /* frames */

/*
 * Adds up to RECORDS_PART frames, from index `from` on, to the record_buffer of a program context,
 * with the hashes that hash_stack computes. The context's entry of stack_pieces has pc and fp of
 * the first one. The function is global, since the verifier would otherwise go through the loop
 * again at each call. Returns 0 after the last frame, else 1.
 */
__weak __noinline int follow_part(__u32 context, __u32 from)
{
	struct spilled_stack *stack;
	struct stack_piece *piece;
	__u64 at;
	__u32 i;

	if (!cfg_follow_records) /* never called then, and some kernels could not verify it */
		return 0;
	stack = bpf_map_lookup_elem(&record_buffer, &context);
	piece = bpf_map_lookup_elem(&stack_pieces, &context);
	if (!stack || !piece)
		return 0;
	for (i = 0; i < RECORDS_PART; i++) {
		at = from + i;
		/* keeps the bounds check below visible to the verifier */
		asm volatile("" : "+r"(at));
		if (at >= cfg_max_depth || at >= ABI_MAX_DEPTH)
			return 0;
		stack->words[at] = piece->pc;
		stack->nr_frames = from + i + 1;
		stack->key = hash_word(stack->key, piece->pc);
		stack->check = hash_check_word(stack->check, piece->pc);
		at = find_words(piece, piece->fp, RECORD_BYTES);
		if (at >= STACK_PIECE_WORDS - 1)
			return 0;
		asm volatile("" : "+r"(at));
		at &= STACK_PIECE_WORDS - 1;
		piece->fp = piece->words[at];
		piece->pc = piece->words[at + 1];
	}
	return 1;
}

/* Walks from a frame's registers. Returns the number of frames. */
__weak __noinline int follow_records(__u64 pc, __u64 fp, __u32 context)
{
	struct spilled_stack *stack;
	struct stack_piece *piece;
	__u32 from;

	if (!cfg_follow_records)
		return 0;
	stack = bpf_map_lookup_elem(&record_buffer, &context);
	piece = begin_pieces(context);
	if (!stack || !piece)
		return 0;
	piece->pc = pc;
	piece->fp = fp;
	stack->key = HASH_SEED ^ cfg_hash_seed;
	stack->check = HASH_CHECK_SEED ^ cfg_hash_seed;
	stack->end = 0;
	stack->nr_guessed = 0;
	for (from = 0; from < cfg_max_depth; from += RECORDS_PART)
		if (!follow_part(context, from))
			break;
	stack->key = STACK_REST(stack->key);
	return (int)stack->nr_frames;
}

/* Walks the user stack. NULL: there is none, or the kernel should walk it. */
static __always_inline struct spilled_stack *walk_records(const struct sample_event *event)
{
	struct unwind_registers registers = {};
	__u32 context = event->context;

	if (!arch__read_records(event->interrupted, &registers) || !registers.pc ||
	    !follow_records(registers.pc, registers.fp, context))
		return NULL;
	return bpf_map_lookup_elem(&record_buffer, &context);
}

#endif
