/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The contents of the live view, and the effects of keys on them: everything behind the screen. It
 * knows no terminal, no clock and no thread: equal calls give equal pictures.
 *
 * A picture is one interval, the sum of all, or the decaying sum, filtered by the selection. The
 * rows are made anew for each picture. The cursor, the order and the folds refer to rows by their
 * ids.
 */
#ifndef TOPSTACKS_LIVE_LIVE_H
#define TOPSTACKS_LIVE_LIVE_H

#include "base/common.h"
#include "live/rows/arrange.h"
#include "live/rows/flames.h"
#include "live/rows/history.h"
#include "live/rows/states.h"
#include "profile/certainty.h"
#include "views/views.h"

/* Intervals in a sparkline, including the shown one. A row that is in none of the others is new. */
#define MOST_PAST 12

enum mode {
	MODE_INTERVAL,
	MODE_SUM,
	MODE_DECAYED,
	MODES,
};

/*
 * The hottest of the stacks that pass through a row. Stacks are distinguished as in the stacks
 * view.
 */
struct hottest_stack {
	struct sample sample; /* one of the stack's samples */
	uint64_t count;	      /* samples of the stack */
	uint64_t whole;	      /* samples of all stacks through the row; 0: there are none */
};

struct live {
	struct history history;
	struct row_ids ids; /* for the history's dictionary */
	struct selection selection;
	enum mode mode;
	bool stepped;	  /* the frozen picture is one interval, in every mode */
	double held_unit; /* unit of the frozen picture */
	double baseline_unit;
	char *target; /* as the latest interval names it */

	/* The picture. */
	const struct kept *picture; /* NULL: none yet */
	const struct profile *profile;
	struct profile *let_through; /* the filtered profile; NULL: nothing is filtered out */
	/* the part of it that waits for work; NULL: none, or it has no row (noise.h) */
	struct profile *idle;
	struct profile *others; /* the rest of it, if only the rest is listed as rows; else NULL */
	double unit;		/* of its counts */
	struct certainty certainty; /* of its shares */
	enum tie *ties;		    /* of the rows; NULL: rows are not compared by their values */
	struct tree *tree;	    /* for the tree and flames views */
	struct live_row *rows;
	size_t nr_rows, rows_capacity;
	struct states states;	/* of the rows */
	struct live_box *boxes; /* for the flames view */
	size_t nr_boxes;
	struct order orders[VIEWS];
	bool shows_noise, shows_idle;
	enum errors errors; /* when error bars are shown */
	struct map folds;   /* rows of the tree that were ever listed: struct fold of branches.c */

	/* past[0]: the shown interval, or the newest one of a sum; past[1]: the one before it. */
	struct series past[MOST_PAST];
	struct series baseline;
	struct series decayed; /* the decaying sum; number 0: not made yet */

	/* The row with the cursor. After the first move the cursor follows it. */
	uint64_t selected;    /* ROW_ID_NONE: always the first row */
	size_t cursor;	      /* its index in rows or boxes */
	size_t top;	      /* the first row on the screen */
	size_t nr_lines;      /* number of rows that fit on the screen */
	size_t table_columns; /* width of the table when it was last drawn */
	uint32_t columns;

	/* The latest answer of live__hottest(), valid while picture and place are the same. */
	struct row_place hottest_place; /* id ROW_ID_NONE: not computed yet */
	struct hottest_stack hottest;
};

/*
 * ---- the picture (picture.c) ----
 *
 * The picture is made anew when an interval comes or the selection changes. The functions that make
 * it return 0, or -EINVAL if the filter cannot be applied (unless stated otherwise), leave a
 * complete picture, and invalidate pointers into the previous one.
 */

/* max_bytes: bound of the kept intervals. */
void live__init(struct live *live, size_t max_bytes);
void live__fini(struct live *live);

int live__add(struct live *live, const struct recording *interval);

/*
 * Does a bit of the deferred work: makes one more past interval comparable, or keeps the history
 * within its bounds. 0: nothing is left to do.
 */
int live__work(struct live *live);

/* Sets the number of rows that fit, and of columns for flames. */
int live__resize(struct live *live, size_t nr_lines, uint32_t columns);

/* The unit of an interval's counts. */
double live__unit_of(const struct live *live, const struct kept *kept);

