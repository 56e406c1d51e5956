/* SPDX-License-Identifier: GPL-2.0-only */
/* From what the user says of a tracepoint to what its program is told: a weight, and conditions. */
#ifndef TOPSTACKS_CAPTURE_TRACEPOINT_TERMS_H
#define TOPSTACKS_CAPTURE_TRACEPOINT_TERMS_H

#include "base/error.h"

struct event_words;
struct tracepoint;

/* Fills in the tracepoint's settings. 0, or negative errno with a sentence (EXIT_USAGE). */
int tracepoint_terms__apply(struct tracepoint *tracepoint, const struct event_words *words,
			    struct error *err);

/* What fields of that name are known to hold; NULL: nothing in particular. */
const char *tracepoint_terms__known_unit(const char *field);

/* What the weight is measured in: what was said, else what such a field is known to hold, else its name. */
const char *tracepoint_terms__unit(const struct event_words *words);

#endif
