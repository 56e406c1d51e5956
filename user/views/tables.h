/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an interval is shown as: a table of its hottest stacks, a table of its hottest functions,
 * and the frames of a stack. Drawn line by line, so that a view decides what goes where.
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

/* Each writes into a line, without ending it. Indexes count from 0. */
void tables__stacks_heading(const struct tables *tables, struct pen *pen);
void tables__functions_heading(const struct tables *tables, struct pen *pen);
void tables__function(const struct tables *tables, struct pen *pen, size_t row);

/* Percent, count and comm of a row, and its frames, leaf first; "[no stack]" if there are none. */
void tables__owner(const struct tables *tables, struct pen *pen, size_t row);
size_t tables__nr_frames(const struct tables *tables, size_t row);
void tables__frame(const struct tables *tables, struct pen *pen, size_t row, size_t frame);

#endif
