/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much of each row's samples show threads that ran, were blocked, or wanted a CPU, if the
 * samples say so.
 */
#ifndef TOPSTACKS_LIVE_ROWS_STATES_H
#define TOPSTACKS_LIVE_ROWS_STATES_H

#include "live/rows/series.h"

/* A series for each state. Of states that look alike, the one in their style counts them all. */
struct states {
	struct series of[WAIT_STATES];
	bool are_told; /* at least one sample has a state */
};

/* profile: filtered by selection__apply(). */
void states__init(struct states *states, const struct selection *selection, struct row_ids *ids,
		  const struct profile *profile);
void states__fini(struct states *states);

/*
 * Fills a bar of nr_cells cells, in which each state has its share of the row's value, in order.
 * The part of the value whose state is unknown fills the last cells with WAIT_UNKNOWN.
 */
void states__bar(const struct states *states, uint64_t id, uint64_t value, enum wait_state *bar,
		 size_t nr_cells);

#endif
