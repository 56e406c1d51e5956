/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Translates the terms of a tracepoint or probe into the settings of its program: a weight and
 * conditions.
 */
#ifndef TOPSTACKS_CAPTURE_EVENTS_TRACEPOINT_TERMS_H
#define TOPSTACKS_CAPTURE_EVENTS_TRACEPOINT_TERMS_H

#include "base/common.h"

struct event;
struct event_words;
struct tracepoint;

/* Fills in the tracepoint's settings. Returns 0, or negative errno with a sentence (EXIT_USAGE). */
int tracepoint_terms__apply(struct tracepoint *tracepoint, const struct event_words *words,
			    struct error *err);

/* Returns the unit that fields of that name usually have; NULL: unknown. */
const char *tracepoint_terms__known_unit(const char *field);

/* Fills in the metrics and the period of the event, whose names must be set. */
void tracepoint_terms__describe(struct event *event);

#endif
