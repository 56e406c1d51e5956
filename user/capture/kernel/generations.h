/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two sets that the programs count in by turns: how large they are, and whose turn it is.
 *
 * Invariant: the programs work on the set that session.generation names. The other one is ours from
 * a flip's grace period (the source's settle) until the next flip.
 */
#ifndef TOPSTACKS_CAPTURE_KERNEL_GENERATIONS_H
#define TOPSTACKS_CAPTURE_KERNEL_GENERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "capture/kernel/sets.h"
#include "topstacks/abi.h"

struct generations {
	struct set sets[ABI_GENERATIONS];
	uint64_t installed_ns[ABI_GENERATIONS];
	struct set_shape first_shape;
	struct set_tables tables;
	struct set_installation installations[SET_MAPS]; /* of the first sets */
	struct topstacks_bpf *skeleton; /* borrowed; NULL before generations__install */
	struct map_calls *map_calls;	/* borrowed */
	size_t max_bytes;		/* of all sets */
	size_t nr_events;		/* that share them; 0, 1: one has all */
	bool carries_stacks;		/* some are named long after they were stored */
	bool is_timed;			/* programs go to the next one by the clock */
};

/*
 * Makes *generations one that generations__close may be given. Calls that put sets in place are
 * counted in map_calls, which is borrowed.
 */
void generations__init(struct generations *generations, unsigned int max_depth, size_t max_bytes,
		       struct map_calls *map_calls);

/*
 * Opens sets that suit a rate, in all CPUs' samples a second; first_shape.unwinds, nr_events and is_timed are
 * the caller's to say before. 0 or negative errno.
 */
int generations__open(struct generations *generations, double samples_per_second,
		      struct error *err);

/*
 * Begins to put the sets in the programs' maps; the first one is current. They are there, and map_calls may
 * be looked at, when generations__await has returned. 0 or negative errno.
 */
void generations__install(struct generations *generations, struct topstacks_bpf *skeleton);
int generations__await(struct generations *generations, struct error *err);
void generations__close(struct generations *generations);

/* The first generation begins. When that is (CLOCK_MONOTONIC). */
uint64_t generations__begin(struct generations *generations);

/* The generation that the programs work on. */
uint32_t generations__current(const struct generations *generations);

/* Of what several events have in common in a generation more than half is taken. */
bool generations__is_crowded(const struct generations *generations, uint32_t generation);

/*
 * Sends the programs to the other set. Returns the generation that they leave; *flip_ns: when that
 * ended, and the other one began (CLOCK_MONOTONIC).
 */
uint32_t generations__flip(struct generations *generations, uint64_t *flip_ns);

/*
 * Empties an owned set that is half full of keys, or puts one of another size in its place, if it fills too soon or has
 * long been too large. Where memory has no room for a third set and none can be made in the place
 * of the old one, the generation has none: see set__is_open.
 */
void generations__renew(struct generations *generations, uint32_t owned);

/* memlock of all their maps. */
size_t generations__kernel_bytes(const struct generations *generations);

#endif
