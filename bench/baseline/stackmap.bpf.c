// SPDX-License-Identifier: GPL-2.0-only
/*
 * The design of bcc's profilers: the kernel counts keys of two stack ids, which come from one
 * stack map of fixed size. Two stacks in one bucket collide: the later one has no id (and so no
 * frames), or, with cfg_reuse, it takes the bucket and with it all that the earlier one counted.
 */
#include "common.bpf.h"

const volatile bool cfg_reuse;

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 1024); /* set before load */
	__uint(key_size, sizeof(__u32));
	__uint(value_size, STACK_SIZE);
} stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 10240);
	__type(key, struct count_key);
	__type(value, __u64);
} counts SEC(".maps");

static __always_inline __u64 *find_or_insert(const struct count_key *key)
{
	__u64 zero = 0, *value = bpf_map_lookup_elem(&counts, key);

	if (value)
		return value;
	bpf_map_update_elem(&counts, key, &zero, BPF_NOEXIST);
	return bpf_map_lookup_elem(&counts, key);
}

SEC("perf_event")
int on_stackmap(struct bpf_perf_event_data *ctx)
{
	__u64 flags = cfg_reuse ? BPF_F_REUSE_STACKID | BPF_F_FAST_STACK_CMP : 0;
	struct count_key key = {.pid = bpf_get_current_pid_tgid() >> 32};
	__u64 *value;

	if (!is_wanted(key.pid))
		return 0;
	tick(ACCOUNT_SAMPLES);
	bpf_get_current_comm(key.comm, sizeof(key.comm));
	key.kernel_id = bpf_get_stackid(ctx, &stacks, flags);
	key.user_id = bpf_get_stackid(ctx, &stacks, flags | BPF_F_USER_STACK);
	value = find_or_insert(&key);
	if (value)
		__sync_fetch_and_add(value, 1);
	else
		tick(ACCOUNT_LOST);
	return 0;
}
