/* SPDX-License-Identifier: GPL-2.0-only */
/* Suggestions for a name that does not exist: a few similar names, the most similar first. */
#ifndef TOPSTACKS_CAPTURE_EVENTS_SUGGESTIONS_H
#define TOPSTACKS_CAPTURE_EVENTS_SUGGESTIONS_H

#include "base/common.h"

struct near_name {
	char *text;
	size_t nr_processes; /* 0: unknown */
	size_t distance;
};

/* Zeroed is empty. */
struct suggestions {
	struct near_name *names;
	size_t nr_names, capacity;
};

void suggestions__fini(struct suggestions *near);

/*
 * Adds a name, or adds nr_processes to one already there. wanted: only names similar to it are
 * added; NULL: any.
 */
void suggestions__add(struct suggestions *near, const char *text, const char *wanted,
		      size_t nr_processes);

/*
 * Writes "; near: nginx (3 processes), nginz (1)", where before is what precedes the names; "" if
 * there are none. At most five names, by similarity, then by processes. Safe for a terminal.
 * Returns text.
 */
const char *suggestions__format(struct suggestions *near, const char *before, char *text,
				size_t size);

#endif
