/* SPDX-License-Identifier: GPL-2.0-only */
/* From what the user says of a tracepoint or a probe to what its program is told: a weight, and conditions. */
#ifndef TOPSTACKS_CAPTURE_EVENTS_TRACEPOINT_TERMS_H
#define TOPSTACKS_CAPTURE_EVENTS_TRACEPOINT_TERMS_H

#include "base/error.h"

struct event;
struct event_words;
struct tracepoint;

/* Fills in the tracepoint's settings. 0, or negative errno with a sentence (EXIT_USAGE). */
int tracepoint_terms__apply(struct tracepoint *tracepoint, const struct event_words *words,
			    struct error *err);

/* What fields of that name are known to hold; NULL: nothing in particular. */
const char *tracepoint_terms__known_unit(const char *field);

/* The metrics of such an event, whose names are made. */
void tracepoint_terms__describe(struct event *event);

#endif
