/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the memory of the running task for walks. */
#ifndef UNWIND_READ
#define UNWIND_READ

#include <bpf/bpf_helpers.h>

#include "maps/stack_pieces.bpf.h"

/* Returns the buffer for copies of stack memory; NULL: the stack is read in place. */
static __always_inline void *unwind_memory(__u32 context)
{
	return bpf_map_lookup_elem(&stack_pieces, &context);
}

/* As find_words(). A global function, as find_row (unwind.bpf.h), so that it is verified once. */
__weak __noinline int locate_words(struct stack_piece *piece, __u64 address, __u64 nr_bytes)
{
	return piece ? (int)find_words(piece, address, nr_bytes) : STACK_PIECE_WORDS;
}

/* Reads one or two words from the buffer of stack memory; NULL: reads any number in place. */
static __always_inline int unwind_read(void *stack_piece, __u64 address, void *to, __u32 nr_bytes)
{
	struct stack_piece *piece = stack_piece;
	__u64 *words = to;
	__u64 at;

	if (!piece || nr_bytes > 2 * sizeof(*words))
		return bpf_probe_read_user(to, nr_bytes, (const void *)address) ? -1 : 0;
	at = (__u32)locate_words(piece, address, nr_bytes);
	if (at >= STACK_PIECE_WORDS)
		return -1;
	asm volatile("" : "+r"(at));
	at &= STACK_PIECE_WORDS - 1;
	words[0] = piece->words[at];
	if (nr_bytes > sizeof(*words))
		words[1] = piece->words[at + 1];
	return 0;
}

#endif
