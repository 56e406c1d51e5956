/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Charges time to the ledger, piece by piece, so that each nanosecond is counted exactly once.
 *
 * Time alone decides to which generation a piece belongs: user space announces the begin of a
 * generation in advance. After the begin, a program may still charge a piece to the generation
 * before, until user space closes that.
 */
#ifndef TOPSTACKS_KERN_WAITS_MOMENTS_BPF_H
#define TOPSTACKS_KERN_WAITS_MOMENTS_BPF_H

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "maps/maps.bpf.h"
#include "topstacks/abi.h"

#define LATEST(field) (*(volatile __typeof__(field) *)&(field))

/*
 * Tries to take a piece. The only competitor is one other program, which takes one piece in a
 * generation.
 */
#define TAKE_TRIES 3

struct moment {
	__u64 now_ns;
	__u64 flip_ns; /* begin of the generation */
	__u32 generation;
	__u32 cpu; /* the CPU whose ledger rows are written */
};

/*
 * Returns the generation of a time. The clock must have been read before: a generation that begins
 * before now_ns was announced before.
 */
static __always_inline struct moment moment_at(__u64 now_ns, __u32 cpu)
{
	struct moment moment = {.now_ns = now_ns, .cpu = cpu};
	const __u64 first = LATEST(session.flip_ns[0]), second = LATEST(session.flip_ns[1]);
	const __u64 latest = second > first ? second : first;

	moment.generation = second > first;
	moment.flip_ns = latest;
	if (moment.now_ns < latest) {
		moment.generation ^= 1;
		moment.flip_ns = second > first ? first : second;
	}
	return moment;
}

static __always_inline struct moment this_moment(void)
{
	return moment_at(bpf_ktime_get_ns(), bpf_get_smp_processor_id());
}

static __always_inline struct ledger_cpu *waits_row(__u32 generation, __u32 cpu)
{
	const __u32 row = ledger_row(generation, cfg_wait_event, cfg_nr_events, cfg_nr_cpus, cpu);

	return bpf_map_lookup_elem(&ledger, &row);
}

/*
 * Moves *until forward to to_ns. Returns false if it is there already; else the piece begins at
 * *from_ns. Time before sampling began is left out.
 */
static __always_inline bool take_piece(__u64 *until, __u64 to_ns, __u64 *from_ns)
{
	const __u64 begin_ns = LATEST(session.begin_ns);
	__u64 at_ns = LATEST(*until), seen_ns;
	__u32 i;

	for (i = 0; i < TAKE_TRIES; i++) {
		if (at_ns >= to_ns)
			return false;
		seen_ns = __sync_val_compare_and_swap(until, at_ns, to_ns);
		if (seen_ns == at_ns)
			break;
		at_ns = seen_ns;
	}
	if (i == TAKE_TRIES || !begin_ns)
		return false;
	*from_ns = at_ns < begin_ns ? begin_ns : at_ns;
	return *from_ns < to_ns;
}

static __always_inline void add_to_slot(__u32 generation, __u32 cpu, enum ledger_slot slot,
					__u64 more)
{
	struct ledger_cpu *row = waits_row(generation, cpu);

	if (row)
		row->slots[slot] += more;
}

/*
 * Returns true if the generation before the moment's is still open, so that earlier pieces can be
 * charged to it.
 */
static __always_inline bool is_open(const struct moment *moment)
{
	return LATEST(session.open_generation) == (moment->generation ^ 1);
}

/*
 * Charges a piece that ends now to a slot of the ledger; it may be divided between two generations.
 */
static __always_inline void charge_time(const struct moment *moment, enum ledger_slot slot,
					__u64 from_ns)
{
	if (from_ns < moment->flip_ns) {
		if (is_open(moment))
			add_to_slot(moment->generation ^ 1, moment->cpu, slot,
				    moment->flip_ns - from_ns);
		from_ns = moment->flip_ns;
	}
	if (moment->now_ns > from_ns)
		add_to_slot(moment->generation, moment->cpu, slot, moment->now_ns - from_ns);
}

#endif
