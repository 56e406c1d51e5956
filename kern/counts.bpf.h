/* SPDX-License-Identifier: GPL-2.0-only */
/* Add one sample to its key. Whatever happens, exactly one slot of the ledger grows by one. */
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

static __always_inline void add_to(struct sample_value *value, __u64 weight)
{
	__sync_fetch_and_add(&value->count, 1);
	__sync_fetch_and_add(&value->weight, weights__that_fits(value->weight, weight));
}

/* Returns true if the key is new in this set. */
static __always_inline bool count_sample(const struct current_set *set,
					 const struct sample_key *key, __u64 weight)
{
	void *counts_map = bpf_map_lookup_elem(&counts, &set->generation);
	struct ledger_cpu *ledger_cpu = set->ledger_cpu;
	struct sample_value first = {.count = 1, .weight = weight};
	struct sample_value *value;
	bool is_new = false;
	long err = 0;

	if (!counts_map) {
		ledger_cpu->slots[SLOT_NO_SET]++;
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
		ledger_cpu->slots[slot_of_error(err)]++;
		return false;
	}
	if (value)
		add_to(value, weight);
	ledger_cpu->slots[SLOT_COUNTED]++;
	ledger_cpu->slots[SLOT_WEIGHT] +=
		weights__that_fits(ledger_cpu->slots[SLOT_WEIGHT], weight);
	ledger_cpu->slots[SLOT_NEW_KEYS] += is_new;
	return is_new;
}

#endif
