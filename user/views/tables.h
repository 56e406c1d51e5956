/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an interval is shown as in text: a table of its hottest stacks with all their frames, one a
 * line, and a table of its hottest functions.
 */
#ifndef TOPSTACKS_VIEWS_TABLES_H
#define TOPSTACKS_VIEWS_TABLES_H

#include "views/pen.h"
#include "views/views.h"

struct tables {
	const struct dictionary *dictionary;
	const struct metrics *metrics;
	struct view_options options;
	uint64_t total; /* what percentages are of */
	struct row *rows;
	size_t nr_rows;
	struct group_row *functions;
	size_t nr_functions;
	size_t count_columns, comm_columns; /* of the table of stacks */
};

/* At most options->nr_rows stacks and nr_functions functions. 0 or -ENOMEM. */
int tables__init(struct tables *tables, const struct recording *interval,
		 const struct view_options *options, size_t nr_functions);
void tables__fini(struct tables *tables);

/* Each begins with a heading and ends with an empty line, or writes nothing if there are no rows. */
void tables__write_stacks(const struct tables *tables, struct pen *pen);
void tables__write_functions(const struct tables *tables, struct pen *pen);

#endif
