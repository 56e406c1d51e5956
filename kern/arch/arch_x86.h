/* SPDX-License-Identifier: GPL-2.0-only */
/* x86-64: see arch.bpf.h. */
#ifndef TOPSTACKS_KERN_ARCH_ARCH_X86_H
#define TOPSTACKS_KERN_ARCH_ARCH_X86_H

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
	to->link = registers->rdi;
	to->other_link = registers->rdx;
}

static __always_inline __u64 arch__read_caller(const bpf_user_pt_regs_t *registers)
{
	__u64 caller = 0;

	bpf_probe_read_user(&caller, sizeof(caller), (void *)registers->rsp);
	return caller;
}

static __always_inline void arch__read_saved(struct task_struct *task, struct unwind_registers *to)
{
	bpf_user_pt_regs_t *saved = (void *)bpf_task_pt_regs(task);

	to->pc = saved->rip;
	to->sp = saved->rsp;
	to->fp = saved->rbp;
	to->link = saved->rdi;
	to->other_link = saved->rdx;
}

/*
 * struct pthread of glibc: offsets of the values of the first 32 keys, and of the addresses of
 * blocks of 32.
 */
#define ARCH_PTHREAD_FIRST_BLOCK 0x310
#define ARCH_PTHREAD_BLOCKS	 0x510

/* The struct begins at the thread pointer. */
#define ARCH_PTHREAD_BYTES     0
#define ARCH_PTHREAD_MAX_BYTES 0

static __always_inline __u64 arch__thread_pointer(struct task_struct *task)
{
	return READ(task, thread.fsbase);
}

/* code segment of 64-bit programs; 32-bit programs have smaller frame records */
#define USER_CS 0x33

typedef __u16 __attribute__((may_alias)) arch_half;

/*
 * Reads cs, which has two bytes from 6.9 on (ee63291aa8287), and was the first two of eight before.
 */
static __always_inline bool is_64_bit(const bpf_user_pt_regs_t *saved)
{
	return *(const volatile arch_half *)&saved->cs == USER_CS;
}

/* registers: NULL if the event happened in the kernel. */
static __always_inline bool arch__read_records(const bpf_user_pt_regs_t *registers,
					       struct unwind_registers *to)
{
	__u64 cs;

	if (registers && arch__is_user_mode(registers)) {
		arch__read_interrupted(registers, to);
		cs = registers->cs;
		asm volatile("" : "+r"(cs)); /* the verifier refuses a load of two bytes */
		return (cs & 0xffff) == USER_CS;
	}
	arch__read_saved(bpf_get_current_task_btf(), to);
	return is_64_bit((void *)bpf_task_pt_regs(bpf_get_current_task_btf()));
}

/* The saved number is -1 if the task was interrupted: arch/x86/entry/entry_64.S. */
static __always_inline bool arch__read_syscall(struct task_struct *task, struct arch_syscall *call)
{
	bpf_user_pt_regs_t *saved = (void *)bpf_task_pt_regs(task);

	call->number = saved->orig_rax;
	call->first = saved->rdi;
	return is_64_bit(saved);
}

#endif
