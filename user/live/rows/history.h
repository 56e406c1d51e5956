/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The intervals that are kept to step back through, their sum, and their decaying sum. All share
 * one dictionary. Its size is bounded: the oldest intervals are dropped first.
 */
#ifndef TOPSTACKS_LIVE_ROWS_HISTORY_H
#define TOPSTACKS_LIVE_ROWS_HISTORY_H

#include "profile/recording.h"

/* The unit of the decaying sum, so that fractions of a sample are not lost. */
#define DECAY_UNIT 1024
/* After this many intervals, half of an interval's samples is left in the decaying sum. */
#define DECAY_HALF 4

struct kept {
	uint64_t number;	    /* of the interval, from 1; 0: empty */
	struct recording recording; /* in the history's dictionary */
	/* the profiles of its events in the new dictionary, while one is being made; or NULL */
	struct profile **renewed;
};

/* Copies that stay when their intervals are dropped. */
enum held {
	HELD_FROZEN,   /* the frozen picture */
	HELD_BASELINE, /* the baseline of a comparison */
	HELDS,
};

struct history {
	struct dictionary *dictionary;
	struct kept *intervals; /* oldest first */
	size_t nr_intervals, capacity;
	struct kept sum, decayed; /* number: that of the newest interval in them */
	struct kept held[HELDS];
	uint64_t nr_added;
	size_t max_bytes;
	struct dictionary *fresh; /* the dictionary's replacement; NULL: none is being made */
	uint64_t nr_at_renewal;	  /* nr_added when the dictionary was last replaced */
	char *event; /* the event to show first in all recordings that have it; or NULL */
};

void history__init(struct history *history, size_t max_bytes);
/* Also for a zeroed history. */
void history__fini(struct history *history);

/* Keeps a copy of the next interval. */
void history__add(struct history *history, const struct recording *interval);

/*
 * Keeps the history within max_bytes, one step at a time. 0: it is. 1: there is more to do. 2: the
 * dictionary was replaced: pointers into the old one and to intervals are invalid.
 */
int history__work(struct history *history);

/* Drops all intervals. Those that are held stay valid until they are released. */
void history__reset(struct history *history);

/* The interval with this number, or the nearest one that is kept. NULL: there are none. */
const struct kept *history__find(const struct history *history, uint64_t number);
/* The previous interval, or NULL. */
const struct kept *history__before(const struct history *history, const struct kept *kept);

/* Makes this event the first of all that is kept, and of future intervals. */
void history__show_event(struct history *history, const char *event);

/* Keeps a copy. */
void history__hold(struct history *history, enum held held, const struct kept *kept);
void history__release(struct history *history, enum held held);

#endif
