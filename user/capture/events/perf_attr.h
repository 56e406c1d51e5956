/* SPDX-License-Identifier: GPL-2.0-only */
/* Translates a parsed perf event into a struct perf_event_attr. */
#ifndef TOPSTACKS_CAPTURE_EVENTS_PERF_ATTR_H
#define TOPSTACKS_CAPTURE_EVENTS_PERF_ATTR_H

#include <linux/perf_event.h>

#include "base/common.h"

struct event_words;

/*
 * Fills in type, configs, excluded modes and the sampling period. By default each software event is
 * a sample, and hardware events are sampled at a rate; the caller replaces a frequency of 0. PMUs
 * are described below the directory (PMU_DIRECTORY in capture/events/pmu.h).
 *
 * Returns 1 and *name, the event's name in recordings, to be freed; it omits period and rate, and
 * each event has one name only. Returns 0 if the words are no perf event, or negative errno with a
 * sentence if they are an invalid one.
 */
int perf_attr__fill(struct perf_event_attr *attr, const struct event_words *words,
		    const char *directory, char **name, struct error *err);

#endif
