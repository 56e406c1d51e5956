/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The task that a sample interrupted, and what every sample needs of it: read once, for each read
 * is a call of a helper, some 30 ns.
 */
#ifndef TOPSTACKS_RUNNING_H
#define TOPSTACKS_RUNNING_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "kernel_types.bpf.h"

struct running {
	__u32 tgid, tid;
	__u64 start_ns; /* of the leader */
	__u64 exec_id;
};

/* The ids alone: of most samples of a target nothing else is asked. */
static __always_inline struct running find_running(void)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();

	return (struct running){.tgid = pid_tgid >> 32, .tid = (__u32)pid_tgid};
}

static __always_inline void read_running(struct running *running)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct task_struct *leader = BPF_CORE_READ(task, group_leader);

	running->start_ns = BPF_CORE_READ(leader, start_boottime);
	running->exec_id = BPF_CORE_READ(leader, self_exec_id);
}

#endif
