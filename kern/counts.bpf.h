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

/* nr samples, or 0: a part of one that is counted elsewhere. Returns true if the key is new in this set. */
static __always_inline bool count_samples(const struct current_set *set,
					  const struct sample_key *key, __u64 nr, __u64 weight)
{
	void *counts_map = bpf_map_lookup_elem(&counts, &set->generation);
	struct ledger_cpu *ledger_cpu = set->ledger_cpu;
	struct sample_value first = {.count = nr, .weight = weight};
	struct sample_value *value;
	bool is_new = false;
	long err = 0;

	if (!counts_map) {
		miss_samples(ledger_cpu, SLOT_NO_SET, nr, weight);
		return false;
	}
	value = bpf_map_lookup_elem(counts_map, key);
	if (!value) {
		err = bpf_map_update_elem(counts_map, key, &first, BPF_NOEXIST);
		is_new = !err;
		if (err == -EEXIST) { /* another CPU was faster */
			value = bpf_map_lookup_elem(counts_map, key);
			err = value ? 0 : -EBUSY;
		}
	}
	if (err) {
		miss_samples(ledger_cpu, slot_of_error(err), nr, weight);
		return false;
	}
	if (value)
		add_to(value, nr, weight);
	ledger_cpu->slots[SLOT_COUNTED] += nr;
	ledger_cpu->slots[SLOT_WEIGHT] +=
		weights__that_fits(ledger_cpu->slots[SLOT_WEIGHT], weight);
	ledger_cpu->slots[SLOT_NEW_KEYS] += is_new;
	return is_new;
}

#endif
