/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How walks read the memory of a task that sleeps, for programs that may sleep themselves until it
 * is there. Included before anything that walks.
 */
#ifndef UNWIND_READ
#define UNWIND_READ

#include <bpf/bpf_helpers.h>

/* That of what these programs do not call. */
static __always_inline void *unwind_memory(__u32 context)
{
	(void)context;
	return NULL;
}

/* asleep: the task; NULL: the running one is meant, by functions that these programs do not call. */
static __always_inline int unwind_read(void *asleep, __u64 address, void *to, __u32 nr_bytes)
{
	if (asleep)
		return bpf_copy_from_user_task(to, nr_bytes, (const void *)address, asleep, 0) ? -1
											       : 0;
	return bpf_probe_read_user(to, nr_bytes, (const void *)address) ? -1 : 0;
}

#endif
