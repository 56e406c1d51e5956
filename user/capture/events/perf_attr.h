/* SPDX-License-Identifier: GPL-2.0-only */
/* From what a user says of a perf event to what perf_event_open(2) takes. */
#ifndef TOPSTACKS_CAPTURE_EVENTS_PERF_ATTR_H
#define TOPSTACKS_CAPTURE_EVENTS_PERF_ATTR_H

#include <linux/perf_event.h>

#include "base/error.h"

struct event_words;

/*
 * Fills type, configs, modes that are left out, and how often a sample is taken: each event of the
 * kernel's, and events of hardware so often a second, where nothing else is said; a frequency of 0 is for
 * the caller to fill in. PMUs are described below the directory (PMU_DIRECTORY in capture/events/pmu.h).
 *
 * 1, and *name is for recordings: without what says how often, each event with one name only; the
 * caller's to free. 0: these are no words for a perf event. Negative errno: they are, and err says what
 * is wrong.
 */
int perf_attr__fill(struct perf_event_attr *attr, const struct event_words *words,
		    const char *directory, char **name, struct error *err);

#endif
