/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The choice of the samples to show: the view, what its rows distinguish, and the filters of
 * samples and of frames. A plain value, the same for every interval on the screen.
 */
#ifndef TOPSTACKS_LIVE_ROWS_SELECTION_H
#define TOPSTACKS_LIVE_ROWS_SELECTION_H

#include <regex.h>

#include "base/common.h"
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

/* Identifies a row in any interval. */
struct row_place {
	enum view view;
	enum tree_direction direction; /* for trees and flames */
	enum merge merge;
	uint64_t id; /* ROW_ID_NONE: all samples */
};

#define MOST_ZOOMS   16
#define PATTERN_SIZE 256
#define WAITS_SIZE   128

struct selection {
	enum view view;
	enum tree_direction direction;
	enum merge merge;
	enum merge owners; /* what the rows of the processes view distinguish */
	bool by_total;	   /* functions and modules by total instead of self */
	bool hides_kernel, hides_user;
	char pattern[PATTERN_SIZE]; /* for names, modules and commands; "": all */
	struct wait_choice waits;
	char states[WAITS_SIZE], kinds[WAITS_SIZE]; /* waits as text; "": all */
	struct row_place zooms[MOST_ZOOMS];
	size_t nr_zooms;
};

/*
 * True if the row counts the sample. Call row_ids__prepare() with the sample's dictionary before.
 */
bool row_place__has(const struct row_place *place, struct row_ids *ids,
		    const struct sample *sample);

/* The place of a row in the current view. */
struct row_place selection__place(const struct selection *selection, uint64_t id);

/* True if no sample is filtered out, and no frame is hidden. */
bool selection__is_clear(const struct selection *selection);

/*
 * Makes a profile of the samples that pass the filters, with the same dictionary. The caller frees
 * it. 0, or -EINVAL with err filled: pattern is not a regular expression.
 */
int selection__apply(const struct selection *selection, struct row_ids *ids,
		     const struct profile *profile, struct profile **made, struct error *err);

#endif
