/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A flame graph of a profile, as a page or as a picture: docs/flamegraph.md. Both are drawn from
 * the same tree with the same layout. overlay.h has the same for a comparison.
 */
#ifndef TOPSTACKS_FLAME_FLAME_H
#define TOPSTACKS_FLAME_FLAME_H

#include "base/common.h"
#include "profile/profile.h"
#include "profile/recording.h"

/* A line about the profile: "Event", "cpu-clock". Like all strings here, it must be escaped. */
struct flame_fact {
	const char *name;
	const char *text;
};

/* The inputs for the error bars of a value's shares (profile/certainty.h). */
struct flame_error {
	double mean; /* mean weight, weighted by the weights; 0: all samples have the same weight */
	double samples; /* equivalent number of samples with equal weights; 0: no error bars */
	/* variance of these samples relative to independent ones, times the square of t */
	double spread;
};

/* An event of a run, with its own facts. */
struct flame_event {
	const struct profile *profile; /* all events share a dictionary */
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

/*
 * The slices that a page offers besides the one that it shows. The page links to
 * "./?at=TIME&seconds=N".
 */
struct flame_time_line {
	const struct flame_slice *slices; /* in order of time */
	size_t nr_slices;
	const struct metric *metric; /* of the slices' values */
	int64_t shown_ns;	     /* start of what is shown (CLOCK_REALTIME) */
	uint64_t shown_duration_ns;
};

/* All zero is a good default: widths show what the profile shows. */
struct flame_options {
	const char *title; /* NULL: "Flame graph" */
	const struct flame_fact *facts;
	size_t nr_facts;
	struct flame_error errors[VALUES]; /* of the profile, if there are no events */
	enum merge merge;		   /* what the frames at the root distinguish */
	/*
	 * The events of a run with several, each of which a page can show. The first one has the
	 * profile that is written. Else none.
	 */
	const struct flame_event *events;
	size_t nr_events;
	const struct flame_time_line *time_line; /* for a page; NULL: none */
	/* of the profile or of the events, whose slices a page shows; or NULL */
	const struct recording *recording;
};

/* Writes a page that needs no other file and no network. 0 or a negative errno. */
int flame__write_page(FILE *out, const struct profile *profile,
		      const struct flame_options *options);

/* Writes a static picture for printing, 1200 pixels wide. 0 or a negative errno. */
int flame__write_svg(FILE *out, const struct profile *profile, const struct flame_options *options);

#endif
