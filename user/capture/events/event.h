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
	const struct source *source; /* the source that parsed it */
	char *name;		     /* in recordings: "cpu-clock", "page-faults:u"; owned */
	char *count_name;	     /* name of its count if that differs from name; owned */
	struct metrics metrics;	     /* strings are literals, or the event's own */
	struct event_words words;    /* as written; owned */
	bool has_rate;		     /* it is sampled at a rate; otherwise it is counted */
	uint64_t one_in;	     /* the program samples one hit in so many; 0: each */

	/* Filled in by the source's parse. */
	struct perf_event_attr attr;
	struct tracepoint *tracepoint; /* freed by the source's forget; for a probe, its fields */
	struct uprobe *probe;	       /* freed by the source's forget */
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

/*
 * Replaces sources by those that stand in for them under these options. Calling it twice is fine.
 */
void events__choose_sources(struct events *events, const struct capture_options *asked);

#endif
