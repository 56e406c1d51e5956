/* SPDX-License-Identifier: GPL-2.0-only */
/* What a sample is made from, as it is handed down to the walks. */
#ifndef TOPSTACKS_KERN_MAPS_EVENT_BPF_H
#define TOPSTACKS_KERN_MAPS_EVENT_BPF_H

#include <bpf/bpf_helpers.h>
#include <linux/bpf_perf_event.h>
#include <stdbool.h>

#include "maps/maps.bpf.h"
#include "topstacks/abi.h"

/* What the file of a source says of an event. */
struct sample_event {
	void *program; /* context of the BPF program, for helpers that walk */
	const bpf_user_pt_regs_t *interrupted; /* registers; NULL: it happened in the kernel */
	__u64 weight;
	__u32 number; /* of the event */
	enum program_context context;
	bool is_counted;  /* one in session.one_in is a sample */
	bool is_excluded; /* by what the user says of the event: it is filtered */
	bool with_records; /* user stacks are walked along frame records by us, where the kernel can */
	bool with_tables; /* user stacks are walked by unwind tables where there are any */
	bool of_wall;	  /* it may be one of threads that run, beside those that wait */
	/* So many are told by it: blocks of memory, of which it is the one that was chosen. 0: itself. */
	__u64 stands_for;
	__u64 told;		/* see SLOT_TOLD */
	struct sample_key *key; /* NULL; or here goes the key that it was counted for, if it was */
	bool outlives; /* its stacks are told by what is in them, since it may outlive the generation */
};

/*
 * Which event runs the program: with one alone nobody asks, and the call is not even verified. The
 * cookie is there from 5.15 on (7adfc6c9b315).
 */
static __always_inline __u32 event_number(void *program)
{
	__u64 cookie;

	if (cfg_nr_events == 1)
		return 0;
	cookie = bpf_get_attach_cookie(program);
	return cookie < cfg_nr_events ? (__u32)cookie : 0;
}

/*
 * The generation at hand. Its maps are looked up where they are needed: held from before a walk to after
 * it, they would be more than the 512 bytes that all frames may have.
 */
struct current_set {
	__u32 generation;
	enum program_context context;
	struct ledger_cpu *ledger_cpu;
};

#endif
