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

#include "base/map.h"
#include "live/rows/arrange.h"
#include "live/rows/flames.h"
#include "live/rows/history.h"
#include "live/rows/states.h"
#include "profile/certainty.h"
#include "views/views.h"

/* Intervals in a sparkline, the one shown included; a row that is in none of them is new. */
#define MOST_PAST 12

enum mode {
	MODE_INTERVAL,
	MODE_SUM,
	MODE_DECAYED,
	MODES,
};

/* Of the stacks that pass through a row, as the view of stacks tells them apart. */
struct hottest_stack {
	struct sample sample; /* one of the stack's */
	uint64_t count;	      /* of all its samples */
	uint64_t whole;	      /* of all that pass through the row; 0: there are none */
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
	struct profile *idle; /* of it, what waits for work; NULL: nothing, or in no row (idle.h) */
	struct profile
		*others; /* and what does not, if that alone has rows of its own; else NULL */
	double unit;	 /* of its counts */
	struct certainty certainty; /* of its shares */
	enum tie *ties;		    /* of rows; NULL: they are not told apart by their values */
	struct tree *tree;	    /* of trees and flames */
	struct live_row *rows;
	size_t nr_rows, rows_capacity;
	struct states states;	/* of rows */
	struct live_box *boxes; /* of flames */
	size_t nr_boxes;
	struct order orders[VIEWS];
	bool shows_noise, shows_idle;
	enum errors errors; /* whether error bars are shown */
	struct map folds;   /* rows of the tree that were listed: struct fold of branches.c */

	/* past[0]: the interval shown, or the newest one of a sum; past[1]: the one before. */
	struct series past[MOST_PAST];
	struct series baseline;
	struct series decayed; /* the decaying sum; number 0: it is to be made */

	/* The row with the cursor: it is followed from the first move on. */
	uint64_t selected;    /* ROW_ID_NONE: the first row, whichever it is */
	size_t cursor;	      /* its index, in rows or boxes */
	size_t top;	      /* first row on the screen */
	size_t nr_lines;      /* rows that the screen has room for */
	size_t table_columns; /* of the table, when it was last drawn */
	uint32_t columns;

	/* The answer of live__hottest(), as long as picture and place are the same. */
	struct row_place hottest_place; /* id ROW_ID_NONE: it is not known yet */
	struct hottest_stack hottest;
};

/*
 * ---- the picture (picture.c) ----
 *
 * All of it is made anew when an interval comes or the selection changes. What makes it returns 0 or
 * -ENOMEM (or what else it says), leaves a whole picture, and what pictures pointed to before is
 * dead.
 */

/* max_bytes: of the intervals that are kept. */
int live__init(struct live *live, size_t max_bytes);
void live__fini(struct live *live);

int live__add(struct live *live, const struct recording *interval);

/* A bit of what can wait: one more past interval made comparable, bounds kept. 0: all is done. */
int live__work(struct live *live);

/* Room for rows, and columns for flames. */
int live__resize(struct live *live, size_t nr_lines, uint32_t columns);

/* Of the counts of a picture. */
double live__unit_of(const struct live *live, const struct kept *kept);

/* Makes the picture anew. */
int live__refresh(struct live *live);

/* The order of the view that is shown. */
struct rows_order live__order(struct live *live);

/* The same in another view or of another time: rows stand where they stood when they were last there. */
int live__turn_to(struct live *live);

/* The same under another selection: rows are others, so nothing remembered of them holds. */
int live__select_anew(struct live *live);

/* Rows have no places any more: they get them by the decaying sum. */
void live__forget_order(struct live *live);

/* ---- what is told of a row beside its count (live.c) ---- */

uint64_t live__whole(const struct live *live);	     /* samples of the picture, all of them */
uint64_t live__let_through(const struct live *live); /* samples that are left of them */
const struct profile *live__listed(const struct live *live); /* of these, what rows are made of */
double live__percent(const struct live *live, uint64_t value);

/* What one sample of the picture, which there is, weighs in the mean; 1 if samples are shown. */
double live__sample_weight(const struct live *live);

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

/* The hottest stack of the picture that passes through a place. 0; 1: there is none; or -ENOMEM. */
int live__hottest(struct live *live, const struct row_place *place, struct hottest_stack *hottest);

/* ---- the cursor: it follows its row, or its box of the flames, wherever they go (cursor.c) ---- */

/* Where the row that is followed is now, and what of the rows is on the screen. */
void live__find_cursor(struct live *live);

void live__move(struct live *live, long by);
void live__move_to(struct live *live, size_t index);
/* In flames: 1 to the parent, -1 to the widest child; and to the left (-1) or right. */
void live__move_up(struct live *live, int by);
void live__move_aside(struct live *live, int by);

/* The place of the row with the cursor; id ROW_ID_NONE: there are no rows. */
struct row_place live__place(const struct live *live);

/* ---- what keys do to the picture (actions.c) ---- */

int live__set_view(struct live *live, enum view view);
int live__set_mode(struct live *live, enum mode mode);

/* Rows stand by the decaying sum of the past, wherever they stood. */
int live__sort(struct live *live);
int live__set_merge(struct live *live,
		    enum merge merge);	   /* of the view: processes have their own */
int live__reverse(struct live *live);	   /* trees and flames */
int live__toggle_total(struct live *live); /* functions and modules */
int live__hide(struct live *live, bool kernel, bool user);

/* -EINVAL with err filled: no regular expression; then nothing has changed. */
int live__set_pattern(struct live *live, const char *pattern, struct error *err);

/* As --state and --wait; "": all. -EINVAL with err filled, and nothing has changed: a word is unknown. */
int live__set_waits(struct live *live, const char *states, const char *kinds, struct error *err);

/* Only what passes through the row with the cursor, in all views. */
int live__zoom(struct live *live);
int live__unzoom(struct live *live);

/* The row with the cursor, a branch of the tree, what is noise or what is idle; all branches that are listed. */
int live__fold(struct live *live, bool folded);
int live__fold_all(struct live *live, bool folded);

int live__freeze(struct live *live, bool frozen);
/* -1: the interval before the one shown. The picture stays there. */
int live__step(struct live *live, int by);
/* Nothing will follow: a last interval that was cut short does not take the picture away. */
int live__end(struct live *live);
/* Compares with what is shown now from here on; or no longer. */
int live__compare(struct live *live, bool on);
int live__reset(struct live *live);

/* The next event of the run, in turn, is shown; *event is its name, NULL: there is no other. */
int live__next_event(struct live *live, const char **event);

#endif
