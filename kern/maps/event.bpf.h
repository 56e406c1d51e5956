/* SPDX-License-Identifier: GPL-2.0-only */
/* The description of an event, passed to the walks. */
#ifndef TOPSTACKS_KERN_MAPS_EVENT_BPF_H
#define TOPSTACKS_KERN_MAPS_EVENT_BPF_H

#include <bpf/bpf_helpers.h>
#include <linux/bpf_perf_event.h>
#include <stdbool.h>

#include "maps/maps.bpf.h"
#include "topstacks/abi.h"

/* How a program follows interpreters: see sample.bpf.h. */
enum handing {
	HANDS_NOTHING, /* it follows them itself */
	HANDS_OVER,    /* another one does, if that is loaded */
	TAKES_OVER,    /* it follows them itself, for the one that hands over if cfg_takes_over */
};

/* An event, as the program of its source describes it. */
struct sample_event {
	void *program; /* context of the BPF program; helpers that walk need it */
	/* registers; NULL: the event happened in the kernel */
	const bpf_user_pt_regs_t *interrupted;
	__u64 weight;
	__u32 number; /* number of the event */
	enum program_context context;
	bool is_counted;   /* one in session.one_in is a sample */
	bool is_excluded;  /* the event's conditions exclude the hit: it is filtered */
	bool with_records; /* walk user stacks along frame pointers ourselves, if the kernel can */
	bool with_tables;  /* walk user stacks by unwind tables, if there are any */
	enum handing handing;
	bool of_wall; /* a sample of a running thread, for wall, too */
	/*
	 * Number of memory blocks that this chosen block stands for; 0: the event stands for
	 * itself.
	 */
	__u64 stands_for;
	__u64 told;		/* see SLOT_TOLD */
	struct sample_key *key; /* if not NULL, receives the key if the sample was counted */
	bool outlives; /* its stacks are stored by content, as they may outlive the generation */
};

/*
 * Returns the number of the event that runs the program. With a single event the call is avoided,
 * and not even verified: the cookie exists from 5.15 on (7adfc6c9b315).
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
 * The current generation. Its maps are looked up where they are needed: kept across a walk, they
 * would exceed the 512 bytes of all stack frames.
 */
struct current_set {
	__u32 generation;
	enum program_context context;
	struct ledger_cpu *ledger_cpu;
};

#endif
