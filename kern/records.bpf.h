/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walk a user stack along frame records, as the kernel's own walk does (perf_callchain_user): the same frames. That
 * one reads record by record, and ends in an exception where the last one leads nowhere, 1.5 us for 14 frames. Here
 * pieces of the stack are copied, and records followed within them.
 *
 * The walk has no place but the spill map. Needs bpf_task_pt_regs (5.15); see cfg_follow_records.
 */
#ifndef TOPSTACKS_RECORDS_H
#define TOPSTACKS_RECORDS_H

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "arch.bpf.h"
#include "event.bpf.h"
#include "maps.bpf.h"
#include "stack_pieces.bpf.h"
#include "topstacks/hash.h"

#define RECORD_BYTES 16

/*
 * From a frame's registers into a context's spill buffer, with the hashes that hash_stack makes. Verified
 * once, for any argument. Returns the number of frames.
 */
__weak __noinline int follow_records(__u64 pc, __u64 fp, __u32 context)
{
	__u64 key = HASH_SEED ^ cfg_hash_seed, check = HASH_CHECK_SEED ^ cfg_hash_seed;
	struct spilled_stack *stack;
	struct stack_piece *piece;
	__u64 at;
	__u32 i;

	if (!cfg_follow_records)
		return 0;
	stack = bpf_map_lookup_elem(&spill_buffer, &context);
	piece = begin_pieces(context);
	if (!stack || !piece)
		return 0;
	for (i = 0; i < cfg_max_depth && i < ABI_MAX_DEPTH;) {
		stack->words[i++] = pc;
		key = hash_word(key, pc);
		check = hash_check_word(check, pc);
		at = find_words(piece, fp, RECORD_BYTES);
		if (at >= STACK_PIECE_WORDS - 1)
			break;
		asm volatile("" : "+r"(at));
		at &= STACK_PIECE_WORDS - 1;
		fp = piece->words[at];
		pc = piece->words[at + 1];
	}
	stack->key = STACK_REST(key);
	stack->check = check;
	stack->nr_frames = i;
	stack->fresh = 1;
	stack->end = 0;
	stack->nr_guessed = 0;
	return (int)i;
}

/* NULL: there is no stack, or it is another's to walk. */
static __always_inline struct spilled_stack *walk_records(const struct sample_event *event)
{
	struct unwind_registers registers = {};
	__u32 context = event->context;

	if (!arch__read_records(event->interrupted, &registers) || !registers.pc ||
	    !follow_records(registers.pc, registers.fp, context))
		return NULL;
	return bpf_map_lookup_elem(&spill_buffer, &context);
}

#endif
