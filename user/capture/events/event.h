/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events to sample: parsed from the command line and matched with a source. Nothing is opened yet.
 */
#ifndef TOPSTACKS_CAPTURE_EVENTS_EVENT_H
#define TOPSTACKS_CAPTURE_EVENTS_EVENT_H

#include <linux/perf_event.h>

#include "base/common.h"
#include "capture/events/event_words.h"
#include "profile/metric.h"
#include "topstacks/abi.h"

struct capture_options;
struct uprobe;
struct source;
struct tracepoint;

struct event {
	const struct source *source; /* the source that parsed it, or the one that took over */
	char *name;		     /* in recordings: "cpu-clock", "page-faults:u"; owned */
	char *count_name;	     /* name of its count if that differs from name; owned */
	struct metrics metrics;	     /* strings are literals, or the event's own */
	struct event_words words;    /* as written; owned */
	bool has_rate;		     /* it is sampled at a rate; otherwise it is counted */
	uint64_t one_in;	     /* the program samples one hit in so many; 0: each */

	/* Filled in by the source's parse. */
	struct perf_event_attr attr;
	struct tracepoint *tracepoint; /* owned; for a probe, its fields */
	struct uprobe *probe;	       /* owned */
	/* weight between two samples of a CPU; 0: it varies, or depends on the rate */
	uint64_t period;
	/* takes over where programs can attach to the kernel's own tracepoints; NULL: none */
	const struct source *by_tracepoint;
	/* takes over for programs that cannot have a preloaded library; NULL: none */
	const struct source *without_library;
};

/* Events in the order of -e. The index is the event's number in the kernel. */
struct events {
	struct event list[ABI_MAX_EVENTS];
	size_t nr;
};

/*
 * Parses a list such as "cpu,page-faults:u"; NULL: "cpu". Returns 0 or negative errno with a
 * sentence: unknown, malformed or repeated event, too many events. After an error nothing is to be
 * freed.
 */
int events__parse(struct events *events, const char *text, struct error *err);

/* Zeroed is fine. */
void events__free(struct events *events);

/* Lets other sources take over where these options or the kernel ask for it. Twice is fine. */
void events__choose_sources(struct events *events, const struct capture_options *asked);

/* Returns the weight between two samples of a CPU at this rate; 0: it varies. */
uint64_t event__period(const struct event *event, double rate_hz);

#endif
