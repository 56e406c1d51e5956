/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Capture: everything that touches BPF and perf. A session samples its targets into kernel maps;
 * a drain hands over what was counted since the last one, raw, with process events in order.
 *
 *   capture__open → capture__start → { capture__wait, capture__drain }… → capture__close
 */
#ifndef TOPSTACKS_CAPTURE_H
#define TOPSTACKS_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "topstacks/error.h"
#include "topstacks/ledger.h"
#include "topstacks/process.h"

struct capture;

enum capture_scope {
	SCOPE_SYSTEM,
	SCOPE_PROCESSES, /* ids are process ids */
	SCOPE_THREAD,	 /* ids[0] is a thread id */
	SCOPE_COMMAND,	 /* ids[0] is our own child, sampled from its next exec on */
};

struct capture_options {
	enum capture_scope scope;
	const pid_t *ids; /* in our pid namespace */
	size_t nr_ids;
	bool follow_children;
	bool user_stacks, kernel_stacks;
	bool by_thread;
	double rate_hz;
	const bool *cpus; /* by CPU number; NULL: all that are online */
	size_t nr_cpus;
	unsigned int max_depth; /* frames; lowered to kernel.perf_event_max_stack */
	size_t max_memory_bytes;  /* of all maps in the kernel */
};

/* A stack as the kernel saw it: addresses, leaf first. Interned: one pointer per distinct content. */
struct raw_stack {
	uint32_t id; /* dense; unique until capture__epoch changes */
	uint32_t nr_frames;
	uint64_t addresses[];
};

struct raw_sample {
	const struct process *process;
	int32_t tid; /* 0 unless by_thread */
	const struct raw_stack *user, *kernel; /* NULL: none, or missing */
	bool missing; /* one of both is missing, which the ledger has by reason */
	bool user_cut, kernel_cut; /* as deep as max_depth allows: the root side may be cut */
	uint64_t count;
	uint64_t weight; /* ns */
};

/* Called during a drain; process events first, then samples. Borrowed until it returns. */
struct capture_sink {
	void *context;
	void (*on_event)(void *context, const struct process_event *event);
	void (*on_sample)(void *context, const struct raw_sample *sample);
};

#endif
