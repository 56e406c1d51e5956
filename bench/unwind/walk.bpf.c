// SPDX-License-Identifier: GPL-2.0-only
/* The walk with tables alone, and the kernel's own along frame pointers, to be compared. */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>

#define DEFINE_MAPS
#include "unwind/unwind.bpf.h"

#include "walk.h"

#define MAX_FRAMES 127

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, WALK_SLOTS);
	__type(key, __u32);
	__type(value, __u64);
} account SEC(".maps");

/* Where walks stop short. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, struct stop_key);
	__type(value, __u64);
} stops SEC(".maps");

static __always_inline void add(__u32 slot, __u64 n)
{
	__u64 *value = bpf_map_lookup_elem(&account, &slot);

	if (value)
		*value += n;
}

static __always_inline void count_stop(__u32 tgid, const struct spilled_stack *stack)
{
	struct stop_key key = {.tgid = tgid, .end = stack->end};
	__u32 last = stack->nr_frames - 1;
	__u64 one = 1, *value;

	if (last < MAX_FRAMES)
		key.pc = stack->words[last];
	value = bpf_map_lookup_elem(&stops, &key);
	if (value)
		__sync_fetch_and_add(value, 1);
	else
		bpf_map_update_elem(&stops, &key, &one, BPF_NOEXIST);
}

SEC("perf_event")
int on_tables(struct bpf_perf_event_data *ctx)
{
	const struct sample_event event = {
		.program = ctx, .interrupted = &ctx->regs, .context = CONTEXT_PERF_EVENT};
	__u64 tgid = bpf_get_current_pid_tgid() >> 32;
	struct spilled_stack *stack;
	__u64 begin;

	if (!bpf_map_lookup_elem(&unwind_procs, &tgid))
		return 0;
	begin = bpf_ktime_get_ns();
	stack = walk_with_tables(&event, tgid, 0);
	if (!stack)
		return 0;
	add(WALK_NS, bpf_ktime_get_ns() - begin);
	add(WALK_SAMPLES, 1);
	add(WALK_USER_MODE, is_user_mode(&ctx->regs));
	add(WALK_FRAMES, stack->nr_frames);
	add(WALK_GUESSED, stack->nr_guessed > 0);
	add(WALK_ENDS + stack->end, 1);
	if (stack->end != UNWIND_STEP_END)
		count_stop(tgid, stack);
	return 0;
}

SEC("perf_event")
int on_frame_ptrs(struct bpf_perf_event_data *ctx)
{
	__u64 tgid = bpf_get_current_pid_tgid() >> 32;
	struct spilled_stack *stack;
	__u32 zero = 0;
	__u64 begin;
	long bytes;

	stack = bpf_map_lookup_elem(&record_buffer, &zero);
	if (!stack || !bpf_map_lookup_elem(&unwind_procs, &tgid))
		return 0;
	begin = bpf_ktime_get_ns();
	bytes = bpf_get_stack(ctx, stack->words, MAX_FRAMES * 8, BPF_F_USER_STACK);
	add(WALK_NS, bpf_ktime_get_ns() - begin);
	add(WALK_SAMPLES, 1);
	if (bytes > 0)
		add(WALK_FRAMES, bytes / 8);
	return 0;
}
