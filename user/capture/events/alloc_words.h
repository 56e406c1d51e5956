/* SPDX-License-Identifier: GPL-2.0-only */
/* Parsing of allocation events: "alloc", "live/period=65536/". */
#ifndef TOPSTACKS_CAPTURE_EVENTS_ALLOC_WORDS_H
#define TOPSTACKS_CAPTURE_EVENTS_ALLOC_WORDS_H

#include "base/common.h"

#define ALLOC_MEAN_BYTES (512 << 10)  /* mean bytes between two samples by default */
#define ALLOC_MOST_BYTES (1ULL << 40) /* largest mean bytes that an event may ask for */

struct event;
struct events;
struct metrics;

/* Implements parse of source.h. Strings in metrics are literals. */
int alloc_words__parse(struct event *event, const char *name, const struct metrics *metrics,
		       struct error *err);

/* Returns the mean number of bytes between two samples. */
uint64_t alloc_words__mean_bytes(const struct event *event);

/* Returns the mean of the alloc event in the list; 0: there is none. */
uint64_t alloc_words__mean_of(const struct events *events);

/*
 * Returns the event list text (NULL: "cpu") with mean_bytes put into its alloc events (0:
 * unchanged), and with live, a live event before each. To be freed. NULL: the list has no alloc
 * event; err is filled.
 */
char *alloc_words__complete(const char *text, uint64_t mean_bytes, bool live, struct error *err);

#endif
