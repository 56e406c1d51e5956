/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two sets that programs use in turn: their sizes, and which one is current.
 *
 * Invariant: programs work on the set that session.generation names. The other one is ours from the
 * end of a flip's grace period (the source's settle) until the next flip.
 */
#ifndef TOPSTACKS_CAPTURE_KERNEL_GENERATIONS_H
#define TOPSTACKS_CAPTURE_KERNEL_GENERATIONS_H

#include "base/common.h"
#include "capture/kernel/sets.h"
#include "topstacks/abi.h"

struct generations {
	struct set sets[ABI_GENERATIONS];
	uint64_t installed_ns[ABI_GENERATIONS];
	struct set_shape first_shape;
	struct set_tables tables;
	struct set_installation installations[SET_MAPS]; /* of the first two sets */
	struct topstacks_bpf *skeleton; /* borrowed; NULL before generations__install */
	struct map_calls *map_calls;	/* borrowed */
	size_t max_bytes;		/* limit for all sets together */
	/* events that share the sets; 0, 1: one event has all keys */
	size_t nr_events;
	/* samples may refer to stacks that were stored generations ago */
	bool carries_stacks;
	bool is_timed; /* programs change to the next generation by the clock */
};

/*
 * Initializes *generations so that generations__close may be called. map_calls counts the calls
 * that install sets; borrowed.
 */
void generations__init(struct generations *generations, unsigned int max_depth, size_t max_bytes,
		       struct map_calls *map_calls);

/*
 * Opens sets sized for a rate, in samples of all CPUs a second. Set first_shape.unwinds, nr_events
 * and is_timed before. Returns 0 or negative errno.
 */
int generations__open(struct generations *generations, double samples_per_second,
		      struct error *err);

/*
 * Starts to install the sets in the programs' maps; the first one becomes current. Do not read
 * map_calls or use the sets until generations__await has returned, with 0 or negative errno.
 */
void generations__install(struct generations *generations, struct topstacks_bpf *skeleton);
int generations__await(struct generations *generations, struct error *err);
void generations__close(struct generations *generations);

/* Begins the first generation. Returns when it begins (CLOCK_MONOTONIC). */
uint64_t generations__begin(struct generations *generations);

/* Returns the generation that programs work on. */
uint32_t generations__current(const struct generations *generations);

/* Returns true if more than half of the keys that all events share is taken. */
bool generations__is_crowded(const struct generations *generations, uint32_t generation);

/*
 * Switches the programs to the other set. Returns the generation that ended; *flip_ns: when it
 * ended, and the other one began (CLOCK_MONOTONIC).
 */
uint32_t generations__flip(struct generations *generations, uint64_t *flip_ns);

/*
 * Empties an owned set whose keys are half used up, or replaces it by one of another size if it
 * filled too soon or was too large for long. If memory has no room for a third set and the set
 * cannot be replaced in place, the generation has no set: see set__is_open.
 */
void generations__renew(struct generations *generations, uint32_t owned);

/* Returns the locked memory of all maps of the sets. */
size_t generations__kernel_bytes(const struct generations *generations);

#endif
