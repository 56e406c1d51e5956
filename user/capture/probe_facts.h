/* SPDX-License-Identifier: GPL-2.0-only */
/* What doctor says of a probe: where it would be put, and what a hit costs. Nobody samples meanwhile. */
#ifndef TOPSTACKS_CAPTURE_PROBE_FACTS_H
#define TOPSTACKS_CAPTURE_PROBE_FACTS_H

#include "base/error.h"

struct event;
struct event_fact_sink;

void probe_facts__tell(const struct event *event, const struct event_fact_sink *sink);

/* Whether there is such a place, in a file that is named by its path. 0 or negative errno with a sentence. */
int probe_facts__try(const struct event *event, struct error *err);

#endif
