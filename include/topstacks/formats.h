/* SPDX-License-Identifier: GPL-2.0-only */
/* Formats that machines read; one file each in user/formats/, one row each in formats.c. */
#ifndef TOPSTACKS_FORMATS_H
#define TOPSTACKS_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "topstacks/interval.h"

/* "comm;root;...;leaf count", one line a named stack, most first; docs/formats.md. 0 or errno. */
int folded__write(FILE *out, const struct profile *profile, enum merge merge);

/* One object, one line: schema topstacks.interval/1, docs/json.md. 0 or negative errno. */
int json__write_interval(FILE *out, const struct interval *interval);

/* ---- flamegraph.c, flamegraph_svg.c: see docs/flamegraph.md ---- */

enum flamegraph_color {
	FLAMEGRAPH_BY_MODULE,
	FLAMEGRAPH_BY_KIND,
};

/* A line about the profile: "Event", "cpu-clock". Hostile until escaped, like all strings here. */
struct flamegraph_fact {
	const char *name;
	const char *text;
};

/* All zero is a good default. The page can change everything but merge afterwards. */
struct flamegraph_options {
	const char *title; /* NULL: "Flame graph" */
	const struct flamegraph_fact *facts;
	size_t nr_facts;
	enum merge merge;	 /* what the frames at the root tell apart */
	enum value value;	 /* what widths mean */
	const char *weight_name; /* of VALUE_WEIGHT. NULL: "CPU time", in "ns" */
	const char *weight_unit; /* "ns", "bytes", or any other word, shown as it is */
	enum flamegraph_color color;
	bool from_leaf; /* merge from the leaf: callers above callees */
	bool icicle;	/* the root is on top */
};

/* One page that needs nothing else, and no network. 0 or a negative errno. */
int flamegraph__write_html(FILE *out, const struct profile *profile,
			   const struct flamegraph_options *options);

/* A static picture, 1200 wide, that prints well. 0 or a negative errno. */
int flamegraph__write_svg(FILE *out, const struct profile *profile,
			  const struct flamegraph_options *options);

#endif
