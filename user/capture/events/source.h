/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A source of events triggers the BPF programs that take samples, and accounts for them. A source
 * is a file in sources/ and a row in its table. The session only uses these verbs:
 *
 *   parse → open → configure → start → add_target* →
 *   (observe* → settle → account → hand_over → follow_cpus → set_rate)* →
 *   stop → settle → account → hand_over → close
 */
#ifndef TOPSTACKS_CAPTURE_EVENTS_SOURCE_H
#define TOPSTACKS_CAPTURE_EVENTS_SOURCE_H

#include "base/common.h"
#include "capture/events/sample.h"
#include "profile/metric.h"
#include "topstacks/abi.h"

struct bpf_program;
struct capture_sink;
struct capture_options;
struct cpus;
struct event;
struct event_fact_sink;
struct ledger;
struct set;
struct process_event;
struct topstacks_bpf;

/* The headings under which list shows events. */
enum offer_group {
	OFFERS_CPU,
	OFFERS_WAITS,
	OFFERS_MEMORY,
	OFFERS_PRESETS,
	OFFERS_SOFTWARE,
	OFFERS_HARDWARE,
	OFFERS_PMU,
	OFFERS_PROBES,
	OFFERS_TRACEPOINTS,
	OFFER_GROUPS,
};

/* How user stacks are walked: each way has a program of its own. */
enum walk {
	WALK_FRAME_POINTERS,
	WALK_TABLES,
	WALK_INTERPRETERS, /* by tables, too; NULL: the program for tables follows interpreters */
	WALKS,
};

#define IN_CONTEXT(context) (1U << (context))

struct source_options {
	const struct capture_options *asked; /* borrowed during the call */
	double rate_hz;
	bool everyone;	      /* all processes are sampled, and the idle task if the source can */
	struct cpus *cpus;    /* borrowed; the source may mark a CPU as returned */
	unsigned int index;   /* number of the event: the attach cookie of its programs */
	bool has_others;      /* other events are open, whose programs may block this event's */
	bool shares_programs; /* another event uses the same programs */
};

/* Verbs return 0 or negative errno with err filled; state is what open made. */
struct source {
	/* how list and suggestions offer it; NULL: other code lists its names, or it has none */
	const char *name, *meaning;
	enum offer_group group;
	const struct metrics *metrics; /* without parse: of each event; strings are literals */
	bool has_rate;		       /* without parse: its events are sampled at a rate */

	const char *programs[WALKS];	      /* names of the BPF programs that sample */
	const char *const *companions[WALKS]; /* names of further programs it needs; NULL: none */
	/* rights needed after the start beyond the common ones: base/system/rights.h */
	uint64_t later_rights;
	bool counts_passages; /* capture/kernel/grace.h waits for its programs, not settle */
	bool follows_records; /* its programs can walk frame pointers themselves */
	/* its programs run inside __schedule(), which shows in their kernel stacks */
	bool in_switch;
	/*
	 * The source samples waits: its state is a struct switches, and time charged to a
	 * generation is cut off at the generation's end.
	 */
	bool is_timed;
	bool is_level; /* its samples are a state at the end of an interval, not a sum of events */
	uint32_t
		contexts; /* its programs run in these: IN_CONTEXT() of each enum program_context */

	/*
	 * Decides whether the words of the event mean this source, and if so fills in the event.
	 * Returns 1; 0: they mean another source, and the event is unchanged; negative errno with
	 * err filled: they are wrong. Memory of the event is freed by events__free in any case.
	 * NULL: they are the source's name without terms or modes; without a name, no words mean
	 * it.
	 */
	int (*parse)(struct event *event, struct error *err);

	/* Tells facts for doctor: how the event is opened, and what its ledger is compared with. */
	void (*tell)(const struct event *event, const struct source_options *options,
		     const struct event_fact_sink *sink);

	/* Passes the event's settings to its programs before they are loaded. NULL: none. */
	void (*configure)(struct topstacks_bpf *skeleton, unsigned int index,
			  const struct event *event);

	/* Checks that the kernel can do it; nothing is sampled yet. event is borrowed. */
	int (*open)(void **state, const struct event *event, const struct source_options *options,
		    struct error *err);

	/* Starts sampling; a source that is_timed starts when the generations begin. */
	int (*start)(void *state, struct topstacks_bpf *skeleton, const struct bpf_program *program,
		     struct error *err);

	/* Called for each process that is a target at the start. NULL: not needed. */
	int (*add_target)(void *state, int32_t pid, struct error *err);

	/* Called for events of targets, and perhaps of other processes. NULL: not needed. */
	void (*observe)(void *state, const struct process_event *event);

	/*
	 * Waits for the grace period: on return, no program runs that ran at the call. Collects
	 * numbers for account on the way. NULL: nothing to wait for, or counts_passages.
	 */
	int (*settle)(void *state, struct error *err);

	/*
	 * Hands over samples that are not in the maps of a drained generation's set. NULL: there
	 * are none.
	 */
	int (*hand_over)(void *state, struct set *set, uint32_t generation,
			 enum drain_moment moment, const struct capture_sink *sink,
			 struct ledger *ledger);

	/*
	 * Adds to the ledger the samples that were due until the last settle but not taken.
	 * nr_runs: program runs for this event since the start, complete up to that settle.
	 */
	void (*account)(void *state, uint64_t nr_runs, struct ledger *ledger);

	/*
	 * Changes the rate; the last counts of the old rate go to the ledger. NULL: its events have
	 * no rate. Only called for an event that has one.
	 */
	int (*set_rate)(void *state, double rate_hz, uint64_t nr_runs, struct ledger *ledger,
			struct error *err);

	/*
	 * Follows CPUs that came and went; called right after a settle. Returns 1 if something
	 * changed. NULL: nothing is per CPU.
	 */
	int (*follow_cpus)(void *state, struct error *err);

	/* Ends sampling. After one more settle no program runs any more. */
	void (*stop)(void *state);
	void (*close)(void *state); /* NULL is fine */
};

extern const struct source cpu_source;		 /* CPU time, by a timer on each CPU */
extern const struct source switch_source;	 /* each context switch */
extern const struct source counter_source;	 /* perf's counters */
extern const struct source tracepoint_source;	 /* hits of kernel tracepoints */
extern const struct source probe_source;	 /* hits of instructions in programs */
extern const struct source alloc_source;	 /* allocations, by bytes */
extern const struct source alloc_running_source; /* the same for processes that already run */
extern const struct source live_source;		 /* allocated blocks, not freed yet */
extern const struct source off_cpu_source;	 /* time that threads spend off the CPU */
extern const struct source wall_source;		 /* all of their time */

/* All sources, in sources/sources.c, which declares those that no other file names; ends in NULL. */
extern const struct source *const sources[];

#endif
