/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of the contract (abi.h) that is about waits: the threads storage, one record for each
 * thread of a target (kern/waits/waits.bpf.h). Times are those of CLOCK_MONOTONIC, in ns.
 */
#ifndef TOPSTACKS_WAITS_ABI_H
#define TOPSTACKS_WAITS_ABI_H

#include <linux/types.h>

#include "topstacks/store_abi.h"

struct waiting_thread {
	__u64 until_ns; /* the thread's time is charged up to here */
	__u64 lived_ns; /* its lifetime is accounted for up to here */
	__u64 since_ns; /* start of its current state */
	/* when its wait passed into its second state; 0: it has not, or the time is unknown */
	__u64 turn_ns;
	__u64 left_ns; /* when it last left the CPU */
	/* CLOCK_MONOTONIC minus the scheduler's run time when it last came to a CPU */
	__u64 clock_ns;
	/* CLOCK_MONOTONIC minus the scheduler's queue time; 0: not known yet */
	__u64 queue_clock_ns;
	/* when it was found, in a state whose start is unknown: its account begins here; else 0 */
	__u64 found_ns;
	__u64 ran_ns;	       /* the scheduler's run time that the ledger already has */
	__u64 delayed_ns;      /* likewise its queue time */
	struct sample_key key; /* key of its wait: the current one, or the last */
	/*
	 * The process and the stacks that last woke the thread, and when; filled in with --wakers.
	 */
	__u64 waker_ns, waker_process, waker_user, waker_kernel;
	/* The user stack with which the thread sleeps since then, if it slept when it was found. */
	__u64 asleep_since_ns, asleep_user;
	/* The kernel stack with which it waits since then. */
	__u64 kernel_since_ns, kernel;
	/*
	 * Values at the begin of the wait. They tell how long it stayed in its second state, or in
	 * its first one, which a quota may prolong.
	 */
	__u64 quota, before_ns;
	__u64 lock;	  /* address of the kernel lock it is about to wait for; 0: none */
	__u32 stands_for; /* waits that this wait stands for; 0: none, its stacks were not walked */
	__u8 is_known;	  /* the rest of the struct is filled in */
	__u8 is_running;
	__u8 is_exiting;
	__u8 is_seen; /* a switch of the thread was seen since it was found */
};

/* in place of stands_for: the wait is of no process or kind that was asked for */
#define STANDS_FILTERED (~0U)

#define ABI_MAX_CPUS 8192 /* the highest number of CPUs that can be selected */

#define SYSCALL_WAITS 512 /* numbers of system calls that have a kind of wait */
#define WAIT_BY_FILE  63  /* in place of a kind: the file, the first argument, decides it */

_Static_assert(sizeof(struct waiting_thread) == 208, "no silent padding");

#endif
