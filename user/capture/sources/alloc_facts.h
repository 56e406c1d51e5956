/* SPDX-License-Identifier: GPL-2.0-only */
/* What doctor says of allocations of processes that run: who tells of them, and what it costs where nobody does. */
#ifndef TOPSTACKS_CAPTURE_SOURCES_ALLOC_FACTS_H
#define TOPSTACKS_CAPTURE_SOURCES_ALLOC_FACTS_H

struct capture_options;
struct event_fact_sink;

/* Of the first process that is named. Nothing is said of what is not found: opening the event says why. */
void alloc_facts__tell(const struct capture_options *asked, const struct event_fact_sink *sink);

#endif
