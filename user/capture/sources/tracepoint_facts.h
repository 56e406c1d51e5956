/* SPDX-License-Identifier: GPL-2.0-only */
/* What doctor says of an event that has fields: a tracepoint's, or a probe's. */
#ifndef TOPSTACKS_CAPTURE_SOURCES_TRACEPOINT_FACTS_H
#define TOPSTACKS_CAPTURE_SOURCES_TRACEPOINT_FACTS_H

struct event;
struct event_fact_sink;

/* Which hits make a sample, what they weigh, the fields, and the ledger. */
void tracepoint_facts__tell(const struct event *event, const struct event_fact_sink *sink);

#endif
