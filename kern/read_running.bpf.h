/* SPDX-License-Identifier: GPL-2.0-only */
/* How walks read the memory of the running task. */
#ifndef UNWIND_READ
#define UNWIND_READ

#include <bpf/bpf_helpers.h>

/* asleep: NULL. */
static __always_inline int unwind_read(void *asleep, __u64 address, void *to, __u32 nr_bytes)
{
	(void)asleep;
	return bpf_probe_read_user(to, nr_bytes, (const void *)address) ? -1 : 0;
}

#endif
