/* SPDX-License-Identifier: GPL-2.0-only */
/* The ids that a task has, one in each namespace that sees it. */
#ifndef TOPSTACKS_PID_H
#define TOPSTACKS_PID_H

#include <bpf/bpf_core_read.h>

#include "kernel_types.bpf.h"

/* An array that grows with the namespace's depth: its elements are read by hand. */
static __always_inline struct upid pid_at_level(struct pid *pid, __u32 level)
{
	struct upid *numbers = (void *)pid + bpf_core_field_offset(pid->numbers);
	struct upid found = {};

	bpf_core_read(&found, sizeof(found), (void *)numbers + level * sizeof(struct upid));
	return found;
}

#endif
