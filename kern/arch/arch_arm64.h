/* SPDX-License-Identifier: GPL-2.0-only */
/* aarch64: see arch.bpf.h. */
#ifndef TOPSTACKS_KERN_ARCH_ARCH_ARM64_H
#define TOPSTACKS_KERN_ARCH_ARCH_ARM64_H

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
	to->link = unwind_address(registers->regs[30]);
}

static __always_inline __u64 arch__read_caller(const bpf_user_pt_regs_t *registers)
{
	return unwind_address(registers->regs[30]);
}

static __always_inline void arch__read_saved(struct task_struct *task, struct unwind_registers *to)
{
	bpf_user_pt_regs_t *saved = (void *)bpf_task_pt_regs(task);

	to->pc = saved->pc;
	to->sp = saved->sp;
	to->fp = saved->regs[29];
	to->link = unwind_address(saved->regs[30]);
}

/*
 * struct pthread of glibc: offsets of the values of the first 32 keys, and of the addresses of
 * blocks of 32.
 */
#define ARCH_PTHREAD_FIRST_BLOCK 0x110
#define ARCH_PTHREAD_BLOCKS	 0x310

/*
 * The struct ends at the thread pointer. Its size is 1856 bytes in glibc 2.36, 1824 in 2.41; least
 * size, and limit:
 */
#define ARCH_PTHREAD_BYTES     1664
#define ARCH_PTHREAD_MAX_BYTES 2048

/*
 * Returns 0 until the thread has left a CPU once: the C library sets a register, which the kernel
 * saves at a switch.
 */
static __always_inline __u64 arch__thread_pointer(struct task_struct *task)
{
	return READ(task, thread.uw.tp_value);
}

/* Leaves the walk to the kernel, which strips the authentication codes of pointers. */
static __always_inline bool arch__read_records(const bpf_user_pt_regs_t *registers,
					       struct unwind_registers *to)
{
	(void)registers;
	(void)to;
	return false;
}

/*
 * The first members of struct pt_regs (arch/arm64/include/asm/ptrace.h) of a little-endian kernel.
 */
struct arch_saved {
	struct user_pt_regs user;
	__u64 orig_x0;
	__s32 syscallno;
};

static __always_inline bool arch__read_syscall(struct task_struct *task, struct arch_syscall *call)
{
	struct arch_saved *saved = (void *)bpf_task_pt_regs(task);

	if (saved->user.pstate & 0x10) /* a 32-bit program */
		return false;
	call->number = saved->syscallno;
	call->first = saved->orig_x0;
	return true;
}

#endif
