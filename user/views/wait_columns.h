/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a row tells beside a time that events took, as waits do: how many have ended, how long one took on
 * average, and what most of the time was spent on. Of memory, how many blocks there were, and how large one was.
 * Where a profile has nothing of it, there are no columns. WOKEN is the part of the time in which what was waited
 * for was there, and no CPU: there where it is a hundredth of a row at least.
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
	size_t woken_width; /* 0: no such column */
};

struct wait_columns wait_columns__of(const struct profile *profile);

/* Widens them, if this row needs more. */
void wait_columns__fit(struct wait_columns *columns, const struct row *row);

/* The least part of whole_ns that is worth a column. */
bool wait_columns__tells_woken(uint64_t woken_ns, uint64_t whole_ns);

/* Each column ends in two spaces. */
void wait_columns__write_heading(const struct wait_columns *columns, struct pen *pen);
void wait_columns__write(const struct wait_columns *columns, struct pen *pen,
			 const struct row *row);

#endif
