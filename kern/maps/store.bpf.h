/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The store (store_abi.h): slots, in which keys are counted, and the log of new records.
 *
 * The verifier checks global functions once, for any arguments, and not for each path that calls
 * them; their arguments are numbers, as Linux 5.10 allows no others. A failure half-way leaves a
 * slot without a count, or a record beyond the chunk's length: neither is ever read.
 */
#ifndef TOPSTACKS_KERN_MAPS_STORE_BPF_H
#define TOPSTACKS_KERN_MAPS_STORE_BPF_H

#include <bpf/bpf_helpers.h>
#include <linux/errno.h>
#include <stdbool.h>

#include "maps/event.bpf.h"
#include "maps/maps.bpf.h"
#include "maps/places.bpf.h"

/* Set and context in one argument; for store_record also kind and size of the record. */
#define STORE_IN(set)		((__u64)(set)->generation | (__u64)(set)->context << 8)
#define STORE_GENERATION(where) ((__u32)(where)&0xff)
#define STORE_CONTEXT(where)	((__u32)(where) >> 8 & 0xff)
#define STORE_KIND(kind)	((__u64)(kind) << 16)
#define STORED_KIND(where)	((__u32)(where) >> 16 & 0xff)
#define STORE_AGAIN		(1ULL << 24) /* the key is known: replaces its record */
#define STORE_WORDS(nr_bytes)	((__u64)((nr_bytes) / 8) << 32)
#define STORED_WORDS(where)	((__u32)((where) >> 32))

static __always_inline struct store_cursors *find_cursors(__u64 where)
{
	__u32 which = (STORE_GENERATION(where) & 1) * PROGRAM_CONTEXTS + STORE_CONTEXT(where);

	return bpf_map_lookup_elem(&cursors, &which);
}

static __always_inline __u32 home_of(__u64 where)
{
	const __u32 context = STORE_CONTEXT(where), nr_homes = cfg_nr_homes;

	if (context >= PROGRAM_CONTEXTS || !nr_homes)
		return 0;
	return (cfg_first_home[context] + bpf_get_smp_processor_id()) % nr_homes;
}

/* Claims a place of the slots or of the log. Returns its number or NO_PLACE. */
__weak __noinline __u32 take_place_in(__u64 where, __u32 is_log)
{
	__u32 generation = STORE_GENERATION(where);
	struct store_state *state = &session.stores[generation & 1];
	void *array = is_log ? bpf_map_lookup_elem(&logs, &generation)
			     : bpf_map_lookup_elem(&slots, &generation);

	return array ? take_place(array, home_of(where),
				  is_log ? &state->nr_chunks : &state->nr_blocks)
		     : NO_PLACE;
}

/*
 * Claims a slot and writes the key into it. Returns its number or NO_PLACE. tid_what: key.tid in
 * the lower half, key.what in the upper one.
 */
__weak __noinline __u32 take_slot(__u64 where, __u64 process, __u64 user, __u64 kernel,
				  __u64 tid_what)
{
	__u32 generation = STORE_GENERATION(where), used = 0, number;
	const __u32 turn = session.stores[generation & 1].slots_turn;
	void *slots_map = bpf_map_lookup_elem(&slots, &generation);
	struct store_cursors *at = find_cursors(where);
	struct slot_block *block;
	struct count_slot *slot;
	bool is_first;

	if (!slots_map || !at)
		return NO_PLACE;
	is_first = begin_filling(&at->slots);
	number = at->slots.place;
	if (is_first && at->slots.turn == turn && at->slots.used < SLOTS_A_BLOCK)
		used = at->slots.used;
	else
		number = take_place_in(where, false);
	block = bpf_map_lookup_elem(slots_map, &number);
	if (block) {
		slot = &block->slots[used & (SLOTS_A_BLOCK - 1)];
		slot->key = (struct sample_key){process, user, kernel, (__u32)tid_what,
						(__u32)(tid_what >> 32)};
		slot->is_taken = 1;
	}
	if (is_first)
		end_filling(&at->slots, turn, block ? number : NO_PLACE, used + 1);
	return block ? SLOT(number, used) : NO_PLACE;
}

/*
 * Copies some words of the record in the context's buffer into a chunk, to words from index to on.
 * Always copies a whole part, for which buffer and chunk have room, so the verifier needs one check
 * only.
 */
__weak __noinline int copy_part(__u64 where, __u32 number, __u32 to, __u32 from)
{
	__u32 generation = STORE_GENERATION(where), context = STORE_CONTEXT(where), i;
	const __u64 *buffer = bpf_map_lookup_elem(&record_buffer, &context);
	void *log_map = bpf_map_lookup_elem(&logs, &generation);
	__u64 at = to, index = from;
	struct log_chunk *chunk;

	if (!buffer || !log_map)
		return 0;
	chunk = bpf_map_lookup_elem(log_map, &number);
	asm volatile(""
		     : "+r"(at),
		       "+r"(index)); /* keeps the bounds checks below visible to the verifier */
	if (!chunk || at > LOG_LAST_WORD || index > cfg_record_words - RECORD_PART)
		return 0;
	for (i = 0; i < RECORD_PART; i++)
		chunk->words[at + index + i] = buffer[index + i];
	return 0;
}

/*
 * Writes the record in the context's buffer to a word of a chunk; the chunk does not count it yet.
 * Avoids bpf_probe_read_kernel(), which lockdown may refuse.
 */
__weak __noinline int write_record(__u64 where, __u32 number, __u32 at)
{
	__u32 from;

	for (from = 0; from < cfg_record_words && from < STORED_WORDS(where); from += RECORD_PART)
		copy_part(where, number, at + 1, from);
	return 0;
}

/*
 * Logs the record in the context's buffer and makes its key known. Returns 0, or -EEXIST: another
 * CPU was faster; -E2BIG: no room; -EBUSY; -ENOENT: no set.
 */
__weak __noinline int store_record(__u64 where, __u64 key, __u64 check)
{
	__u32 generation = STORE_GENERATION(where), used = 0, number;
	const __u32 turn = session.stores[generation & 1].log_turn;
	void *known_map = bpf_map_lookup_elem(&known, &generation);
	void *log_map = bpf_map_lookup_elem(&logs, &generation);
	struct store_cursors *at = find_cursors(where);
	struct log_chunk *chunk;
	bool is_first;
	int err = -E2BIG;
	__u64 begin;

	if (!known_map || !log_map || !at || STORED_WORDS(where) > cfg_record_words)
		return -ENOENT;
	is_first = begin_filling(&at->log);
	number = at->log.place;
	if (is_first && at->log.turn == turn && at->log.used < LOG_LAST_WORD)
		used = at->log.used;
	else
		number = take_place_in(where, true);
	chunk = bpf_map_lookup_elem(log_map, &number);
	begin = used;
	asm volatile("" : "+r"(begin)); /* keeps the bounds check below visible to the verifier */
	if (chunk && begin < LOG_LAST_WORD) {
		chunk->words[begin] = LOG_HEADER(STORED_KIND(where), STORED_WORDS(where));
		write_record(where, number, used);
		err = bpf_map_update_elem(known_map, &key, &check,
					  where & STORE_AGAIN ? BPF_EXIST : BPF_NOEXIST);
	}
	if (chunk && !err) {
		used += 1 + STORED_WORDS(where);
		chunk->nr_words = used;
	}
	if (is_first)
		end_filling(&at->log, turn, chunk ? number : NO_PLACE, used);
	return err;
}

#endif
