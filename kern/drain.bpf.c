// SPDX-License-Identifier: GPL-2.0-only
/*
 * The drain: iterators over the maps of a generation that user space owns. An element is marked as
 * read only if it was written: when the buffer is full the kernel shows the same element again.
 */
#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>

#include "kernel_types.bpf.h"
#include "maps.bpf.h"

char LICENSE[] SEC("license") = "GPL";

SEC("iter/bpf_map_elem")
int on_drain_count(struct bpf_iter__bpf_map_elem *ctx)
{
	struct sample_key *key = ctx->key;
	struct sample_value *value = ctx->value;
	struct drained_count drained;

	if (!key || !value || !(value->count | value->weight))
		return 0;
	drained.key = *key;
	drained.value = *value;
	if (bpf_seq_write(ctx->meta->seq, &drained, sizeof(drained)))
		return 0;
	value->count = 0;
	value->weight = 0;
	return 0;
}

SEC("iter/bpf_map_elem")
int on_drain_spill(struct bpf_iter__bpf_map_elem *ctx)
{
	struct spilled_stack *stack = ctx->value;
	__u64 nr_frames;

	if (!stack || !stack->fresh)
		return 0;
	nr_frames = stack->nr_frames;
	asm volatile("" : "+r"(nr_frames)); /* what is said of it next, the verifier is to hear */
	if (nr_frames > cfg_max_depth)
		return 0;
	if (!bpf_seq_write(ctx->meta->seq, stack, SPILLED_STACK_BYTES(nr_frames)))
		stack->fresh = 0;
	return 0;
}

SEC("iter/bpf_map_elem")
int on_drain_code(struct bpf_iter__bpf_map_elem *ctx)
{
	struct code_record *record = ctx->value;

	if (!record || !record->fresh)
		return 0;
	if (!bpf_seq_write(ctx->meta->seq, record, CODE_RECORD_BYTES(cfg_positions)))
		record->fresh = 0;
	return 0;
}

SEC("iter/bpf_map_elem")
int on_drain_proc(struct bpf_iter__bpf_map_elem *ctx)
{
	struct process_record *record = ctx->value;

	if (!record || !record->fresh)
		return 0;
	if (!bpf_seq_write(ctx->meta->seq, record, sizeof(*record)))
		record->fresh = 0;
	return 0;
}
