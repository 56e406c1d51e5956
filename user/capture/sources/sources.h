/* SPDX-License-Identifier: GPL-2.0-only */
/* All sources of events, a row each. */
#ifndef TOPSTACKS_CAPTURE_SOURCES_SOURCES_H
#define TOPSTACKS_CAPTURE_SOURCES_SOURCES_H

#include "base/error.h"

struct source;

extern const struct source cpu_source; /* CPU time, by a timer on each CPU */

/* Ends in NULL. */
extern const struct source *const sources[];

/* The source of an event as the user says it, NULL for the first; NULL and err: there is none. */
const struct source *sources__find(const char *words, struct error *err);

#endif
