// SPDX-License-Identifier: GPL-2.0-only
/*
 * The design most tutorials teach: each sample is a record with both stacks in a ring buffer, and
 * user space does all of the counting.
 */
#include "common.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 8 * 1024 * 1024); /* set before load */
} ring SEC(".maps");

SEC("perf_event")
int on_streaming(struct bpf_perf_event_data *ctx)
{
	__u32 pid = bpf_get_current_pid_tgid() >> 32;
	struct sample_record *record;

	if (!is_wanted(pid))
		return 0;
	tick(ACCOUNT_SAMPLES);
	record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);
	if (!record) {
		tick(ACCOUNT_LOST);
		return 0;
	}
	record->pid = pid;
	bpf_get_current_comm(record->comm, sizeof(record->comm));
	record->user_size = bpf_get_stack(ctx, record->user, STACK_SIZE, BPF_F_USER_STACK);
	record->kernel_size = bpf_get_stack(ctx, record->kernel, STACK_SIZE, 0);
	bpf_ringbuf_submit(record, 0);
	return 0;
}
