/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes of programs by links (BPF_TRACE_UPROBE_MULTI), from Linux 6.6 on (89ae89f53d20). Unlike perf events they do not
 * take CAP_SYS_ADMIN where CVE-2025-38466 is mended (ba677dbe77af). A program that is attached so must be loaded for it.
 */
#ifndef TOPSTACKS_CAPTURE_PROBES_UPROBE_LINK_H
#define TOPSTACKS_CAPTURE_PROBES_UPROBE_LINK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* As the expected attach type of a program; headers before 6.6 lack it. */
#define TRACE_UPROBE_MULTI 48

struct uprobe_link {
	const char *file;   /* a path */
	uint64_t offset;    /* in the file */
	uint64_t semaphore; /* likewise; 0: none */
	uint64_t cookie;    /* that the program is handed */
	bool is_of_returns;
	pid_t pid; /* in our pid namespace; 0: all processes that have the file mapped */
};

/* A descriptor, which is the probe, or negative errno: -EINVAL where the kernel has no such links. */
int uprobe_link__make(int program, const struct uprobe_link *wanted);

/*
 * Whether the process that it was made for has another first thread by now, as after an exec by one of its others, and
 * so no probe. False where the kernel does not tell (before 6.8, e56fdbfb06e2).
 */
bool uprobe_link__is_orphaned(int link);

#endif
