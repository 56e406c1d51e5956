/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sampled allocations: reads what the program reports of a block, and counts it. Live blocks are in
 * a map of their own, one by one, as only user space knows when an interval ends.
 */
#ifndef TOPSTACKS_KERN_PROBES_ALLOCATIONS_BPF_H
#define TOPSTACKS_KERN_PROBES_ALLOCATIONS_BPF_H

#include <bpf/bpf_helpers.h>

#include "probes/alloc_maps.bpf.h"
#include "probes/probes.bpf.h"

#define MOST_BLOCKS (1ULL << 40) /* limit for a sample, so that sums do not overflow */

/* Reads an argument as 64 bits; 0 if it cannot be read. */
static __always_inline __u64 read_place(const struct probe_argument *argument,
					const bpf_user_pt_regs_t *registers)
{
	__u64 bits;

	if (argument->kind == PROBE_ARGUMENT_CONSTANT)
		return (__u64)argument->number;
	bits = read_register(registers, argument->register_offset);
	if (argument->kind == PROBE_ARGUMENT_MEMORY &&
	    bpf_probe_read_user(&bits, sizeof(bits), (void *)(bits + (__u64)argument->number)))
		return 0;
	return bits;
}

/* Has a stack frame of its own, as in hits.bpf.h. */
static __noinline __u64 read_argument(const struct probe_argument *argument,
				      const bpf_user_pt_regs_t *registers)
{
	__u32 unused;
	__u64 value;

	if (!argument)
		return 0;
	value = read_place(argument, registers);
	unused = (64 - 8 * argument->size) & 63;
	value <<= unused;
	return argument->is_signed ? (__u64)((__s64)value >> unused) : value >> unused;
}

/* Returns bytes / size, rounded up or down at random so that the mean is exact. */
static __always_inline __u64 blocks_of(__u64 bytes, __u64 size)
{
	__u64 blocks, rest;

	if (!size || bytes <= size)
		return 1;
	blocks = bytes / size;
	rest = bytes % size;
	if (blocks >= MOST_BLOCKS)
		return MOST_BLOCKS;
	return blocks +
	       ((((__u64)bpf_get_prandom_u32() << 32) | bpf_get_prandom_u32()) % size < rest);
}

static __always_inline void put_block(struct allocation *allocation, __u64 pointer, __u64 size,
				      __u64 bytes, __u64 told)
{
	allocation->pointer = pointer;
	allocation->bytes = bytes < ABI_MAX_WEIGHT ? bytes : ABI_MAX_WEIGHT;
	allocation->told = told < ABI_MAX_WEIGHT ? told : ABI_MAX_WEIGHT;
	allocation->blocks = blocks_of(allocation->bytes, size);
	allocation->number = 0;
	allocation->key.process = 0;
}

/* Takes a block that the sampled program has chosen. */
static __always_inline bool read_allocation(struct allocation *allocation,
					    const bpf_user_pt_regs_t *registers, __u32 number)
{
	struct alloc_site *site = bpf_map_lookup_elem(&alloc_sites, &number);

	if (!site)
		return false;
	put_block(allocation, read_argument(&site->pointer, registers),
		  read_argument(&site->size, registers), read_argument(&site->bytes, registers),
		  read_argument(&site->told, registers));
	allocation->number = read_argument(&site->number, registers);
	return true;
}

/* Takes a call that we have chosen; the block's address is not known yet. */
static __always_inline bool take_call(struct allocation *allocation,
				      const struct malloc_thread *caller)
{
	put_block(allocation, 0, caller->size, caller->bytes, caller->told);
	return true;
}

/* ---- live blocks ---- */

/*
 * Returns the leader of the process whose memory the running task uses: the child of a vfork uses
 * its parent's.
 */
static __always_inline struct task_struct *memory_leader(void)
{
	struct task_struct *task = current_task();

	if (READ(task, vfork_done))
		task = READ(task, real_parent);
	return READ(task, group_leader);
}

/* Returns the image of that process, without owner. */
static __always_inline __u64 memory_image(void)
{
	struct task_struct *leader = memory_leader();

	return hash_process(READ(leader, tgid), READ(leader, start_boottime),
			    READ(leader, self_exec_id));
}

static __always_inline void miss_block(const struct allocation *allocation, __u32 generation)
{
	__u32 row = ledger_row(generation, cfg_live_event, cfg_nr_events, cfg_nr_cpus,
			       bpf_get_smp_processor_id());
	struct ledger_cpu *ledger_cpu = bpf_map_lookup_elem(&ledger, &row);

	if (!ledger_cpu)
		return;
	ledger_cpu->slots[SLOT_RUNS] += allocation->blocks;
	miss_samples(ledger_cpu, SLOT_COUNTS_FULL, allocation->blocks, allocation->bytes);
}

static __always_inline void remember(const struct allocation *allocation, __u32 generation)
{
	struct task_struct *task = current_task();
	struct live_key key = {.process = memory_image(), .pointer = allocation->pointer};
	struct live_block block = {
		.process = READ(task, vfork_done) ? key.process : allocation->key.process,
		.user = allocation->key.user,
		.bytes = allocation->bytes,
		.blocks = allocation->blocks,
		.number = allocation->number,
		.generation = generation,
	};

	if (bpf_map_update_elem(&live, &key, &block, BPF_ANY))
		miss_block(allocation, generation);
}

static __always_inline void take_allocation(struct sample_event *event,
					    struct allocation *allocation, __u32 generation)
{
	event->weight = allocation->bytes;
	event->told = allocation->told;
	event->key = &allocation->key;
	sample_once(event, generation);
	if (cfg_live_event != NO_EVENT && allocation->key.process && allocation->pointer)
		remember(allocation, generation);
}

/*
 * Samples an allocation. caller: a thread in malloc whose call was chosen; NULL: the program
 * reports a block that it has chosen.
 */
static __always_inline int sample_allocation(bpf_user_pt_regs_t *registers,
					     const struct malloc_thread *caller, bool with_tables)
{
	__u64 cookie = bpf_get_attach_cookie(registers);
	struct sample_event event = {
		.program = registers,
		.interrupted = registers,
		.number = PROBE_COOKIE_EVENT(cookie),
		.context = CONTEXT_PROBE,
		.with_tables = with_tables,
		.outlives = cfg_live_event != NO_EVENT,
	};
	struct allocation *allocation;
	struct passage *passage;
	__u32 generation, zero = 0;

	if (event.number >= cfg_nr_events || !is_meant(PROBE_COOKIE_PID(cookie)))
		return 0;
	allocation = bpf_map_lookup_elem(&chosen, &zero);
	passage = passage__enter(&passages, &session.generation, &generation);
	if (!passage)
		return 0;
	if (!session.is_sampling)
		; /* the session has ended; nothing would be read */
	else if (!is_alone(passage))
		give_way(&event, generation);
	else if (allocation && (caller ? take_call(allocation, caller)
				       : read_allocation(allocation, registers,
							 PROBE_COOKIE_SITE(cookie) & 0xffffff))) {
		event.stands_for = allocation->blocks;
		take_allocation(&event, allocation, generation);
	}
	passage__leave(passage, generation);
	return 0;
}

#endif
