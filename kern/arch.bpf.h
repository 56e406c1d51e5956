/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between architectures: where the registers of an interrupted program are. Each has
 * these functions:
 *
 *	arch__is_user_mode(registers)		whether it was interrupted in user space
 *	arch__read_interrupted(registers, to)	its registers then; to is zeroed before
 *	arch__read_saved(to)			those that it saved on its way into the kernel; pc is 0
 *						for a thread that never was in user space
 */
#ifndef TOPSTACKS_ARCH_H
#define TOPSTACKS_ARCH_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <linux/bpf_perf_event.h>
#include <stdbool.h>

#include "kernel_types.bpf.h"
#include "topstacks/unwind_abi.h"

#if defined(__TARGET_ARCH_arm64)

static __always_inline bool arch__is_user_mode(const bpf_user_pt_regs_t *registers)
{
	return (registers->pstate & 0xf) == 0;
}

static __always_inline void arch__read_interrupted(const bpf_user_pt_regs_t *registers,
						   struct unwind_registers *to)
{
	to->pc = registers->pc;
	to->sp = registers->sp;
	to->fp = registers->regs[29];
	to->link = UNWIND_ADDRESS(registers->regs[30]);
}

static __always_inline void arch__read_saved(struct unwind_registers *to)
{
	struct user_pt_regs___arm64 *saved = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());

	to->pc = BPF_CORE_READ(saved, pc);
	to->sp = BPF_CORE_READ(saved, sp);
	to->fp = BPF_CORE_READ(saved, regs[29]);
	to->link = UNWIND_ADDRESS(BPF_CORE_READ(saved, regs[30]));
}

#else

static __always_inline bool arch__is_user_mode(const bpf_user_pt_regs_t *registers)
{
	return (registers->cs & 3) == 3;
}

static __always_inline void arch__read_interrupted(const bpf_user_pt_regs_t *registers,
						   struct unwind_registers *to)
{
	to->pc = registers->rip;
	to->sp = registers->rsp;
	to->fp = registers->rbp;
}

static __always_inline void arch__read_saved(struct unwind_registers *to)
{
	struct pt_regs___x86 *saved = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());

	to->pc = BPF_CORE_READ(saved, ip);
	to->sp = BPF_CORE_READ(saved, sp);
	to->fp = BPF_CORE_READ(saved, bp);
}

#endif

/* interrupted: what the event has of them; NULL: it happened in the kernel. */
static __always_inline bool is_user_mode(const bpf_user_pt_regs_t *interrupted)
{
	return interrupted && arch__is_user_mode(interrupted);
}

#endif
