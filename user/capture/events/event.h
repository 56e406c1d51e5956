/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events to sample: what the user says, found in the table of sources. Nothing is opened yet.
 */
#ifndef TOPSTACKS_CAPTURE_EVENTS_EVENT_H
#define TOPSTACKS_CAPTURE_EVENTS_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "capture/events/event_words.h"
#include "profile/metric.h"
#include "topstacks/abi.h"

struct capture_options;
struct uprobe;
struct source;
struct tracepoint;

struct event {
	const struct source *source; /* that understands it */
	char *name;		     /* in recordings: "cpu-clock", "page-faults:u"; owned */
	char *count_name;	     /* of its count, if that has another; owned */
	struct metrics metrics;	     /* strings are literals, or the event's own */
	struct event_words words;    /* as said; the event's own */
	bool has_rate;		     /* it is sampled so often a second; else it is counted */
	uint64_t one_in;	     /* of hits the program takes one in so many; 0: each */

	/* What the source makes of the words. */
	struct perf_event_attr attr;
	struct tracepoint *tracepoint; /* freed by the source's forget; of a probe, its fields */
	struct uprobe *probe;	       /* likewise */
};

/* By their order in what was said, which is their number in the kernel. */
struct events {
	struct event list[ABI_MAX_EVENTS];
	size_t nr;
};

/*
 * "cpu,page-faults:u"; NULL: cpu. 0 or negative errno with a sentence: no such event, one that is said
 * wrong or twice, too many. Nothing is to be freed after an error.
 */
int events__parse(struct events *events, const char *text, struct error *err);

/* Zeroed is fine. */
void events__free(struct events *events);

/* Puts sources in the place of those that others stand in for, of what is asked for. Twice is fine. */
void events__choose_sources(struct events *events, const struct capture_options *asked);

#endif
