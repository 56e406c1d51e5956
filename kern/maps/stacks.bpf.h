/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walks a stack and returns a reference to it (see abi.h).
 *
 * Most stacks go to the stack trace map. If a stack's bucket there is taken, or no element is left,
 * it spills: its frames go to the log, under a hash of its own. So a hash collision of the stack
 * trace map costs a second walk, but never loses a stack.
 */
#ifndef TOPSTACKS_KERN_MAPS_STACKS_BPF_H
#define TOPSTACKS_KERN_MAPS_STACKS_BPF_H

#include <bpf/bpf_helpers.h>
#include <linux/errno.h>

#include "maps/event.bpf.h"
#include "maps/maps.bpf.h"
#include "maps/store.bpf.h"
#include "topstacks/hash.h"

#define HASH_PART 16

/*
 * Hashes a few more words of the stack in the context's buffer. A loop is verified word by word;
 * this one is verified once for any part of a stack. The verifier checks global functions once, for
 * any arguments, and not again for each path that calls them. Each source's file has them; being
 * weak, they are linked as one.
 */
__weak __noinline int hash_part(__u32 context, __u32 from)
{
	struct spilled_stack *stack = bpf_map_lookup_elem(&record_buffer, &context);
	__u64 index;
	__u32 i;

	if (!stack)
		return 0;
	for (i = 0; i < HASH_PART; i++) {
		index = from + i;
		asm volatile(""
			     : "+r"(index)); /* keeps the check of index visible to the verifier */
		if (index >= cfg_max_depth || index >= stack->nr_frames)
			break;
		stack->key = hash_word(stack->key, stack->words[index]);
		stack->check = hash_check_word(stack->check, stack->words[index]);
	}
	return 0;
}

/* Hashes the stack in the context's buffer. */
__weak __noinline int hash_stack(__u32 context)
{
	struct spilled_stack *stack = bpf_map_lookup_elem(&record_buffer, &context);
	__u32 from;

	if (!stack)
		return 0;
	stack->key = HASH_SEED ^ cfg_hash_seed;
	stack->check = HASH_CHECK_SEED ^ cfg_hash_seed;
	for (from = 0; from < cfg_max_depth && from < stack->nr_frames; from += HASH_PART)
		hash_part(context, from);
	stack->key = STACK_REST(stack->key);
	return 0;
}

/*
 * Logs a stack, unless it is known, and returns its reference. stack: the record in the context's
 * buffer. *is_new is set if the stack is new in this set; may be NULL.
 */
static __always_inline __u64 store_spilled(const struct current_set *set,
					   const struct spilled_stack *stack, bool *is_new)
{
	void *known_map = bpf_map_lookup_elem(&known, &set->generation);
	const __u64 key = stack->key, *check;
	long err;

	if (!known_map)
		return STACK_REF(STACK_MISSING, STACK_MISSING_BUSY);
	check = bpf_map_lookup_elem(known_map, &key);
	if (!check) {
		err = store_record(STORE_IN(set) | STORE_KIND(LOG_STACK) |
					   STORE_WORDS(SPILLED_STACK_BYTES(stack->nr_frames)),
				   key, stack->check);
		if (!err) {
			set->ledger_cpu->slots[SLOT_NEW_SPILLS]++;
			if (is_new)
				*is_new = true;
			return STACK_REF(STACK_SPILLED, key);
		}
		if (err == -E2BIG)
			return STACK_REF(STACK_MISSING, STACK_MISSING_SPILL_FULL);
		check = bpf_map_lookup_elem(known_map, &key); /* another CPU was faster */
		if (!check)
			return STACK_REF(STACK_MISSING, STACK_MISSING_BUSY);
	}
	if (*check != stack->check)
		return STACK_REF(STACK_MISSING, STACK_MISSING_COLLISION);
	return STACK_REF(STACK_SPILLED, key);
}

static __always_inline __u64 spill_stack(const struct sample_event *event,
					 const struct current_set *set, __u64 flags)
{
	__u32 context = event->context;
	struct spilled_stack *buffer;
	long bytes;

	buffer = bpf_map_lookup_elem(&record_buffer, &context);
	if (!buffer)
		return STACK_REF(STACK_MISSING, STACK_MISSING_BUSY);
	bytes = bpf_get_stack(event->program, buffer->words, cfg_max_depth * sizeof(__u64), flags);
	/* no frames; for others bpf_get_stackid() has just found some */
	if (event->outlives && (!bytes || bytes == -EFAULT))
		return STACK_NONE;
	if (bytes <= 0)
		return STACK_REF(STACK_MISSING, STACK_MISSING_UNREADABLE);
	buffer->nr_frames = (__u32)bytes / sizeof(__u64);
	buffer->end = 0;
	buffer->nr_guessed = 0;
	hash_stack(context);
	return store_spilled(set, buffer, NULL);
}

/*
 * Walks a stack. flags: 0 or BPF_F_USER_STACK. The helper returns -EFAULT both for "no frames of
 * that kind" and for a walk that could not begin; the caller knows which of them applies.
 */
static __always_inline __u64 walk_stack(const struct sample_event *event,
					const struct current_set *set, __u64 flags)
{
	void *stacks_map;
	long id;

	if (event->outlives)
		return spill_stack(event, set, flags);
	stacks_map = bpf_map_lookup_elem(&stacks, &set->generation);
	if (!stacks_map)
		return STACK_REF(STACK_MISSING, STACK_MISSING_BUSY);
	id = bpf_get_stackid(event->program, stacks_map, flags);
	if (id >= 0)
		return STACK_REF(STACK_ID, (__u64)id);
	if (id == -EFAULT)
		return STACK_NONE;
	if (id == -EEXIST || id == -ENOMEM)
		return spill_stack(event, set, flags);
	return STACK_REF(STACK_MISSING, STACK_MISSING_UNREADABLE);
}

#endif
