/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes by links (BPF_TRACE_UPROBE_MULTI), from Linux 6.6 on (89ae89f53d20). Unlike perf events
 * they do not need CAP_SYS_ADMIN where CVE-2025-38466 is mended (ba677dbe77af). A program must be
 * loaded for them.
 */
#ifndef TOPSTACKS_CAPTURE_PROBES_UPROBE_LINK_H
#define TOPSTACKS_CAPTURE_PROBES_UPROBE_LINK_H

#include <sys/types.h>

#include "base/common.h"

/* The expected attach type of such a program; headers before 6.6 lack it. */
#define TRACE_UPROBE_MULTI 48

struct uprobe_link {
	const char *file;   /* a path */
	uint64_t offset;    /* in the file */
	uint64_t semaphore; /* offset in the file; 0: none */
	uint64_t cookie;    /* passed to the program */
	bool is_of_returns;
	pid_t pid; /* in our pid namespace; 0: all processes that have the file mapped */
};

/*
 * Makes the probe. Returns a descriptor that holds it, or negative errno; -EINVAL: the kernel has
 * no such links.
 */
int uprobe_link__make(int program, const struct uprobe_link *wanted);

/*
 * Returns true if the probed process has a new first thread, as after an exec by another thread,
 * and so no probe. False if the kernel does not tell (before 6.8, e56fdbfb06e2).
 */
bool uprobe_link__is_orphaned(int link);

#endif
