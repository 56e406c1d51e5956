/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads of kernel structs. If the verifier knows the type behind a pointer, because it is an
 * argument of a typed tracepoint (tp_btf), an iterator's, or the running task, a read is a load. A
 * helper call is dearer, and the helper that reads any address, bpf_probe_read_kernel(), is refused
 * under lockdown "confidentiality". A pointer without a type can only be read by that helper, if
 * cfg_reads_kernel says that it exists (BPF_CORE_READ).
 *
 * A load that faults gives 0, as does the load of a member of NULL.
 */
#ifndef TOPSTACKS_KERN_MAPS_READS_BPF_H
#define TOPSTACKS_KERN_MAPS_READS_BPF_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "maps/kernel_types.bpf.h"
#include "maps/maps.bpf.h"

/*
 * True where pointers to tasks have a type: kernels with this member (5.13) also have
 * bpf_get_current_task_btf() (5.11, 3ca1032ab7ab).
 */
#define HAS_TYPED_TASK bpf_core_field_exists(struct task_struct, bpf_storage)

static __always_inline struct task_struct *current_task(void)
{
	return HAS_TYPED_TASK ? bpf_get_current_task_btf() : (void *)bpf_get_current_task();
}

/* READ(task, group_leader, tgid) reads task->group_leader->tgid through typed pointers. */
#define READ(from, ...) \
	(HAS_TYPED_TASK ? ___arrow(from, __VA_ARGS__) : BPF_CORE_READ(from, __VA_ARGS__))

/*
 * FOLLOW(task, real_parent, tgid) reads along pointers, by the helper if there is one. From Linux
 * 6.3 on the verifier searches all types of the kernel, up to four times, for each pointer that is
 * loaded from a typed struct, each time that it comes by: half a millisecond a search. The helper
 * takes some 30 ns.
 */
#define FOLLOW(from, ...) \
	(cfg_reads_kernel ? BPF_CORE_READ(from, __VA_ARGS__) : ___arrow(from, __VA_ARGS__))

/* READ_BITS(task, in_execve) reads a bit field. */
#define READ_BITS(from, field)                                \
	(HAS_TYPED_TASK ? BPF_CORE_READ_BITFIELD(from, field) \
			: BPF_CORE_READ_BITFIELD_PROBED(from, field))

/*
 * The name of a task, NUL-terminated. Bytes behind the end may be left over from an earlier name.
 */
union task_name {
	char text[16];
	__u64 words[2];
};

static __always_inline union task_name read_name(struct task_struct *task)
{
	const __u64 *from = (void *)task + bpf_core_field_offset(task->comm);
	union task_name name = {};

	if (HAS_TYPED_TASK && !cfg_reads_kernel) {
		name.words[0] = from[0];
		name.words[1] = from[1];
	} else {
		bpf_probe_read_kernel(name.words, sizeof(name.words), from);
	}
	return name;
}

#endif
