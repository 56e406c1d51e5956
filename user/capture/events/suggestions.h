/* SPDX-License-Identifier: GPL-2.0-only */
/* What there is in place of something that there is not: a few names, those likest to it first. */
#ifndef TOPSTACKS_CAPTURE_EVENTS_SUGGESTIONS_H
#define TOPSTACKS_CAPTURE_EVENTS_SUGGESTIONS_H

#include <stddef.h>

struct near_name {
	char *text;
	size_t nr_processes; /* 0: not told */
	size_t distance;
};

/* Zeroed is empty. */
struct near {
	struct near_name *names;
	size_t nr_names, capacity;
};

void near__fini(struct near *near);

/*
 * Adds a name, or to its processes. wanted: what was asked for, of which it is to be like; NULL: any is
 * of use. Without memory it is left out.
 */
void near__add(struct near *near, const char *text, const char *wanted, size_t nr_processes);

/*
 * "; near: nginx (3 processes), nginz (1)", with what comes before the names; "" if there are none. At most
 * five, the likest first, then those with most processes. Safe for a terminal. Returns text.
 */
const char *near__format(struct near *near, const char *before, char *text, size_t size);

#endif
