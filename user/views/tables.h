/* SPDX-License-Identifier: GPL-2.0-only */
/* A table of a recording as text: the metric of its numbers, and their format. */
#ifndef TOPSTACKS_VIEWS_TABLES_H
#define TOPSTACKS_VIEWS_TABLES_H

#include "profile/certainty.h"
#include "views/pen.h"
#include "views/views.h"

struct table {
	struct pen pen;
	const struct view_options *options;
	const struct profile *profile;
	const struct metric *metric; /* of the values */
	uint64_t whole;		     /* 100 % */
	size_t value_columns;	     /* of the widest value so far */
	uint64_t duration_ns;	     /* of the recording; 0: not known */
	bool tells_woken;	     /* groups have the column WOKEN */
	bool has_errors;	     /* there are columns of error bars */
	struct certainty certainty;  /* only if has_errors */
};

void table__begin(struct table *table, FILE *out, const struct recording *recording,
		  const struct view_options *options);

/* The heading above the values. */
const char *table__heading(const struct table *table);

double table__percent(const struct table *table, uint64_t value);

/* The error of a share in percentage points, at least 0.1; only if has_errors. */
double table__error(const struct table *table, struct portion part);

/* Write " ±3.5 " behind a percentage, and its heading, if has_errors. */
void table__write_error(struct table *table, struct portion part);
void table__write_error_heading(struct table *table);

/*
 * Finds rows of disjoint samples that do not differ for certain; the caller frees the result. NULL
 * without error bars.
 *
 *	12.1 ±2.9  ┐
 *	11.8 ±2.9  ┘
 *	 4.0 ±1.7
 */
enum tie *table__find_ties(const struct table *table, const struct portion *parts, size_t nr);
void table__write_tie(struct table *table, const enum tie *ties, size_t row);

/* Widens the columns of values, if this value needs it. */
void table__fit(struct table *table, uint64_t value);

/*
 * Write the hottest stacks with all their frames, one on a line; and the hottest functions. Each
 * begins with a heading and ends with an empty line; without rows nothing is written.
 */
void table__write_stacks(struct table *table);
void table__write_functions(struct table *table);

#endif
