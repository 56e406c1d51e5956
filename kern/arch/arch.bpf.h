/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registers of an interrupted program, which depend on the architecture. Each architecture has
 * a header of its own, with these functions:
 *
 *	arch__is_user_mode(registers)		true if user code was interrupted
 *	arch__read_interrupted(registers, to)	copies its registers; to is zeroed before
 *	arch__read_caller(registers)		the return address of a function that was just
 *						entered
 *	arch__read_saved(task, to)		copies the user registers saved on the way into the
 *						kernel; pc is 0 for a thread that never was in user
 *						space
 *	arch__read_records(registers, to)	one of the two above, for a program whose frame
 *						records we can follow; false: leave the walk to the
 *						kernel
 *	arch__read_syscall(task, call)		the system call of a 64-bit task; false: it is a
 *						32-bit task
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
	__s64 number; /* below 0: the task is in no system call */
	__u64 first;  /* first argument */
};

/* Implements unwind_walk.h. */
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

/* interrupted: registers of the event; NULL: the event happened in the kernel. */
static __always_inline bool is_user_mode(const bpf_user_pt_regs_t *interrupted)
{
	return interrupted && arch__is_user_mode(interrupted);
}

#endif
