/* SPDX-License-Identifier: GPL-2.0-only */
/* The kind of a wait: the thread's state, and what it waits for. */
#ifndef TOPSTACKS_KERN_WAITS_KINDS_BPF_H
#define TOPSTACKS_KERN_WAITS_KINDS_BPF_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "arch/arch.bpf.h"
#include "maps/maps.bpf.h"
#include "maps/reads.bpf.h"
#include "topstacks/waits.h"
#include "waits/throttled.bpf.h"

/*
 * Returns the mode of the file of a task's descriptor; 0: it belongs to no file system, or is
 * closed.
 */
static __always_inline __u32 mode_of_file(struct task_struct *task, __u64 descriptor)
{
	struct fdtable *table = task->files->fdt;
	struct file **files = table->fd, *file = NULL;

	if (descriptor >= table->max_fds ||
	    bpf_probe_read_kernel(&file, sizeof(file), files + descriptor) || !file)
		return 0;
	return BPF_CORE_READ(file, f_inode, i_mode);
}

/* include/uapi/linux/stat.h */
#define MODE_TYPE      0170000
#define MODE_SOCKET    0140000
#define MODE_REGULAR   0100000
#define MODE_BLOCK     0060000
#define MODE_DIRECTORY 0040000
#define MODE_CHARACTER 0020000
#define MODE_FIFO      0010000

static __always_inline enum wait_kind kind_by_mode(__u32 mode)
{
	switch (mode & MODE_TYPE) {
	case MODE_SOCKET:
		return WAIT_FOR_NET;
	case MODE_REGULAR:
	case MODE_BLOCK:
	case MODE_DIRECTORY:
		return WAIT_FOR_DISK;
	case MODE_CHARACTER: /* mostly terminals */
	case MODE_FIFO:
		return WAIT_FOR_PIPE;
	case 0: /* descriptors of events, timers, signals */
		return WAIT_FOR_POLL;
	default:
		return WAIT_FOR_OTHER;
	}
}

static __always_inline enum wait_kind kind_by_syscall(struct task_struct *task,
						      const struct arch_syscall *call)
{
	__u64 number = call->number;
	enum wait_kind kind;

	asm volatile("" : "+r"(number)); /* keeps the bounds check below visible to the verifier */
	if (number >= SYSCALL_WAITS)
		return WAIT_FOR_OTHER;
	kind = cfg_syscall_waits[number];
	if (kind != (enum wait_kind)WAIT_BY_FILE)
		return kind;
	if (!cfg_reads_kernel)
		return WAIT_FOR_OTHER;
	return kind_by_mode(mode_of_file(task, call->first));
}

#define PF_WORKERS (PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER | PF_EXITING)

/*
 * Returns the kind of a blocked task's wait. Outside system calls, an access to memory made it
 * wait. Has a stack frame of its own: all frames share 512 bytes.
 */
static __noinline __u32 kind_of_wait(struct task_struct *task, __u32 state)
{
	struct arch_syscall call = {};

	if (task->flags & PF_WORKERS || !arch__read_syscall(task, &call))
		return state == WAIT_DISK ? WAIT_FOR_DISK : WAIT_FOR_OTHER;
	if (call.number < 0)
		return WAIT_FOR_FAULT;
	return state == WAIT_DISK ? WAIT_FOR_DISK : kind_by_syscall(task, &call);
}

static __always_inline enum wait_state wait_state(struct task_struct *task, __u32 state)
{
	if (state & (STATE_STOPPED | STATE_TRACED | STATE_FROZEN))
		return WAIT_STOPPED;
	if (state & STATE_UNINTERRUPTIBLE)
		return BPF_CORE_READ_BITFIELD(task, in_iowait) ? WAIT_DISK : WAIT_UNINTERRUPTIBLE;
	return state & STATE_INTERRUPTIBLE ? WAIT_INTERRUPTIBLE : WAIT_UNINTERRUPTIBLE;
}

/* state: bits, as the scheduler has it. No living thread has bits other than those masked here. */
static __always_inline __u32 wait_of(const struct waiting_thread *thread, struct task_struct *task,
				     bool is_preempted, __u32 state)
{
	enum wait_state is;

	if (is_preempted || !(state & (0xff | STATE_FROZEN)))
		return WAIT(is_throttled(task) ? WAIT_THROTTLED : WAIT_PREEMPTED, WAIT_FOR_NOTHING);
	is = wait_state(task, state);
	if (is == WAIT_STOPPED)
		return WAIT(is, WAIT_FOR_NOTHING);
	return WAIT(is, thread->lock ? WAIT_FOR_LOCK : kind_of_wait(task, is));
}

/*
 * Returns the lock that a thread waits for: an address in the kernel or of its own; 0: it waits for
 * no lock.
 */
static __always_inline __u64 lock_of(const struct waiting_thread *thread, struct task_struct *task)
{
	struct arch_syscall call = {};

	if (WHAT_WAIT(thread->key.what) >> WAIT_KIND_SHIFT != WAIT_FOR_LOCK)
		return 0;
	if (thread->lock)
		return STACK_REST(thread->lock);
	if (!arch__read_syscall(task, &call) || (__u64)call.number != cfg_futex)
		return 0;
	return STACK_REST(call.first);
}

static __always_inline __u32 state_of(const struct waiting_thread *thread)
{
	return WHAT_WAIT(thread->key.what) & ((1 << WAIT_KIND_SHIFT) - 1);
}

/* Returns true if the thread left its CPU runnable, or is new. */
static __always_inline bool is_runnable(const struct waiting_thread *thread)
{
	const __u32 state = state_of(thread);

	return state == WAIT_PREEMPTED || state == WAIT_THROTTLED || state == WAIT_WOKEN;
}

#endif
