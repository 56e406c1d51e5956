/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of a PMU, the unit of a processor that counts: PMU/event=0x3c,umask=1/ or PMU/NAME/. The
 * kernel has files that define the words:
 *
 *	cpu/type			"4": goes to perf_event_open(2)
 *	cpu/format/umask		"config:8-15": the bits of which number a term sets
 *	cpu/events/cpu-cycles		"event=0x3c": the terms that a name stands for
 */
#ifndef TOPSTACKS_CAPTURE_EVENTS_PMU_H
#define TOPSTACKS_CAPTURE_EVENTS_PMU_H

#include <linux/perf_event.h>

#include "base/common.h"

struct event_words;
struct suggestions;

#define PMU_DIRECTORY "/sys/bus/event_source/devices"

/* Returns 0 or negative errno; -ENOENT: there is no such PMU. */
int pmu__read_type(const char *directory, const char *name, uint32_t *type);

/*
 * Fills in type, config, config1 and config2 from words whose name is a PMU. Returns 0 or negative
 * errno with a sentence: unknown PMU, term or name, a number too large for its term, a malformed
 * kernel file.
 */
int pmu__configure(const char *directory, const struct event_words *words,
		   struct perf_event_attr *attr, struct error *err);

/* Adds PMUs whose names are similar to the wanted one. */
void pmu__suggest(const char *directory, const char *wanted, struct suggestions *near);

#endif
