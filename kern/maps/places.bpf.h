/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Takes a place of an array that many CPUs fill, and interrupts on them. Pure but for lookups; a unit test has threads
 * and signals take places natively.
 *
 * Atomic operations that return a value need Linux 5.12 (5ca419f2864a), and a program that has one does not load
 * before, whether it gets there or not. So a place begins with a word that is 0: a CPU adds 1 to it and reads it. Additions to one
 * word are ordered, and a read does not miss one's own, so at most one CPU reads 1, and has the place. If
 * another one came at once, perhaps none does: then the place is lost until user space empties the array.
 */
#ifndef TOPSTACKS_KERN_MAPS_PLACES_BPF_H
#define TOPSTACKS_KERN_MAPS_PLACES_BPF_H

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "topstacks/store_abi.h"

#define NO_PLACE (~0U)

#ifndef CLAIM_TRIES
#define CLAIM_TRIES 4 /* places beside its home that a program asks for before it gives up */
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
 * The number of a place that is nobody's yet; NO_PLACE if none is found. The first one to ask for is the
 * CPU's home, which it shares with few, then those from *nr_taken on, which only grows: CPUs that are due at the
 * same time, as those of aligned timers, do not meet.
 */
static __always_inline __u32 take_place(void *array, __u32 home, __u32 *nr_taken)
{
	struct claimed_place *place = bpf_map_lookup_elem(array, &home);
	__u32 number, next, i;

	if (place && claim(place))
		return home;
	for (i = 0; i < CLAIM_TRIES; i++) {
		next = *(volatile __u32 *)nr_taken; /* others may have gone far meanwhile */
		/* CPUs in step, which lost a place to each other, would go on to the same one. */
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
 * Begins to fill the place that a cursor is at. false: whoever is interrupted has begun as well, so this one takes a
 * place of its own, and leaves the cursor alone.
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
