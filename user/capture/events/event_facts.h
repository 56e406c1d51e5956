/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Facts about an event for people: what would be attached for it, and whether the kernel allows it.
 * Each is a name and a sentence. Texts may quote files and are not safe to print as they are.
 */
#ifndef TOPSTACKS_CAPTURE_EVENTS_EVENT_FACTS_H
#define TOPSTACKS_CAPTURE_EVENTS_EVENT_FACTS_H

#include "base/common.h"

struct capture_options;
struct event;

struct event_fact_sink {
	void *context;
	void (*tell)(void *context, const char *name, const char *text);
};

/* Passes one fact to the sink, cut off at 4 KiB. For sources. */
void event_facts__add(const struct event_fact_sink *sink, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Tells how many hits make a sample of a perf event, and in which modes. For sources. */
void event_facts__add_sampling(const struct event_fact_sink *sink, const struct event *event,
			       double rate_hz);

/*
 * Tells how many hits ("hit", "return") of a tracepoint or a probe make a sample, and which hits
 * count. For sources.
 */
void event_facts__add_hits(const struct event_fact_sink *sink, const struct event *event,
			   const char *hit);

/* Tells all facts about an event under these options. */
void event_facts__tell(const struct event *event, const struct capture_options *asked,
		       const struct event_fact_sink *sink);

/* Opens the event on all CPUs and closes it again. Returns 0, or negative errno with the reason. */
int event_facts__try(const struct event *event, const struct capture_options *asked,
		     struct error *err);

#endif
