/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The few fields of kernel structs that the programs read, declared by hand and relocated at load
 * time (CO-RE): only names and nesting matter here, not offsets.
 */
#ifndef TOPSTACKS_KERN_MAPS_KERNEL_TYPES_BPF_H
#define TOPSTACKS_KERN_MAPS_KERNEL_TYPES_BPF_H

#include <linux/types.h>
#include <stdbool.h>

/*
 * An element of struct pid's array. Not relocated, as each relocated name costs a search of all
 * kernel types at each start.
 */
struct upid {
	int nr;
	void *namespace;
};

/*
 * Not relocated either: its first members have always been these ("Keep this first"). If that
 * changed, only files of newly started programs would not be recognized.
 */
struct super_block {
	void *s_list[2];
	__u32 s_dev;
};

/* Not relocated either: it begins so in all kernels that have BTF. */
struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct rq {
	__u64 clock;
};

/*
 * The queue of a task group on a CPU. While throttle_count is not 0, a quota keeps its tasks off
 * the CPU.
 */
struct cfs_rq {
	struct rq *rq;
	int throttle_count;
	/* 6.6 (677ea015f231): since when it is throttled; 0: it is not */
	__u64 throttled_clock_self;
	__u64 throttled_clock_self_time; /* throttled time before that */
};

struct sched_entity {
	__u64 sum_exec_runtime; /* ns on a CPU, up to the scheduler's last update */
	__u64 exec_start;	/* time of that update, by the scheduler's clock */
	struct cfs_rq *cfs_rq;	/* the queue of the entity */
};

struct sched_info {
	/* ns that it has waited for a CPU, without the current wait */
	unsigned long long run_delay;
	/*
	 * By the clock of the queue; the scheduler writes both after the tracepoint of the switch.
	 */
	unsigned long long last_arrival;
	unsigned long long last_queued; /* 0: it does not wait for a CPU */
};

struct pid {
	unsigned int level;
	struct upid numbers[1]; /* one for each namespace level */
};

struct timespec64 {
	__s64 tv_sec;
	long tv_nsec;
};

struct inode {
	unsigned short i_mode;
	unsigned long i_ino;
	__s64 i_size;
	struct super_block *i_sb;
	/* The time of the last change of content; the member has had three names so far. */
	struct timespec64 i_mtime;
	struct timespec64 __i_mtime; /* 6.7 (12cd44023651) */
	__s64 i_mtime_sec;	     /* 6.11 (3aa63a569c64) */
	__u32 i_mtime_nsec;
};

struct file {
	struct inode *f_inode;
};

struct files_struct {
	struct fdtable *fdt;
};

struct mm_struct;

struct vm_area_struct {
	struct mm_struct *vm_mm;
	unsigned long vm_start, vm_end;
	unsigned long vm_flags;
	unsigned long vm_pgoff;
	struct file *vm_file;
};

typedef struct {
	void *vdso;
} mm_context_t;

struct maple_tree {
	void *ma_root;
};

struct mm_struct {
	struct maple_tree mm_mt; /* 6.1 (d4af56c5c7c6) */
	unsigned long flags;
	struct file *exe_file; /* each exec opens a file of its own, a fork shares its parent's */
	mm_context_t context;
	int mm_lock_seq; /* 6.4 (5e31275cc997): grows when a change of mappings is complete */
};

typedef struct seqcount {
	unsigned int sequence;
} seqcount_t;

struct mm_struct___6_13 {
	seqcount_t mm_lock_seq; /* (eb449bd96954): also grows when a change begins */
};

struct mm_struct___6_18 {
	struct {
		unsigned long __mm_flags[1];
	} flags;
};

typedef struct {
	__u32 val;
} kuid_t;

struct cred {
	kuid_t uid, suid, euid;
};

struct kernfs_node {
	__u64 id; /* 5.5 (67c0496e87d1): the id of bpf_get_current_cgroup_id() */
};

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
};

struct cgroup {
	struct cgroup_subsys_state self;
	struct kernfs_node *kn;
};

struct css_set {
	struct cgroup *dfl_cgrp; /* of the unified hierarchy */
};

struct thread_struct {
	unsigned long fsbase; /* x86-64 */
	struct {
		unsigned long tp_value;
	} uw; /* aarch64 */
};

struct task_struct {
	struct thread_struct thread;
	struct mm_struct *mm;
	unsigned int flags;
	__u32 pid;
	__u32 tgid;
	struct sched_entity se;
	struct sched_info sched_info;
	unsigned int __state; /* 5.14 (2f064a59a11f) */
	int prio;	      /* below 100: no fair class */
	bool throttled;	      /* 6.18 (2cd571245b43): a quota of its group keeps it off the CPU */
	unsigned int on_cpu, on_rq;  /* bytes in 7.2; without a sign, loads fit both */
	unsigned long nvcsw, nivcsw; /* voluntary and involuntary switches away from it */
	unsigned int in_iowait:1;
	struct files_struct *files;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct pid *thread_pid;
	void *vfork_done;     /* not NULL after vfork, while it shares its parent's memory */
	__u64 start_boottime; /* 5.5 (55e8c8eb2c7b); real_start_time before */
	__u64 self_exec_id;   /* 64 bits from 5.7 (d1e7fd6462ca) */
	unsigned int in_execve:1;
	struct cred *real_cred;
	struct css_set *cgroups;
	void *bpf_storage; /* 5.13 (a10787e6d58c): elements of all task storage maps; NULL: none */
	char comm[16];
};

#pragma clang attribute pop

/* Not relocated: contexts of iterators are part of their interface. */
struct seq_file {
	int dummy;
};

/*
 * include/linux/maple_tree.h, 64 bits. A node has 256 bytes and is aligned to them. A pointer to a
 * node has its type in bits 3 to 6; bit 1 is only set in the root.
 */
enum {
	MAPLE_LEAF_64 = 1,
	MAPLE_RANGE_64,
	MAPLE_ARANGE_64,
};

struct maple_range_64 { /* also leaves: the last address of each slot except the last */
	void *parent;
	__u64 pivot[15];
	__u64 slot[16];
};

struct maple_arange_64 {
	void *parent;
	__u64 pivot[9];
	__u64 slot[10];
	__u64 gap[10];
	__u64 meta;
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

#define PF_EXITING     0x00000004
#define PF_IO_WORKER   0x00000010
#define PF_USER_WORKER 0x00004000 /* 6.4 (54e6842d0775) */
#define PF_KTHREAD     0x00200000

/* include/linux/sched.h: task states; some are combined with other bits. */
#define STATE_INTERRUPTIBLE   0x0001
#define STATE_UNINTERRUPTIBLE 0x0002
#define STATE_STOPPED	      0x0004
#define STATE_TRACED	      0x0008
#define STATE_DEAD	      0x0080
#define STATE_FROZEN	      0x8000
#define STATE_NEW	      0x0800
#define VM_EXEC		      4

#endif
