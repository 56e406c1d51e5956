/* SPDX-License-Identifier: GPL-2.0-only */
/* x86-64: see arch.bpf.h. */
#ifndef TOPSTACKS_ARCH_X86_H
#define TOPSTACKS_ARCH_X86_H

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
	bpf_user_pt_regs_t *saved = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());

	to->pc = BPF_PROBE_READ(saved, rip);
	to->sp = BPF_PROBE_READ(saved, rsp);
	to->fp = BPF_PROBE_READ(saved, rbp);
}

#endif
