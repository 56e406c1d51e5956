// SPDX-License-Identifier: GPL-2.0-only
/* Declared here, as the kernel has newer structures than our headers and libbpf. */
#include "capture/probes/uprobe_link.h"

#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OF_RETURNS 1U /* BPF_F_UPROBE_MULTI_RETURN */

/* The part of union bpf_attr for BPF_LINK_CREATE. */
struct link_create {
	uint32_t program, target, type, flags;
	uint64_t path, offsets, semaphores, cookies;
	uint32_t nr, uprobe_flags, pid, unused;
};

/* struct bpf_link_info for such links. */
struct link_told {
	uint32_t type, id, program, unused;
	uint64_t path, offsets, semaphores, cookies;
	uint32_t path_size, nr, flags, pid;
};

int uprobe_link__make(int program, const struct uprobe_link *wanted)
{
	const struct link_create attr = {
		.program = (uint32_t)program,
		.type = TRACE_UPROBE_MULTI,
		.path = (uintptr_t)wanted->file,
		.offsets = (uintptr_t)&wanted->offset,
		.semaphores = wanted->semaphore ? (uintptr_t)&wanted->semaphore : 0,
		.cookies = (uintptr_t)&wanted->cookie,
		.nr = 1,
		.uprobe_flags = wanted->is_of_returns ? OF_RETURNS : 0,
		.pid = (uint32_t)wanted->pid,
	};
	const long fd = syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));

	return fd < 0 ? -errno : (int)fd;
}

bool uprobe_link__is_orphaned(int link)
{
	struct link_told told = {.pid = UINT32_MAX};
	union bpf_attr attr = {
		.info = {.bpf_fd = (uint32_t)link,
			 .info_len = sizeof(told),
			 .info = (uintptr_t)&told},
	};

	return !syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)) &&
	       attr.info.info_len == sizeof(told) && told.nr == 1 && !told.pid;
}
