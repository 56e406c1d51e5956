/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whose a task is, where that is asked for. It is a user's if its real, effective and saved ids are all his, and if
 * whoever has these may look into it: its memory is "dumpable", as the kernel calls it. So neither a setuid program
 * is anybody's, nor one whose file its user may not read, nor one that has asked to be left alone. Ids are those of
 * the first user namespace.
 *
 * It is read anew with each sample, so that a process which changes is another one from the next sample on.
 */
#ifndef TOPSTACKS_KERN_SAMPLE_OWNER_BPF_H
#define TOPSTACKS_KERN_SAMPLE_OWNER_BPF_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "maps/maps.bpf.h"
#include "maps/reads.bpf.h"
#include "sample/filter.bpf.h"
#include "topstacks/hash.h"

/* include/linux/sched/coredump.h: the first bits of the flags of a memory, and what they are then. */
#define DUMPABLE_MASK 3
#define DUMPABLE_USER 1

#define OWNER_GONE (1ULL << 32) /* beside the id: the task has no memory any more */

static __always_inline unsigned long memory_flags(struct mm_struct *mm)
{
	struct mm_struct___6_18 *new_mm = (void *)mm;

	if (bpf_core_field_exists(new_mm->flags.__mm_flags))
		return READ(new_mm, flags.__mm_flags[0]);
	return READ(mm, flags);
}

/* What others may do to a task goes by real_cred; what it may do itself may be another's for a moment. */
static __always_inline __u32 common_user(struct task_struct *task)
{
	struct cred *cred = READ(task, real_cred);
	const __u32 user = READ(cred, uid.val);

	if (user == ABI_OWNER_UNKNOWN || READ(cred, euid.val) != user ||
	    READ(cred, suid.val) != user)
		return ABI_OWNER_NOBODY;
	return user;
}

/* One that ends gives up its memory, and works on in the kernel. */
static __always_inline __u64 find_owner(struct task_struct *task)
{
	struct mm_struct *mm = READ(task, mm);
	__u32 user;

	if (READ(task, flags) & PF_KTHREAD)
		return ABI_OWNER_NOBODY;
	if (mm && (memory_flags(mm) & DUMPABLE_MASK) != DUMPABLE_USER)
		return ABI_OWNER_NOBODY;
	user = common_user(task);
	return mm || user == ABI_OWNER_NOBODY ? user : OWNER_GONE | user;
}

/* The instance of a task of this image; puts its owner into *running, for its record. */
static __always_inline __u64 tell_owner(struct running *running, struct task_struct *task,
					__u64 image)
{
	running->owner = find_owner(task);
	return hash_owned(image, running->owner);
}

#endif
