/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The intervals that are kept to step back through, their sum, and their decayed sum. All share one
 * dictionary, and all of it stays within a number of bytes: the oldest intervals go first.
 */
#ifndef TOPSTACKS_LIVE_ROWS_HISTORY_H
#define TOPSTACKS_LIVE_ROWS_HISTORY_H

#include "profile/recording.h"

/* The decayed sum counts in this unit, so that a part of a sample is not lost. */
#define DECAY_UNIT 1024
/* After so many intervals half of an interval's samples is left of it. */
#define DECAY_HALF 4

struct kept {
	uint64_t number;	    /* of the interval, from 1; 0: nothing is kept here */
	struct recording recording; /* in the history's dictionary */
	struct profile **renewed; /* of its events in the dictionary that is being made, or NULL */
};

/* Copies that stay when their intervals go. */
enum held {
	HELD_FROZEN,   /* the picture that stands still */
	HELD_BASELINE, /* what others are compared with */
	HELDS,
};

struct history {
	struct dictionary *dictionary;
	struct kept *intervals; /* oldest first */
	size_t nr_intervals, capacity;
	struct kept sum, decayed; /* number: of the last interval in them */
	struct kept held[HELDS];
	uint64_t nr_added;
	size_t max_bytes;
	struct dictionary *fresh; /* that will replace the dictionary; NULL: none is being made */
	uint64_t nr_at_renewal;	  /* nr_added when the last one was made */
	char *event;		  /* the first of all recordings, where they have it; or NULL */
};

/* 0 or -ENOMEM. */
int history__init(struct history *history, size_t max_bytes);
/* Zeroed is fine. */
void history__fini(struct history *history);

/* Keeps a copy of the next interval. 0 or -ENOMEM. */
int history__add(struct history *history, const struct recording *interval);

/*
 * Keeps it within its bytes, a bit at a time. 0: it is. 1: there is more to do. 2: the dictionary
 * is another one, and pointers into the old one and to intervals are dead. Or -ENOMEM.
 */
int history__work(struct history *history);

/* As if nothing had been added; what is held stays. 0 or -ENOMEM. */
int history__reset(struct history *history);

/* The interval of this number, or the oldest that is younger. NULL: there are none. */
const struct kept *history__find(const struct history *history, uint64_t number);
/* The interval before it, or NULL. */
const struct kept *history__before(const struct history *history, const struct kept *kept);

/* Makes this event the first of all that is kept, and of what comes. 0 or -ENOMEM. */
int history__show_event(struct history *history, const char *event);

/* Keeps a copy. 0 or -ENOMEM. */
int history__hold(struct history *history, enum held held, const struct kept *kept);
void history__release(struct history *history, enum held held);

#endif
