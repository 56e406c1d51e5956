/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between architectures: where the registers of an interrupted program are. Each has a
 * header of its own, with these functions:
 *
 *	arch__is_user_mode(registers)		whether it was interrupted in user space
 *	arch__read_interrupted(registers, to)	its registers then; to is zeroed before
 *	arch__read_caller(registers)		where a function returns to that it has just entered
 *	arch__read_saved(task, to)		those that a task saved on its way into the kernel; pc is 0
 *						for a thread that never was in user space
 *	arch__read_records(registers, to)	one of these two, of a program whose frame records we can
 *						follow; false: the kernel had better walk
 *	arch__read_syscall(task, call)		the system call that a task is in, whose numbers are those of
 *						64-bit programs; false: it is of others, or nobody knows
 */
#ifndef TOPSTACKS_KERN_ARCH_ARCH_BPF_H
#define TOPSTACKS_KERN_ARCH_ARCH_BPF_H

#include <bpf/bpf_helpers.h>
#include <linux/bpf_perf_event.h>
#include <stdbool.h>

#include "maps/maps.bpf.h"
#include "maps/reads.bpf.h"
#include "topstacks/unwind_abi.h"

struct arch_syscall {
	__s64 number; /* below 0: it is in none */
	__u64 first;  /* of its arguments */
};

/* For unwind_walk.h. */
static __always_inline __u64 unwind_address(__u64 word)
{
#ifdef UNWIND_HAS_LINK
	return word & cfg_address_mask;
#else
	return word;
#endif
}

#ifdef UNWIND_HAS_LINK
#include "arch/arch_arm64.h"
#else
#include "arch/arch_x86.h"
#endif

/* interrupted: what the event has of them; NULL: it happened in the kernel. */
static __always_inline bool is_user_mode(const bpf_user_pt_regs_t *interrupted)
{
	return interrupted && arch__is_user_mode(interrupted);
}

#endif
