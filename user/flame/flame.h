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
#include "profile/recording.h"

/* A line about the profile: "Event", "cpu-clock". Hostile until escaped, like all strings here. */
struct flame_fact {
	const char *name;
	const char *text;
};

/* What error bars of a value's shares are made of (profile/certainty.h). */
struct flame_error {
	double mean;	/* weight, of each sample as often as it weighs; 0: all weigh the same */
	double samples; /* of equal weights, that are worth as much; 0: it has none */
	double spread; /* the variance of so many, over that of independent ones, times squared t */
};

/* An event of a run, with what is said of it alone. */
struct flame_event {
	const struct profile *profile; /* in the dictionary of the others */
	const struct flame_fact *facts;
	size_t nr_facts;
	struct flame_error errors[VALUES];
};

/* A slice of time that a sampler keeps. */
struct flame_slice {
	int64_t start_ns; /* CLOCK_REALTIME */
	uint64_t duration_ns;
	uint64_t value;
};

/* What there is beside what a page shows, to be picked from: the page leads to "./?at=TIME&seconds=N". */
struct flame_time_line {
	const struct flame_slice *slices; /* in order of time */
	size_t nr_slices;
	const struct metric *metric; /* what their values are */
	int64_t shown_ns;	     /* when what is shown begins (CLOCK_REALTIME) */
	uint64_t shown_duration_ns;
};

/* All zero is a good default. Widths show what the profile does. */
struct flame_options {
	const char *title; /* NULL: "Flame graph" */
	const struct flame_fact *facts;
	size_t nr_facts;
	struct flame_error errors[VALUES]; /* of the profile, where there are no events */
	enum merge merge;		   /* what the frames at the root tell apart */
	/* Of a run of several, the first is of the profile: a page can show each of them. Else 0. */
	const struct flame_event *events;
	size_t nr_events;
	const struct flame_time_line *time_line; /* of a page; NULL: there is none */
	const struct recording
		*recording; /* of the profile, or of the events: a page shows its slices; or NULL */
};

/* One page that needs nothing else, and no network. 0 or a negative errno. */
int flame__write_page(FILE *out, const struct profile *profile,
		      const struct flame_options *options);

/* A static picture, 1200 wide, that prints well. 0 or a negative errno. */
int flame__write_svg(FILE *out, const struct profile *profile, const struct flame_options *options);

#endif
