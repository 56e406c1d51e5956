/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What would be attached for an event, and whether it can be: facts for people, a name and a sentence each.
 * Texts may hold what comes from files, and are not safe to print as they are.
 */
#ifndef TOPSTACKS_CAPTURE_EVENTS_EVENT_FACTS_H
#define TOPSTACKS_CAPTURE_EVENTS_EVENT_FACTS_H

#include "base/error.h"

struct capture_options;
struct event;

struct event_fact_sink {
	void *context;
	void (*tell)(void *context, const char *name, const char *text);
};

/* One fact, cut off at 4 KiB. For sources. */
void event_facts__add(const struct event_fact_sink *sink, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* How many hits make a sample of a perf event, and in which modes. Likewise. */
void event_facts__add_sampling(const struct event_fact_sink *sink, const struct event *event,
			       double rate_hz);

/* How many hits ("hit", "return") of a tracepoint or a probe make a sample, and which. Likewise. */
void event_facts__add_hits(const struct event_fact_sink *sink, const struct event *event,
			   const char *hit);

/* All of an event's, if it were sampled so. */
void event_facts__tell(const struct event *event, const struct capture_options *asked,
		       const struct event_fact_sink *sink);

/* Opens it on all CPUs, and closes it again. 0, or negative errno with the sentence why it cannot be had. */
int event_facts__try(const struct event *event, const struct capture_options *asked,
		     struct error *err);

#endif
