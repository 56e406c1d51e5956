/* SPDX-License-Identifier: GPL-2.0-only */
/* A preset: one name in -e for several events. */
#ifndef TOPSTACKS_CAPTURE_EVENTS_PRESETS_H
#define TOPSTACKS_CAPTURE_EVENTS_PRESETS_H

#include "base/common.h"

struct preset {
	const char *name;
	const char *events;  /* the events, as -e takes them; presets do not nest */
	const char *meaning; /* a few words for lists */
	const char *limits;  /* a sentence about what it misses, without a full stop */
};

/* The last preset has no name. */
extern const struct preset presets[];

/* Finds a preset by a name of length bytes, which need not be terminated; NULL: there is none. */
const struct preset *preset__find(const char *name, size_t length);

/* Returns the first preset in a list of events; NULL: there is none. events may be NULL. */
const struct preset *preset__first(const char *events);

#endif