/* Makes the picture anew. */
int live__refresh(struct live *live);

/* The order of the rows in the current view. */
struct rows_order live__order(struct live *live);

/*
 * Makes the picture anew after a change of the view or the time. Rows keep the places that they had
 * in that view.
 */
int live__turn_to(struct live *live);

/*
 * Makes the picture anew after a change of the selection. The rows differ then, so the remembered
 * order is dropped.
 */
int live__select_anew(struct live *live);

/* Forgets the places of the rows. They get new ones by the decaying sum. */
void live__forget_order(struct live *live);

/* ---- what is shown of a row beside its count (live.c) ---- */

uint64_t live__whole(const struct live *live);	     /* all samples of the picture */
uint64_t live__let_through(const struct live *live); /* those of them that pass the filters */
/* the part of those that rows are made of */
const struct profile *live__listed(const struct live *live);
double live__percent(const struct live *live, uint64_t value);

/*
 * The mean weight of a sample in the picture, which must exist. 1 if counts of samples are shown.
 */
double live__sample_weight(const struct live *live);

/* True if the picture is frozen; if CHANGE compares with a held picture. */
bool live__is_frozen(const struct live *live);
bool live__is_comparing(const struct live *live);

/*
 * The change of a row in percent points of the whole. is_noise: it may be chance. False: unknown.
 */
bool live__change(const struct live *live, const struct live_row *row, double *percent,
		  bool *is_noise);

/* True if there are earlier intervals for sparklines, and the row is in none of them. */
bool live__is_new(const struct live *live, uint64_t id);

/* The busy CPUs of the last intervals, oldest first. Returns their number, at most MOST_PAST. */
size_t live__spark(const struct live *live, uint64_t id, double *busy);

/*
 * Finds the hottest stack of the picture that passes through a place. False: there is none.
 */
bool live__hottest(struct live *live, const struct row_place *place, struct hottest_stack *hottest);

/* ---- the cursor follows its row, or its box in the flames view (cursor.c) ---- */

/* Finds the followed row again, and scrolls so that it is on the screen. */
void live__find_cursor(struct live *live);

void live__move(struct live *live, long by);
void live__move_to(struct live *live, size_t index);
/* In flames: by 1 to the parent, -1 to the widest child; aside: -1 to the left, 1 to the right. */
void live__move_up(struct live *live, int by);
void live__move_aside(struct live *live, int by);

/* The place of the row with the cursor. id ROW_ID_NONE: there are no rows. */
struct row_place live__place(const struct live *live);

/* ---- actions of keys on the picture (actions.c) ---- */

int live__set_view(struct live *live, enum view view);
int live__set_mode(struct live *live, enum mode mode);

/* Sorts the rows by the decaying sum, regardless of their previous places. */
int live__sort(struct live *live);
int live__set_merge(struct live *live,
		    enum merge merge);	   /* for the current view: processes have their own */
int live__reverse(struct live *live);	   /* for tree and flames */
int live__toggle_total(struct live *live); /* for functions and modules */
int live__hide(struct live *live, bool kernel, bool user);

/* -EINVAL with err filled: not a regular expression. Then nothing changes. */
int live__set_pattern(struct live *live, const char *pattern, struct error *err);

/*
 * As --state and --wait; "": all. -EINVAL with err filled: a word is unknown. Then nothing changes.
 */
int live__set_waits(struct live *live, const char *states, const char *kinds, struct error *err);

/* Restricts all views to samples that pass through the row with the cursor. */
int live__zoom(struct live *live);
int live__unzoom(struct live *live);

/*
 * Folds the row with the cursor (a branch of the tree, the noise row or the idle row), or all
 * listed branches.
 */
int live__fold(struct live *live, bool folded);
int live__fold_all(struct live *live, bool folded);

int live__freeze(struct live *live, bool frozen);
/* Freezes at the previous (-1) or the next interval. */
int live__step(struct live *live, int by);
/* At the end of the recording: a last interval that was cut short does not replace the picture. */
int live__end(struct live *live);
/* Compares with the current picture from now on, or ends the comparison. */
int live__compare(struct live *live, bool on);
int live__reset(struct live *live);

/* Shows the next event of the run, in turn. *event is its name. NULL: there is no other. */
int live__next_event(struct live *live, const char **event);

#endif
