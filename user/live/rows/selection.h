/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is shown of the samples: in which view, what its rows tell apart, and which samples are let
 * through with which of their frames. A value; the same for every interval that is on the screen.
 */
#ifndef TOPSTACKS_LIVE_ROWS_SELECTION_H
#define TOPSTACKS_LIVE_ROWS_SELECTION_H

#include <regex.h>

#include "base/error.h"
#include "live/rows/row_ids.h"
#include "profile/tree.h"

enum view {
	VIEW_STACKS,
	VIEW_FUNCTIONS,
	VIEW_TREE,
	VIEW_PROCESSES,
	VIEW_MODULES,
	VIEW_FLAMES,
	VIEWS,
};

/* A row, whichever interval it is of. */
struct row_place {
	enum view view;
	enum tree_direction direction; /* of trees and flames */
	enum merge merge;
	uint64_t id; /* ROW_ID_NONE: everywhere */
};

#define MOST_ZOOMS   16
#define PATTERN_SIZE 256
#define WAITS_SIZE   128

struct selection {
	enum view view;
	enum tree_direction direction;
	enum merge merge;
	enum merge owners; /* what the view of processes has a row for each of */
	bool by_total;	   /* functions and modules by total, not by self */
	bool hides_kernel, hides_user;
	char pattern[PATTERN_SIZE]; /* of names, modules and commands; "": all */
	struct wait_choice waits;
	char states[WAITS_SIZE], kinds[WAITS_SIZE]; /* the same in words; "": all */
	struct row_place zooms[MOST_ZOOMS];
	size_t nr_zooms;
};

/* A sample passes through the row: it is counted there. ids: prepared. */
bool row_place__has(const struct row_place *place, struct row_ids *ids,
		    const struct sample *sample);

/* The place of a row of the view that is selected. */
struct row_place selection__place(const struct selection *selection, uint64_t id);

/* Nothing is filtered out, and no frame is hidden. */
bool selection__is_clear(const struct selection *selection);

/*
 * The samples that are let through, in a profile of the caller's that has the same dictionary. 0 or
 * -ENOMEM; -EINVAL with err filled if pattern is no regular expression.
 */
int selection__apply(const struct selection *selection, struct row_ids *ids,
		     const struct profile *profile, struct profile **made, struct error *err);

#endif
