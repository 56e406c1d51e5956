/* SPDX-License-Identifier: GPL-2.0-only */
/* Slices of a made-up run, one after the other, for a store. */
#ifndef TOPSTACKS_TESTS_SLICES_H
#define TOPSTACKS_TESTS_SLICES_H

#include "expect.h"
#include "model.h"
#include "profile/recording.h"
#include "serve/store.h"

#define SECOND	  1000000000ULL
#define DAY_BEGAN (1700000000LL * (int64_t)SECOND) /* of CLOCK_REALTIME, at CLOCK_MONOTONIC 0 */

/* A slice that ends then, of so many samples of a stack. */
static inline int add_slice(struct store *store, uint64_t end_s, uint64_t length_s,
			    const char *comm, uint64_t count, const char *stack)
{
	struct model model = model__new();
	struct recording slice = {
		.profile = model.profile,
		.has_ledger = true,
		.facts = {[FACT_EVENT] = "cpu-clock"},
		.ledger = {.events = count, .counted = count, .whole = count},
		.duration_ns = length_s * SECOND,
		.start_realtime_ns = DAY_BEGAN + (int64_t)((end_s - length_s) * SECOND),
		.period = 10000000,
	};
	int code;

	add(&model, comm, 42, count, stack);
	code = store__add(store, &slice, end_s * SECOND);
	model__free(&model);
	return code;
}

/* So many slices of 5 s, the first of which ends at 5 s; the nth has n samples. */
static inline void add_slices(struct store *store, uint64_t nr)
{
	for (uint64_t i = 1; i <= nr; i++)
		EXPECT_EQ(add_slice(store, 5 * i, 5, "redis", i, "leaf@libc main@redis"), 0);
}

static inline struct span span_of(uint64_t from_s, uint64_t to_s)
{
	return (struct span){(int64_t)(from_s * SECOND), (int64_t)(to_s * SECOND), false};
}

#endif
