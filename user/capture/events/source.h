/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A source of events: what makes the BPF programs take samples, and what it can say of them. A
 * source is a file in sources/ and a row in its table; the session works through these verbs alone.
 *
 *   parse → configure → open → start → add_target* → (observe* → settle → cut → account → hand_over →
 *   set_rate)* → stop → settle → account → hand_over → close → forget
 */
#ifndef TOPSTACKS_CAPTURE_EVENTS_SOURCE_H
#define TOPSTACKS_CAPTURE_EVENTS_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "capture/events/sample.h"
#include "topstacks/abi.h"

struct bpf_program;
struct capture_sink;
struct capture_options;
struct cpus;
struct event;
struct event_fact_sink;
struct ledger;
struct near;
struct set;
struct process_event;
struct topstacks_bpf;

/* How user stacks are walked: each way has a program of its own. */
enum walk {
	WALK_FRAME_POINTERS,
	WALK_TABLES,
	WALKS,
};

#define IN_CONTEXT(context) (1U << (context))

struct source_options {
	const struct capture_options *asked; /* borrowed for the call */
	double rate_hz;
	bool everyone;	      /* all processes, the idle task too where that can be had */
	struct cpus *cpus;    /* borrowed; written to when a CPU is found to have been away */
	unsigned int index;   /* of the event: by this attach cookie its programs know it */
	bool has_others;      /* more events are open: their programs may keep this one's out */
	bool shares_programs; /* another event has the same programs */
};

/* Verbs return 0 or negative errno with err filled; state is what open made. */
struct source {
	const char *programs[WALKS];	      /* the BPF program that samples */
	const char *const *companions[WALKS]; /* others that it needs, by name; NULL: none */
	uint64_t later_rights; /* beyond what all need after the start: base/system/rights.h */
	bool counts_passages; /* settle does not wait for its programs, but capture/kernel/grace.h */
	bool follows_records; /* its programs walk along frame pointers themselves, if they can */
	bool in_switch; /* its programs are called by __schedule(), and their kernel stacks tell it */
	bool is_timed; /* what it charges to a generation is cut off at its end */
	bool is_level; /* its samples are what there is at the end of an interval, and no sum of what happened */
	const struct source *needs; /* another event, of this source; NULL: none */
	uint32_t
		contexts; /* in which its programs count: IN_CONTEXT() of each enum program_context */

	/*
	 * Whether the words of the event mean this source, which then fills in the rest. 1; 0: they
	 * do not; negative errno, err filled: they do, and are wrong.
	 */
	int (*parse)(struct event *event, struct error *err);

	/*
	 * Another source that takes its place for what is asked for, before it is opened, with what that
	 * one wants to know of the event; NULL: none.
	 */
	const struct source *(*stand_in)(struct event *event, const struct capture_options *asked);

	/* Adds names of its events that are like the wanted one. NULL: it has too few to mistype. */
	void (*suggest)(struct near *near, const char *wanted);

	/* What doctor says of it: how it is opened, and what its ledger is held against. */
	void (*tell)(const struct event *event, const struct source_options *options,
		     const struct event_fact_sink *sink);

	/* Frees what parse made, but for the strings of the event. NULL: there is nothing. */
	void (*forget)(struct event *event);

	/* Tells its programs of the event, before they are loaded. NULL: they need not know. */
	void (*configure)(struct topstacks_bpf *skeleton, unsigned int index,
			  const struct event *event);

	/* Finds out whether it can be had here; nothing is sampled yet. event is borrowed. */
	int (*open)(void **state, const struct event *event, const struct source_options *options,
		    struct error *err);

	/* Samples are taken from here on; of one that is_timed, when the generations begin. */
	int (*start)(void *state, struct topstacks_bpf *skeleton, const struct bpf_program *program,
		     struct error *err);

	/* For each process that is a target at the start. NULL: the source does not have to know. */
	int (*add_target)(void *state, int32_t pid, struct error *err);

	/* What happens to targets, and to others, perhaps. NULL: likewise. */
	void (*observe)(void *state, const struct process_event *event);

	/*
	 * The grace period: no program runs any more, when it returns, that ran at the call. Notes
	 * on the way what account tells. NULL: there is nothing to wait for, or the session does
	 * (counts_passages).
	 */
	int (*settle)(void *state, struct error *err);

	/* Charges to a generation that is settled what is open at its end. NULL: nothing ever is. */
	int (*cut)(void *state, uint32_t owned, struct error *err);

	/*
	 * What the maps of a set, which is a generation's, do not have, once that is drained.
	 * NULL: nothing.
	 */
	int (*hand_over)(void *state, struct set *set, uint32_t generation,
			 enum drain_moment moment, const struct capture_sink *sink,
			 struct ledger *ledger);

	/*
	 * Adds to the ledger what should have been sampled until the last settle, and was not.
	 * nr_runs: of the programs for this event since the start, at least up to that settle.
	 */
	void (*account)(void *state, uint64_t nr_runs, struct ledger *ledger);

	/* Of the weight's unit between two samples of a CPU at this rate; NULL, 0: not one number. */
	uint64_t (*period)(const struct event *event, double rate_hz);

	/*
	 * The least kernel.perf_event_max_sample_rate with which this rate is not throttled. NULL,
	 * 0: none is needed.
	 */
	double (*needed_limit_hz)(const struct event *event, double rate_hz);

	/*
	 * Another rate from here on; what the old one still had to say goes to the ledger. NULL: its
	 * events have no rate. Only called for an event that has one.
	 */
	int (*set_rate)(void *state, double rate_hz, uint64_t nr_runs, struct ledger *ledger,
			struct error *err);

	/*
	 * Follows CPUs that came and went, right after a settle. 1: something changed. NULL: it has
	 * nothing for each CPU.
	 */
	int (*follow_cpus)(void *state, struct error *err);

	/* Ends sampling: a settle later all programs have ended. */
	void (*stop)(void *state);
	void (*close)(void *state); /* NULL is fine */
};

extern const struct source cpu_source;		 /* CPU time, by a timer on each CPU */
extern const struct source switch_source;	 /* context switches, each */
extern const struct source counter_source;	 /* what perf counts */
extern const struct source tracepoint_source;	 /* hits of the kernel's tracepoints */
extern const struct source probe_source;	 /* hits of instructions of programs */
extern const struct source alloc_source;	 /* allocations, by bytes */
extern const struct source alloc_running_source; /* the same, of processes that run already */
extern const struct source live_source;		 /* of these, the blocks that are not free */
extern const struct source off_cpu_source;	 /* time that threads do not run */
extern const struct source wall_source;		 /* all of their time */
extern const struct source lock_source;		 /* time that they wait for locks */

/* All sources, in sources/sources.c; ends in NULL. */
extern const struct source *const sources[];

#endif
