/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies words of the running task's stack, a piece at a time: one helper call serves a dozen
 * frames.
 */
#ifndef TOPSTACKS_KERN_MAPS_STACK_PIECES_BPF_H
#define TOPSTACKS_KERN_MAPS_STACK_PIECES_BPF_H

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "maps/maps.bpf.h"

#define STACK_PIECE_BYTES (STACK_PIECE_WORDS * 8)
#define PAGE_MASK	  4095 /* for the smallest page size */
#define LOWEST_ADDRESS	  4096 /* nothing can be mapped below */

/* Returns the buffer, emptied: its content is from an earlier stack. */
static __always_inline struct stack_piece *begin_pieces(__u32 context)
{
	struct stack_piece *piece = bpf_map_lookup_elem(&stack_pieces, &context);

	if (piece)
		piece->nr_bytes = 0;
	return piece;
}

/*
 * Copies memory from address on, but not beyond the page unless at_least requires it: the next page
 * may be unreadable.
 */
static __always_inline bool copy_piece(struct stack_piece *piece, __u64 address, __u64 at_least)
{
	__u64 nr_bytes = PAGE_MASK + 1 - (address & PAGE_MASK);

	if (nr_bytes < at_least)
		nr_bytes = at_least;
	if (nr_bytes > STACK_PIECE_BYTES)
		nr_bytes = STACK_PIECE_BYTES;
	piece->start = address;
	piece->nr_bytes = nr_bytes;
	/* keeps the bounds check below visible to the verifier */
	asm volatile("" : "+r"(nr_bytes));
	if (nr_bytes > STACK_PIECE_BYTES)
		return false;
	if (!bpf_probe_read_user(piece->words, nr_bytes, (const void *)address))
		return true;
	piece->nr_bytes = 0;
	return false;
}

/* Returns the index of nr_bytes at address in the piece; STACK_PIECE_WORDS: they cannot be read. */
static __always_inline __u64 find_words(struct stack_piece *piece, __u64 address, __u64 nr_bytes)
{
	__u64 offset = address - piece->start;

	if (address < LOWEST_ADDRESS)
		return STACK_PIECE_WORDS;
	if (!(offset & 7) && offset < piece->nr_bytes && piece->nr_bytes - offset >= nr_bytes)
		return offset / 8;
	return copy_piece(piece, address, nr_bytes) ? 0 : STACK_PIECE_WORDS;
}

#endif
