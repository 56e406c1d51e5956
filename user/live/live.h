/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the live view shows, and what keys change: everything behind the screen but the screen. It
 * knows no terminal, no clock and no thread; equal calls give equal pictures.
 *
 * A picture is one interval, or the sum of all, or the decayed sum, as the selection leaves it. Rows are
 * made anew for each picture; what stays on them (cursor, order, folds) stays by their ids.
 */
#ifndef TOPSTACKS_LIVE_LIVE_H
#define TOPSTACKS_LIVE_LIVE_H

#include "live/branches.h"
#include "live/flames.h"
#include "live/history.h"
#include "live/series.h"

/* Intervals in a sparkline, the one shown included; a row that is in none of them is new. */
#define MOST_PAST 12

enum mode {
	MODE_INTERVAL,
	MODE_SUM,
	MODE_DECAYED,
	MODES,
};

struct live {
	struct history history;
	struct row_ids ids; /* of the history's dictionary */
	struct selection selection;
	enum mode mode;
	bool stepped;	  /* the frozen picture is one interval, whatever the mode */
	double held_unit; /* of the frozen picture */
	double baseline_unit;
	char *target; /* the last that was told */

	/* The picture. */
	const struct kept *picture; /* NULL: there is none yet */
	const struct profile *profile;
	struct profile *let_through; /* the same, if something is filtered out; else NULL */
	double unit;		     /* of its counts */
	struct tree *tree;	     /* of trees and flames */
	struct live_row *rows;
	size_t nr_rows;
	struct live_box *boxes; /* of flames */
	size_t nr_boxes;
	struct order orders[VIEWS];
	struct folds folds;

	/* past[0]: the interval shown, or the newest one of a sum; past[1]: the one before. */
	struct series past[MOST_PAST];
	struct series baseline;

	/* The row with the cursor: it is followed from the first move on. */
	uint64_t selected; /* ROW_ID_NONE: the first row, whichever it is */
	size_t cursor;	   /* its index, in rows or boxes */
	size_t top;	   /* first row on the screen */
	size_t nr_lines;   /* rows that the screen has room for */
	uint32_t columns;

	/* The answer of live__hottest(), as long as picture and place are the same. */
	struct {
		struct row_place place; /* id ROW_ID_NONE: it is not known yet */
		struct sample sample;
		uint64_t count; /* 0: there is none */
	} hottest;
};

uint64_t live__whole(const struct live *live);	     /* samples of the picture, all of them */
uint64_t live__let_through(const struct live *live); /* samples that rows are made of */
double live__percent(const struct live *live, uint64_t value);

/* The picture stands still; CHANGE is against a picture of before. */
bool live__is_frozen(const struct live *live);
bool live__is_comparing(const struct live *live);

/* What a row has changed, in percent of the whole. is_noise: it may be chance. False: unknown. */
bool live__change(const struct live *live, const struct live_row *row, double *percent,
		  bool *is_noise);

/* It was in none of the intervals before that are kept for sparklines, and there are some. */
bool live__is_new(const struct live *live, uint64_t id);

/* Busy CPUs of the last intervals, oldest first. Returns how many there are, at most MOST_PAST. */
size_t live__spark(const struct live *live, uint64_t id, double *busy);

/*
 * The hottest sample of the picture that passes through a place. count: the samples of all that do.
 * False: there is none.
 */
bool live__hottest(struct live *live, const struct row_place *place, struct sample *hottest,
		   uint64_t *count);

#endif
