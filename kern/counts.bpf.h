/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Add samples to their key. Whatever happens, exactly one slot of the ledger grows by their number;
 * their weight is in another one.
 */
#ifndef TOPSTACKS_COUNTS_H
#define TOPSTACKS_COUNTS_H

#include <bpf/bpf_helpers.h>
#include <linux/errno.h>

#include "event.bpf.h"
#include "maps.bpf.h"
#include "weights.bpf.h"

static __always_inline enum ledger_slot slot_of_error(long err)
{
	switch (err) {
	case -E2BIG:
	case -ENOMEM:
		return SLOT_COUNTS_FULL;
	case -EBUSY:   /* 5.11 */
	case -EDEADLK: /* 6.15, as -ETIMEDOUT */
	case -ETIMEDOUT:
		return SLOT_COUNTS_BUSY;
	default:
		return SLOT_COUNTS_ERROR;
	}
}

static __always_inline void add_to(struct sample_value *value, __u64 nr, __u64 weight)
{
	__sync_fetch_and_add(&value->count, nr);
	__sync_fetch_and_add(&value->weight, weights__that_fits(value->weight, weight));
}

/* Of so many samples that found no place. */
static __always_inline void miss_samples(struct ledger_cpu *ledger_cpu, enum ledger_slot why,
					 __u64 nr, __u64 weight)
{
	ledger_cpu->slots[why] += nr;
	ledger_cpu->slots[SLOT_UNPLACED] +=
		weights__that_fits(ledger_cpu->slots[SLOT_UNPLACED], weight);
}

/* What became of a key to which something was added. */
enum adding {
	ADDED,
	ADDED_NEW, /* it was not in this set */
	ADDED_NOT, /* and the slot of the ledger that says why, from here on */
};

/* Verified once for all who call it. */
__weak __noinline int add_samples(__u32 generation, const struct sample_key *key, __u64 nr,
				  __u64 weight)
{
	void *counts_map = bpf_map_lookup_elem(&counts, &generation);
	struct sample_value first = {.count = nr, .weight = weight};
	struct sample_value *value;
	long err;

	if (!counts_map || !key)
		return ADDED_NOT + SLOT_NO_SET;
	value = bpf_map_lookup_elem(counts_map, key);
	if (!value) {
		err = bpf_map_update_elem(counts_map, key, &first, BPF_NOEXIST);
		if (!err)
			return ADDED_NEW;
		if (err != -EEXIST)
			return ADDED_NOT + slot_of_error(err);
		value = bpf_map_lookup_elem(counts_map, key); /* another CPU was faster */
		if (!value)
			return ADDED_NOT + SLOT_COUNTS_BUSY;
	}
	add_to(value, nr, weight);
	return ADDED;
}

/* nr samples, or 0: a part of one that is counted elsewhere. Returns true if the key is new in this set. */
static __always_inline bool count_samples(const struct current_set *set,
					  const struct sample_key *key, __u64 nr, __u64 weight)
{
	const __u32 adding = (__u32)add_samples(set->generation, key, nr, weight);
	struct ledger_cpu *ledger_cpu = set->ledger_cpu;

	if (adding >= ADDED_NOT) {
		if (adding - ADDED_NOT < LEDGER_SLOTS)
			miss_samples(ledger_cpu, adding - ADDED_NOT, nr, weight);
		return false;
	}
	ledger_cpu->slots[SLOT_COUNTED] += nr;
	ledger_cpu->slots[SLOT_WEIGHT] +=
		weights__that_fits(ledger_cpu->slots[SLOT_WEIGHT], weight);
	ledger_cpu->slots[SLOT_NEW_KEYS] += adding == ADDED_NEW;
	return adding == ADDED_NEW;
}

#endif
