/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the memory of a sleeping task for walks. The including program may sleep until the memory
 * is there. Include this before other headers of walks.
 */
#ifndef UNWIND_READ
#define UNWIND_READ

#include <bpf/bpf_helpers.h>

/* Only needed by functions that these programs do not call. */
static __always_inline void *unwind_memory(__u32 context)
{
	(void)context;
	return NULL;
}

/*
 * asleep: the task; NULL: the running task, only used by functions that these programs do not call.
 */
static __always_inline int unwind_read(void *asleep, __u64 address, void *to, __u32 nr_bytes)
{
	if (asleep)
		return bpf_copy_from_user_task(to, nr_bytes, (const void *)address, asleep, 0) ? -1
											       : 0;
	return bpf_probe_read_user(to, nr_bytes, (const void *)address) ? -1 : 0;
}

#endif
