/* SPDX-License-Identifier: GPL-2.0-only */
/* A table of a recording as text: what its numbers are of, and how they are written. */
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
	size_t value_columns;	     /* that the values need so far */
	uint64_t duration_ns;	     /* of the recording; 0: not known */
	bool tells_woken;	     /* of groups, the part of their time that is woken */
	bool has_errors;	     /* there are columns of error bars */
	struct certainty certainty;  /* if so */
};

/* 0 or -ENOMEM. */
int table__begin(struct table *table, FILE *out, const struct recording *recording,
		 const struct view_options *options);

/* Above the values. */
const char *table__heading(const struct table *table);

double table__percent(const struct table *table, uint64_t value);

/* Points of percent that a share may be off; there are error bars. */
double table__error(const struct table *table, struct portion part);

/* " ±3.5 " behind a percentage in a column, if there are error bars; and what is above it. */
void table__write_error(struct table *table, struct portion part);
void table__write_error_heading(struct table *table);

/*
 * Which rows of disjoint samples cannot be told apart, to be free()d. NULL where there are no error bars
 * (or nothing is left to allocate, where a table does without).
 *
 *	12.1 ±2.9  ┐
 *	11.8 ±2.9  ┘
 *	 4.0 ±1.7
 */
enum tie *table__find_ties(const struct table *table, const struct portion *parts, size_t nr);
void table__write_tie(struct table *table, const enum tie *ties, size_t row);

/* Widens the columns of values, if this one needs more. */
void table__fit(struct table *table, uint64_t value);

/*
 * The hottest stacks with all their frames, one a line; the hottest functions. Each begins with a
 * heading and ends with an empty line, or writes nothing if there are no rows. 0 or -ENOMEM.
 */
int table__write_stacks(struct table *table);
int table__write_functions(struct table *table);

#endif
