/* SPDX-License-Identifier: GPL-2.0-only */
/* How much of each row threads ran, were blocked, or wanted a CPU, where samples tell. */
#ifndef TOPSTACKS_LIVE_ROWS_STATES_H
#define TOPSTACKS_LIVE_ROWS_STATES_H

#include "live/rows/series.h"

/* A series for each state; of those that look alike, the one of their style has them all. */
struct states {
	struct series of[WAIT_STATES];
	bool are_told; /* of any sample */
};

/* Of a profile that selection__apply() has made. 0 or -ENOMEM; fini either way. */
int states__init(struct states *states, const struct selection *selection, struct row_ids *ids,
		 const struct profile *profile);
void states__fini(struct states *states);

/*
 * A bar of so many cells, of which each state has its share of the row's value, in order: bar[i] is that of
 * the i-th cell. Where nothing is told of a part of the value, the last cells are WAIT_UNKNOWN.
 */
void states__bar(const struct states *states, uint64_t id, uint64_t value, enum wait_state *bar,
		 size_t nr_cells);

#endif
