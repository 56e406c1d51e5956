/* SPDX-License-Identifier: GPL-2.0-only */
/* What is to be sampled, and how. */
#ifndef TOPSTACKS_CAPTURE_CAPTURE_OPTIONS_H
#define TOPSTACKS_CAPTURE_CAPTURE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct readers;
struct spawner;

enum capture_scope {
	SCOPE_SYSTEM,
	SCOPE_PROCESSES, /* ids are process ids */
	SCOPE_THREAD,	 /* ids[0] is a thread id */
	SCOPE_COMMAND,	 /* ids[0] is our own child, sampled from its next exec on */
};

/* How user stacks are walked. */
enum unwinder {
	UNWINDER_AUTO, /* by tables where the kernel can */
	UNWINDER_FRAME_POINTERS,
	UNWINDER_TABLES, /* or not at all */
};

struct capture_options {
	const char *event; /* as the user says it: "cpu"; NULL: that */
	enum capture_scope scope;
	const pid_t *ids; /* in our pid namespace */
	size_t nr_ids;
	bool follow_children;
	bool user_stacks, kernel_stacks;
	bool by_thread;
	bool program_time; /* let the kernel time its programs, which costs each run about 20 ns */
	double rate_hz;
	const bool *cpus; /* by CPU number; NULL: all that are online */
	size_t nr_cpus;
	unsigned int max_depth;	 /* frames; lowered to kernel.perf_event_max_stack */
	size_t max_memory_bytes; /* of all maps in the kernel, but those of unwind tables */
	enum unwinder unwinder;
	size_t max_unwind_bytes; /* of unwind tables in the kernel */
	struct readers *readers; /* of files, for their tables; NULL: none has one */
	struct spawner *openers; /* of processes/opener.h; NULL: files are opened by the sampler */
};

#endif
