/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The few fields of kernel structs that the programs read, declared by hand and relocated at load
 * time (CO-RE): only names and nesting matter here, not offsets.
 */
#ifndef TOPSTACKS_KERNEL_TYPES_H
#define TOPSTACKS_KERNEL_TYPES_H

#include <linux/types.h>

/*
 * An element of struct pid's array. Not relocated, for every name to relocate costs a search of all
 * of the kernel's types at each start.
 */
struct upid {
	int nr;
	void *namespace;
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct sched_entity {
	__u64 sum_exec_runtime; /* ns on a CPU, up to the scheduler's last update */
};

struct pid {
	unsigned int level;
	struct upid numbers[1]; /* one a namespace */
};

struct task_struct {
	unsigned int flags;
	__u32 pid;
	__u32 tgid;
	struct sched_entity se;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct pid *thread_pid;
	__u64 start_boottime; /* 5.5 (55e8c8eb2c7b); real_start_time before */
	__u64 self_exec_id;   /* 64 bits from 5.7 (d1e7fd6462ca) */
	unsigned int in_execve:1;
	char comm[16];
};

#pragma clang attribute pop

/* Not relocated either: the contexts of iterators, which are part of their interface. */
struct seq_file {
	int dummy;
};

struct bpf_map {
	__u32 id;
};

struct bpf_iter_meta {
	struct seq_file *seq;
	__u64 session_id;
	__u64 seq_num;
};

struct bpf_iter__task { /* 5.8 */
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

struct bpf_iter__bpf_map_elem { /* 5.9 */
	struct bpf_iter_meta *meta;
	struct bpf_map *map;
	void *key;
	void *value;
};

#define PF_KTHREAD 0x00200000

#endif
