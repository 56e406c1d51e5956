/* SPDX-License-Identifier: GPL-2.0-only */
/* The events of a session, from what was said to what is open: each verb of a source for all of them. */
#ifndef TOPSTACKS_CAPTURE_SOURCES_OPENED_EVENTS_H
#define TOPSTACKS_CAPTURE_SOURCES_OPENED_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
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
	void *states[ABI_MAX_EVENTS]; /* of the sources; NULL: not open */
};

/*
 * Finds the events, and opens them. The sources' open says what else. cpus is borrowed. 0 or negative
 * errno; opened_events__close is to be called all the same.
 */
int opened_events__open(struct opened_events *events, const struct capture_options *asked,
			bool everyone, struct cpus *cpus, struct error *err);
void opened_events__close(struct opened_events *events);

/* Of the samples that counted events would have, one in so many is taken from here on. */
void opened_events__take_one_in(const struct opened_events *events, struct topstacks_bpf *skeleton,
				uint64_t one_in);

/* The verbs of source.h. 0 or negative errno. */
int opened_events__start(struct opened_events *events, struct topstacks_bpf *skeleton,
			 struct error *err);
int opened_events__add_target(struct opened_events *events, int32_t pid, struct error *err);
void opened_events__observe(struct opened_events *events, const struct process_event *event);
int opened_events__settle(struct opened_events *events, struct error *err);
int opened_events__cut(struct opened_events *events, uint32_t owned, struct error *err);
int opened_events__hand_over(struct opened_events *events, struct set *set, uint32_t generation,
			     enum drain_moment moment, const struct capture_sink *sink,
			     struct ledger *ledgers);
int opened_events__follow_cpus(struct opened_events *events, struct error *err); /* 1, too */
void opened_events__stop(struct opened_events *events);

/* Whether one of them has to hear at once of what happens to processes. */
bool opened_events__follow_processes(const struct opened_events *events);

/* Whether one of them tells what there is, which may be older than a generation. */
bool opened_events__have_levels(const struct opened_events *events);

/* Whether one of them is charged to generations by time. */
bool opened_events__are_timed(const struct opened_events *events);

#endif
