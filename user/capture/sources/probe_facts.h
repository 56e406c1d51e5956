/* SPDX-License-Identifier: GPL-2.0-only */
/* What doctor says of a probe: where it goes, and what a hit costs here. */
#ifndef TOPSTACKS_CAPTURE_SOURCES_PROBE_FACTS_H
#define TOPSTACKS_CAPTURE_SOURCES_PROBE_FACTS_H

struct event;
struct event_fact_sink;
struct source_options;

/* Nothing is said of a place that is not found: opening the event says why. */
void probe_facts__tell(const struct event *event, const struct source_options *options,
		       const struct event_fact_sink *sink);

#endif
