/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An interval that is past, as much of it as the rows of the present one need: its counts by
 * the ids of rows.
 */
#ifndef TOPSTACKS_LIVE_ROWS_SERIES_H
#define TOPSTACKS_LIVE_ROWS_SERIES_H

#include "live/rows/selection.h"

struct point {
	uint64_t id;
	uint64_t value;
};

struct series {
	uint64_t number; /* of the interval; 0: not there */
	struct point *points;
	size_t nr_points;
	enum value shown; /* what its values are */
	uint64_t whole;	  /* of the interval, let through or not */
	double expected;  /* of a CPU that was busy all the time; 0: not known */
};

/* Of a profile that selection__apply() has made. 0 or -ENOMEM. */
int series__init(struct series *series, const struct selection *selection, struct row_ids *ids,
		 const struct profile *profile);
void series__fini(struct series *series);

/* NULL: there is no such row. */
const struct point *series__find(const struct series *series, uint64_t id);

/* 0 if there is no such row. */
uint64_t series__value(const struct series *series, uint64_t id);

#endif
