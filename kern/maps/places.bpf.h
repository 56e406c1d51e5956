/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Claims places of an array that many CPUs fill, and interrupts on them. Pure but for lookups; a
 * unit test lets native threads and signal handlers claim places.
 *
 * Atomic operations that return a value need Linux 5.12 (5ca419f2864a), and older kernels do not
 * load a program with one, even if it is never reached. So a place begins with a word that is 0: a
 * CPU adds 1 to it and then reads it. Additions to a word are ordered, and a read includes one's
 * own, so at most one CPU reads 1 and owns the place. If several came at once, perhaps none does:
 * then the place is lost until user space empties the array.
 */
#ifndef TOPSTACKS_KERN_MAPS_PLACES_BPF_H
#define TOPSTACKS_KERN_MAPS_PLACES_BPF_H

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "topstacks/store_abi.h"

#define NO_PLACE (~0U)

#ifndef CLAIM_TRIES
#define CLAIM_TRIES 4 /* places beside the home that a program tries */
#endif

static __always_inline bool claim(struct claimed_place *place)
{
	if (*(volatile __u32 *)&place->claim)
		return false;
	__sync_fetch_and_add(&place->claim, 1);
	if (*(volatile __u32 *)&place->claim != 1)
		return false;
	place->is_taken = 1;
	return true;
}

/*
 * Returns the number of a newly claimed place; NO_PLACE if none is found. It tries the CPU's home
 * first, which few CPUs share, then places from *nr_taken on, which only grows. Homes keep CPUs
 * apart that are due at the same time, as with aligned timers.
 */
static __always_inline __u32 take_place(void *array, __u32 home, __u32 *nr_taken)
{
	struct claimed_place *place = bpf_map_lookup_elem(array, &home);
	__u32 number, next, i;

	if (place && claim(place))
		return home;
	for (i = 0; i < CLAIM_TRIES; i++) {
		next = *(volatile __u32 *)nr_taken; /* other CPUs may have moved it far meanwhile */
		/*
		 * CPUs in step that lost a place to each other must not meet at the next one, too.
		 */
		number = next + i + (i ? home >> i & 1 : 0);
		place = bpf_map_lookup_elem(array, &number);
		if (!place) /* the array is full */
			return NO_PLACE;
		if (claim(place)) {
			__sync_fetch_and_add(nr_taken, number - next + 1);
			return number;
		}
	}
	__sync_fetch_and_add(nr_taken, CLAIM_TRIES);
	return NO_PLACE;
}

/*
 * Starts to fill the cursor's place. False: the interrupted program is filling it, so the caller
 * must claim a place of its own and leave the cursor alone.
 */
static __always_inline bool begin_filling(struct place_cursor *cursor)
{
	if (*(volatile __u32 *)&cursor->busy)
		return false;
	*(volatile __u32 *)&cursor->busy = 1;
	asm volatile("" ::: "memory");
	return true;
}

static __always_inline void end_filling(struct place_cursor *cursor, __u32 turn, __u32 place,
					__u32 used)
{
	if (place != NO_PLACE) {
		cursor->turn = turn;
		cursor->place = place;
		cursor->used = used;
	}
	asm volatile("" ::: "memory");
	*(volatile __u32 *)&cursor->busy = 0;
}

#endif
