/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the owner of a task, where owners are asked for. A user owns a task if its real, effective
 * and saved ids are all the user's, and if the user may look into it, that is, its memory is
 * "dumpable". So setuid programs, programs whose file their user may not read, and programs that
 * asked for privacy have no owner. Ids are those of the first user namespace.
 *
 * The owner is read with each sample, so a process that changes its owner counts as another
 * instance from the next sample on.
 */
#ifndef TOPSTACKS_KERN_SAMPLE_OWNER_BPF_H
#define TOPSTACKS_KERN_SAMPLE_OWNER_BPF_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "maps/maps.bpf.h"
#include "maps/reads.bpf.h"
#include "sample/filter.bpf.h"
#include "topstacks/hash.h"

/*
 * include/linux/sched/coredump.h: the low bits of a memory map's flags, and their value for a
 * dumpable one.
 */
#define DUMPABLE_MASK 3
#define DUMPABLE_USER 1

#define OWNER_GONE (1ULL << 32) /* or-ed with the id: the task has no memory map any more */

static __always_inline unsigned long memory_flags(struct mm_struct *mm)
{
	struct mm_struct___6_18 *new_mm = (void *)mm;

	if (bpf_core_field_exists(new_mm->flags.__mm_flags))
		return FOLLOW(new_mm, flags.__mm_flags[0]);
	return FOLLOW(mm, flags);
}

/*
 * Returns the user if all ids agree. real_cred decides what others may do to a task; the task's own
 * credentials may be replaced for a moment.
 */
static __always_inline __u32 common_user(struct task_struct *task)
{
	struct cred *cred = FOLLOW(task, real_cred);
	const __u32 user = FOLLOW(cred, uid.val);

	if (user == ABI_OWNER_UNKNOWN || FOLLOW(cred, euid.val) != user ||
	    FOLLOW(cred, suid.val) != user)
		return ABI_OWNER_NOBODY;
	return user;
}

/* Returns the owner. An exiting task gives up its memory map early, and goes on in the kernel. */
static __always_inline __u64 find_owner(struct task_struct *task)
{
	struct mm_struct *mm = FOLLOW(task, mm);
	__u32 user;

	if (READ(task, flags) & PF_KTHREAD)
		return ABI_OWNER_NOBODY;
	if (mm && (memory_flags(mm) & DUMPABLE_MASK) != DUMPABLE_USER)
		return ABI_OWNER_NOBODY;
	user = common_user(task);
	return mm || user == ABI_OWNER_NOBODY ? user : OWNER_GONE | user;
}

/* Returns the instance of a task of this image, and stores the owner in *running for its record. */
static __always_inline __u64 tell_owner(struct running *running, struct task_struct *task,
					__u64 image)
{
	running->owner = find_owner(task);
	return hash_owned(image, running->owner);
}

#endif
