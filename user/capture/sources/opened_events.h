/* SPDX-License-Identifier: GPL-2.0-only */
/* The opened events of a session. Each function calls a verb of source.h for all events. */
#ifndef TOPSTACKS_CAPTURE_SOURCES_OPENED_EVENTS_H
#define TOPSTACKS_CAPTURE_SOURCES_OPENED_EVENTS_H

#include "base/common.h"
#include "capture/events/event.h"
#include "capture/events/sample.h"

struct capture_options;
struct cpus;
struct process_event;
struct capture_sink;
struct ledger;
struct set;
struct topstacks_bpf;

/* Zeroed is closed. */
struct opened_events {
	struct events said;
	void *states[ABI_MAX_EVENTS]; /* state of each source; NULL: not open */
};

/*
 * Parses asked->event and opens the events. cpus is borrowed. Returns 0 or negative errno; call
 * opened_events__close in either case.
 */
int opened_events__open(struct opened_events *events, const struct capture_options *asked,
			bool everyone, struct cpus *cpus, struct error *err);
void opened_events__close(struct opened_events *events);

/* Samples one in one_in of the hits that counted events would sample, from here on. */
void opened_events__take_one_in(const struct opened_events *events, struct topstacks_bpf *skeleton,
				uint64_t one_in);

/* Call the verbs of source.h. They return 0 or negative errno. */
int opened_events__start(struct opened_events *events, struct topstacks_bpf *skeleton,
			 struct error *err);
int opened_events__add_target(struct opened_events *events, int32_t pid, struct error *err);
void opened_events__observe(struct opened_events *events, const struct process_event *event);
int opened_events__settle(struct opened_events *events, struct error *err);
/* Charges waits that are open at the end of a settled generation to it. */
int opened_events__cut(struct opened_events *events, uint32_t owned, struct error *err);
int opened_events__hand_over(struct opened_events *events, struct set *set, uint32_t generation,
			     enum drain_moment moment, const struct capture_sink *sink,
			     struct ledger *ledgers);
/* or 1: something changed */
int opened_events__follow_cpus(struct opened_events *events, struct error *err);
void opened_events__stop(struct opened_events *events);

/* Returns true if a source needs process events promptly. */
bool opened_events__follow_processes(const struct opened_events *events);

/* Returns true if a source reports a level, whose stacks may be older than a generation. */
bool opened_events__have_levels(const struct opened_events *events);

/* Returns true if a source charges time to generations. */
bool opened_events__are_timed(const struct opened_events *events);

#endif
