/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Adds samples to their key. In any case exactly one slot of the ledger grows by their number;
 * their weight goes to another slot.
 */
#ifndef TOPSTACKS_KERN_ACCOUNT_COUNTS_BPF_H
#define TOPSTACKS_KERN_ACCOUNT_COUNTS_BPF_H

#include <bpf/bpf_helpers.h>
#include <linux/errno.h>

#include "maps/event.bpf.h"
#include "maps/maps.bpf.h"
#include "maps/store.bpf.h"
#include "maps/weights.bpf.h"

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

/* Accounts for nr samples that found no place. */
static __always_inline void miss_samples(struct ledger_cpu *ledger_cpu, enum ledger_slot why,
					 __u64 nr, __u64 weight)
{
	ledger_cpu->slots[why] += nr;
	ledger_cpu->slots[SLOT_UNPLACED] +=
		weights__that_fits(ledger_cpu->slots[SLOT_UNPLACED], weight);
}

static __always_inline struct sample_value *find_value(__u32 generation, __u32 number)
{
	void *slots_map = bpf_map_lookup_elem(&slots, &generation);
	const __u32 place = SLOT_BLOCK(number);
	struct slot_block *block;

	if (!slots_map)
		return NULL;
	block = bpf_map_lookup_elem(slots_map, &place);
	return block ? &block->slots[SLOT_INDEX(number)].value : NULL;
}

/*
 * Takes a slot for a key that has none. *is_new: the key is new in this set. Returns 0 or an error
 * of the counts map.
 */
static __always_inline long add_key(const struct current_set *set, void *counts_map,
				    const struct sample_key *key, __u32 *number, bool *is_new)
{
	const __u32 *others;
	long err;

	*number = take_slot(STORE_IN(set), key->process, key->user, key->kernel,
			    key->tid | (__u64)key->what << 32);
	if (*number == NO_PLACE)
		return -E2BIG;
	err = bpf_map_update_elem(counts_map, key, number, BPF_NOEXIST);
	*is_new = !err;
	if (err != -EEXIST)
		return err;
	others = bpf_map_lookup_elem(counts_map,
				     /* another CPU added the key first; our slot stays empty */
				     key);
	if (!others)
		return -EBUSY;
	*number = *others;
	return 0;
}

/*
 * Counts nr samples; 0: a part of a sample that is counted elsewhere. Returns true if the key is
 * new in this set.
 */
static __always_inline bool count_samples(const struct current_set *set,
					  const struct sample_key *key, __u64 nr, __u64 weight)
{
	void *counts_map = bpf_map_lookup_elem(&counts, &set->generation);
	struct ledger_cpu *ledger_cpu = set->ledger_cpu;
	struct sample_value *value = NULL;
	const __u32 *known_number;
	bool is_new = false;
	__u32 number;
	long err = 0;

	if (!counts_map) {
		miss_samples(ledger_cpu, SLOT_NO_SET, nr, weight);
		return false;
	}
	known_number = bpf_map_lookup_elem(counts_map, key);
	if (known_number)
		number = *known_number;
	else
		err = add_key(set, counts_map, key, &number, &is_new);
	if (!err) {
		value = find_value(set->generation, number);
		err = value ? 0 : -EBUSY;
	}
	if (err || !value) {
		miss_samples(ledger_cpu, slot_of_error(err), nr, weight);
		return false;
	}
	__sync_fetch_and_add(&value->count, nr);
	__sync_fetch_and_add(&value->weight, weights__that_fits(value->weight, weight));
	ledger_cpu->slots[SLOT_COUNTED] += nr;
	ledger_cpu->slots[SLOT_WEIGHT] +=
		weights__that_fits(ledger_cpu->slots[SLOT_WEIGHT], weight);
	ledger_cpu->slots[SLOT_NEW_KEYS] += is_new;
	return is_new;
}

#endif
