/* SPDX-License-Identifier: GPL-2.0-only */
/* How events of allocations are said: "alloc", "live/period=65536/". */
#ifndef TOPSTACKS_CAPTURE_EVENTS_ALLOC_WORDS_H
#define TOPSTACKS_CAPTURE_EVENTS_ALLOC_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define ALLOC_MEAN_BYTES (512 << 10)  /* between two samples, unless it is said */
#define ALLOC_MOST_BYTES (1ULL << 40) /* likewise, that can be said */

struct event;
struct events;
struct metrics;

/* As parse of source.h; metrics' strings are literals. */
int alloc_words__parse(struct event *event, const char *name, const struct metrics *metrics,
		       struct error *err);

/* How many bytes are allocated from sample to sample, on average. */
uint64_t alloc_words__mean_bytes(const struct event *event);

/* Of the event among these that samples allocations; 0: there is none. */
uint64_t alloc_words__mean_of(const struct events *events);

/*
 * The events of text (NULL: cpu) with a mean (0: as said), and with what is live before what is allocated. To be
 * freed. NULL: out of memory, or, with err, none of them is of allocations.
 */
char *alloc_words__complete(const char *text, uint64_t mean_bytes, bool live, struct error *err);

#endif
