/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs at the scheduler's switches. They charge to a generation the part of a wait that lies in
 * its time; a pass over all threads charges the waits that are still open when a generation ends. A
 * source built of them uses struct switches as its state and the functions below as verbs, and a
 * session has one such source. If its event has a rate, running threads are sampled, too, by the
 * timers of cpu.
 *
 * The ledger's events are the waits that ended. It also has how threads spent all of their time,
 * and the scheduler's own account of that.
 */
#ifndef TOPSTACKS_CAPTURE_SOURCES_SWITCHES_H
#define TOPSTACKS_CAPTURE_SOURCES_SWITCHES_H

#include "base/common.h"

struct bpf_program;
struct event;
struct event_fact_sink;
struct ledger;
struct source_options;
struct topstacks_bpf;

/* Values of a source's companions; more may follow. */
#define SWITCH_HOOKS		    "on_contend", "on_contend_end", "on_ending", "on_birth", "on_begin"
#define SWITCH_COMPANIONS	    SWITCH_HOOKS, "on_waker", "on_cut", "on_asleep"
#define SWITCH_COMPANIONS_BY_TABLES SWITCH_HOOKS, "on_waker_unwind", "on_cut", "on_asleep_unw"

#define SWITCH_CONTEXTS \
	(IN_CONTEXT(CONTEXT_SWITCH) | IN_CONTEXT(CONTEXT_CUT) | IN_CONTEXT(CONTEXT_ASLEEP))

/* The fields that all sources of waits have in common. */
#define SWITCH_VERBS                                                                              \
	.programs = {[WALK_FRAME_POINTERS] = "on_sched", [WALK_TABLES] = "on_sched_unwind"},      \
	.group = OFFERS_WAITS, .follows_records = true, .is_timed = true, .open = switches__open, \
	.start = switches__start, .settle = switches__settle, .account = switches__account,       \
	.stop = switches__stop, .close = switches__close

/* The fields that those without timers have in common. */
#define SWITCH_SOURCE                                                                             \
	SWITCH_VERBS,                                                                             \
		.companions = {[WALK_FRAME_POINTERS] =                                            \
				       (const char *const[]){SWITCH_COMPANIONS, NULL},            \
			       [WALK_TABLES] =                                                    \
				       (const char *const[]){SWITCH_COMPANIONS_BY_TABLES, NULL}}, \
		.contexts = SWITCH_CONTEXTS

/* Implement the verbs of source.h. */
void switches__tell(const struct event *event, const struct source_options *options,
		    const struct event_fact_sink *sink);
void switches__configure(struct topstacks_bpf *skeleton, unsigned int index,
			 const struct event *event);
int switches__open(void **state, const struct event *event, const struct source_options *options,
		   struct error *err);
int switches__start(void *state, struct topstacks_bpf *skeleton, const struct bpf_program *program,
		    struct error *err);
int switches__settle(void *state, struct error *err);
void switches__account(void *state, uint64_t nr_runs, struct ledger *ledger);
int switches__set_rate(void *state, double rate_hz, uint64_t nr_runs, struct ledger *ledger,
		       struct error *err);
int switches__follow_cpus(void *state, struct error *err);
void switches__stop(void *state);
void switches__close(void *state);

/*
 * Charges the waits that are still open at the end of a settled generation to it. Returns 0 or
 * negative errno.
 */
int switches__cut(void *state, struct error *err);

#endif
