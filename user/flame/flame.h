/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A flame graph of a profile, as a page or as a picture: docs/flamegraph.md. Both are drawn from the
 * same tree by the same layout; overlay.h has those of a comparison.
 */
#ifndef TOPSTACKS_FLAME_FLAME_H
#define TOPSTACKS_FLAME_FLAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "profile/profile.h"

/* A line about the profile: "Event", "cpu-clock". Hostile until escaped, like all strings here. */
struct flame_fact {
	const char *name;
	const char *text;
};

/* An event of a run, with what is said of it alone. */
struct flame_event {
	const struct profile *profile; /* in the dictionary of the others */
	const struct flame_fact *facts;
	size_t nr_facts;
};

/* All zero is a good default. Widths show what the profile does. */
struct flame_options {
	const char *title; /* NULL: "Flame graph" */
	const struct flame_fact *facts;
	size_t nr_facts;
	enum merge merge; /* what the frames at the root tell apart */
	/* Of a run of several, the first is of the profile: a page can show each of them. Else 0. */
	const struct flame_event *events;
	size_t nr_events;
};

/* One page that needs nothing else, and no network. 0 or a negative errno. */
int flame__write_page(FILE *out, const struct profile *profile,
		      const struct flame_options *options);

/* A static picture, 1200 wide, that prints well. 0 or a negative errno. */
int flame__write_svg(FILE *out, const struct profile *profile, const struct flame_options *options);

#endif
