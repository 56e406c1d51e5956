/* SPDX-License-Identifier: GPL-2.0-only */
/* What a sample is made from, as it is handed down to the walks. */
#ifndef TOPSTACKS_EVENT_H
#define TOPSTACKS_EVENT_H

#include <linux/bpf_perf_event.h>
#include <stdbool.h>

#include "topstacks/abi.h"

/* What the file of a source says of an event. */
struct sample_event {
	void *program; /* context of the BPF program, for helpers that walk */
	const bpf_user_pt_regs_t *interrupted; /* registers; NULL: it happened in the kernel */
	__u64 weight;
	enum program_context context;
	bool with_tables; /* user stacks are walked by unwind tables where there are any */
};

/* The maps of the generation at hand. */
struct current_set {
	void *counts, *stacks, *spill;
	struct ledger_cpu *ledger_cpu;
};

#endif
