/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records and counts that the baselines' BPF programs share with their user space. Both sides
 * include this file, after the kernel's integer types.
 */
#ifndef BENCH_RECORDS_H
#define BENCH_RECORDS_H

#include <linux/types.h>

#define MAX_DEPTH  127
#define STACK_SIZE (MAX_DEPTH * sizeof(__u64))
#define COMM_SIZE  16

/* One sample of the streaming design: a little over 2 KB, whatever the depth of the stack. */
struct sample_record {
	__u32 pid;
	char comm[COMM_SIZE];
	__s32 user_size; /* bytes, or a negative errno */
	__s32 kernel_size;
	__u32 padding;
	__u64 user[MAX_DEPTH];
	__u64 kernel[MAX_DEPTH];
};

/* The key of the stack map design: equal stacks have equal ids. */
struct count_key {
	__u32 pid;
	__s32 user_id; /* or a negative errno */
	__s32 kernel_id;
	char comm[COMM_SIZE];
};

/* Per-CPU accounts, by index into the map `account`. */
enum baseline_account {
	ACCOUNT_SAMPLES, /* runs that passed the filter */
	ACCOUNT_LOST,	 /* of those, in no count and in no record */
	ACCOUNTS,
};

#endif
