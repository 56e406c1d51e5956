/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Links from perf events to programs. libbpf tests by itself whether the kernel has such links, and
 * mistakes any refusal for a kernel without them. This file keeps the kernel's true reason.
 */
#ifndef TOPSTACKS_CAPTURE_HOST_EVENT_LINK_H
#define TOPSTACKS_CAPTURE_HOST_EVENT_LINK_H

#include "base/common.h"

struct bpf_program;

struct event_link {
	bool is_attached;
	int fd; /* -1: the kernel has no links of perf events; valid while is_attached */
};

/*
 * Attaches the program to the event and enables the event. Kernels before 5.15 (b89fbfbb854c) have
 * no such links and only cookie 0. The caller has raised the rights. Returns 0 or negative errno.
 */
int event_link__attach(struct event_link *link, const struct bpf_program *program, int event,
		       uint64_t cookie);

/*
 * Disables the event if a program is attached. The caller still owns the event's descriptor and
 * closes it.
 */
void event_link__detach(struct event_link *link, int event);

#endif
