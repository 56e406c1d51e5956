/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Columns beside a time that events took, as waits do: the number of ended events, their average,
 * and the kind of wait with most of the time. For memory: the number of blocks and their average
 * size. A profile without these values has no such columns. WOKEN is the part of the time when the
 * wait was over, but no CPU was free; it is shown if it is at least a hundredth of a row.
 *
 *	WAITS  AVERAGE  WOKEN  WAIT
 *	  169   8.9 ms  0.4 s  lock
 */
#ifndef TOPSTACKS_VIEWS_WAIT_COLUMNS_H
#define TOPSTACKS_VIEWS_WAIT_COLUMNS_H

#include "profile/profile.h"
#include "views/pen.h"

struct wait_columns {
	const struct metric *count; /* NULL: no columns of numbers */
	const struct metric *weight;
	bool has_waits;
	size_t count_width, average_width, wait_width;
	size_t woken_width; /* 0: no column WOKEN */
};

struct wait_columns wait_columns__of(const struct profile *profile);

/* Widens the columns, if this row needs it. */
void wait_columns__fit(struct wait_columns *columns, const struct row *row);

/* True if this part of whole_ns is large enough for the column WOKEN. */
bool wait_columns__tells_woken(uint64_t woken_ns, uint64_t whole_ns);

/* Each column is followed by two spaces. */
void wait_columns__write_heading(const struct wait_columns *columns, struct pen *pen);
void wait_columns__write(const struct wait_columns *columns, struct pen *pen,
			 const struct row *row);

#endif
