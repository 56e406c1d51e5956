/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads of the kernel's structs. Where the verifier knows what a pointer points at, because it is an argument of a
 * tracepoint with types (tp_btf), an iterator's, or the running task, a read is a load: a helper's call is dearer, and
 * the helper that reads any address, bpf_probe_read_kernel(), is refused where lockdown is "confidentiality". A pointer
 * without a type is read by that helper alone, where cfg_reads_kernel says that it is there (BPF_CORE_READ).
 *
 * A load that faults gives 0, as that of a member of NULL does.
 */
#ifndef TOPSTACKS_KERN_MAPS_READS_BPF_H
#define TOPSTACKS_KERN_MAPS_READS_BPF_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "maps/kernel_types.bpf.h"

/* Kernels that have this member (5.13) have the helper for it, too (5.11, 3ca1032ab7ab). */
#define HAS_TYPED_TASK bpf_core_field_exists(struct task_struct, bpf_storage)

static __always_inline struct task_struct *current_task(void)
{
	return HAS_TYPED_TASK ? bpf_get_current_task_btf() : (void *)bpf_get_current_task();
}

/* READ(task, group_leader, tgid) is task->group_leader->tgid, of a pointer with a type. */
#define READ(from, ...) \
	(HAS_TYPED_TASK ? ___arrow(from, __VA_ARGS__) : BPF_CORE_READ(from, __VA_ARGS__))

/* READ_BITS(task, in_execve) is a field of bits. */
#define READ_BITS(from, field)                                \
	(HAS_TYPED_TASK ? BPF_CORE_READ_BITFIELD(from, field) \
			: BPF_CORE_READ_BITFIELD_PROBED(from, field))

/* The name of a task, up to a 0. Bytes behind that may be left of a name that it had before. */
union task_name {
	char text[16];
	__u64 words[2];
};

static __always_inline union task_name read_name(struct task_struct *task)
{
	const __u64 *from = (void *)task + bpf_core_field_offset(task->comm);
	union task_name name = {};

	if (HAS_TYPED_TASK) {
		name.words[0] = from[0];
		name.words[1] = from[1];
	} else {
		bpf_probe_read_kernel(name.words, sizeof(name.words), from);
	}
	return name;
}

#endif
