/* SPDX-License-Identifier: GPL-2.0-only */
/* aarch64: see arch.bpf.h. */
#ifndef TOPSTACKS_ARCH_ARM64_H
#define TOPSTACKS_ARCH_ARM64_H

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

static __always_inline void arch__read_saved(struct task_struct *task, struct unwind_registers *to)
{
	bpf_user_pt_regs_t *saved = (void *)bpf_task_pt_regs(task);

	to->pc = BPF_PROBE_READ(saved, pc);
	to->sp = BPF_PROBE_READ(saved, sp);
	to->fp = BPF_PROBE_READ(saved, regs[29]);
	to->link = UNWIND_ADDRESS(BPF_PROBE_READ(saved, regs[30]));
}

/* No interpreter of this machine is described. */
#define ARCH_PTHREAD_FIRST_BLOCK 0
#define ARCH_PTHREAD_BLOCKS	 0

static __always_inline __u64 arch__thread_pointer(struct task_struct *task)
{
	(void)task;
	return 0;
}

/* The kernel's walk strips the authentication codes of pointers. */
static __always_inline bool arch__read_records(const bpf_user_pt_regs_t *registers,
					       struct unwind_registers *to)
{
	(void)registers;
	(void)to;
	return false;
}

/* The beginning of struct pt_regs (arch/arm64/include/asm/ptrace.h) of a little-endian kernel. */
struct arch_saved {
	struct user_pt_regs user;
	__u64 orig_x0;
	__s32 syscallno;
};

static __always_inline bool arch__read_syscall(struct task_struct *task, struct arch_syscall *call)
{
	struct arch_saved *saved = (void *)bpf_task_pt_regs(task);

	if (saved->user.pstate & 0x10) /* of 32 bits */
		return false;
	call->number = saved->syscallno;
	call->first = saved->orig_x0;
	return true;
}

static __always_inline bool arch__read_epilogue(const __u8 code[EPILOGUE_BYTES],
						struct unwind_row *row)
{
	(void)code;
	(void)row;
	return false;
}

#endif
