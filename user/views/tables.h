/* SPDX-License-Identifier: GPL-2.0-only */
/* A table of a recording as text: what its numbers are of, and how they are written. */
#ifndef TOPSTACKS_VIEWS_TABLES_H
#define TOPSTACKS_VIEWS_TABLES_H

#include "views/pen.h"
#include "views/views.h"

struct table {
	struct pen pen;
	const struct view_options *options;
	const struct profile *profile;
	const struct metric *metric; /* of the values */
	uint64_t whole;		     /* 100 % */
	size_t value_columns;	     /* that the values need so far */
	uint64_t duration_ns;	     /* of the recording; 0: not known */
};

struct table table__begin(FILE *out, const struct recording *recording,
			  const struct view_options *options);

/* Above the values. */
const char *table__heading(const struct table *table);

double table__percent(const struct table *table, uint64_t value);

/* Widens the columns of values, if this one needs more. */
void table__fit(struct table *table, uint64_t value);

/*
 * The hottest stacks with all their frames, one a line; the hottest functions. Each begins with a
 * heading and ends with an empty line, or writes nothing if there are no rows. 0 or -ENOMEM.
 */
int table__write_stacks(struct table *table);
int table__write_functions(struct table *table);

#endif
