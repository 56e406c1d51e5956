/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs of perf events. libbpf tries by itself whether the kernel has links of them, and takes whatever refuses it a
 * program then for a kernel without: why a link was refused is what the kernel says here.
 */
#ifndef TOPSTACKS_CAPTURE_HOST_EVENT_LINK_H
#define TOPSTACKS_CAPTURE_HOST_EVENT_LINK_H

#include <stdbool.h>
#include <stdint.h>

struct bpf_program;

struct event_link {
	bool is_attached;
	int fd; /* -1: the kernel has no links of perf events; only while it is attached */
};

/*
 * Attaches the program to the event and switches that on. Kernels before 5.15 (b89fbfbb854c) have no such links, and no
 * cookies but 0. The caller has raised the rights to it. 0 or negative errno.
 */
int event_link__attach(struct event_link *link, const struct bpf_program *program, int event,
		       uint64_t cookie);

/* Switches the event off, if a program is attached to it. It stays the caller's, who closes it then. */
void event_link__detach(struct event_link *link, int event);

#endif
