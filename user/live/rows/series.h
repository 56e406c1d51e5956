/* SPDX-License-Identifier: GPL-2.0-only */
/* The counts of a past interval by row id: all that the current rows need of it. */
#ifndef TOPSTACKS_LIVE_ROWS_SERIES_H
#define TOPSTACKS_LIVE_ROWS_SERIES_H

#include "live/rows/selection.h"

struct point {
	uint64_t id;
	uint64_t value;
};

struct series {
	uint64_t number; /* of the interval; 0: empty */
	struct point *points;
	size_t nr_points;
	enum value shown; /* the kind of its values */
	uint64_t whole;	  /* of the interval, before filtering */
	double expected;  /* the value of one CPU that is always busy; 0: unknown */
};

/* profile: filtered by selection__apply(). */
void series__init(struct series *series, const struct selection *selection, struct row_ids *ids,
		  const struct profile *profile);
void series__fini(struct series *series);

/* NULL: the row is not in the interval. */
const struct point *series__find(const struct series *series, uint64_t id);

/* 0 if the row is not in the interval. */
uint64_t series__value(const struct series *series, uint64_t id);

#endif
