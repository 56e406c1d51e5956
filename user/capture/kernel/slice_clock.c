// SPDX-License-Identifier: GPL-2.0-only
#include "capture/kernel/slice_clock.h"

#include "capture/host/skeleton.h"
#include "topstacks/abi.h"

/* the length of a round: on a busy machine a drain may be some seconds late */
#define ROUND_NS 6000000000ULL

void slice_clock__begin(struct slice_clock *clock, struct topstacks_bpf *skeleton, uint64_t then_ns)
{
	clock->begin_ns = then_ns;
	__atomic_store_n(&skeleton->bss->session.slices_begin_ns, then_ns, __ATOMIC_SEQ_CST);
}

uint32_t slice_clock__mask(uint64_t slice_ns)
{
	uint32_t nr = 4;

	if (!slice_ns)
		return 0;
	while (nr * slice_ns < ROUND_NS && nr < 1U << WHAT_SLICE_BITS)
		nr *= 2;
	return nr - 1;
}

/*
 * Finds the latest slice with that number, counting back from the end of the drain, plus one slice:
 * a program that ran into the end may have read the clock after it.
 */
uint64_t slice_clock__number(const struct slice_clock *clock, uint32_t in_round)
{
	const uint32_t mask = slice_clock__mask(clock->slice_ns);
	uint64_t last, before;

	if (!clock->slice_ns)
		return 0;
	last = clock->end_ns > clock->begin_ns
		       ? (clock->end_ns - clock->begin_ns) / clock->slice_ns + 1
		       : 1;
	before = (last - in_round) & mask;
	return before > last ? 1 : last - before + 1;
}
