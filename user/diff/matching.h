/* SPDX-License-Identifier: GPL-2.0-only */
/* What is matched and by what: the runs of a comparison, and what a unit of it is. */
#ifndef TOPSTACKS_DIFF_MATCHING_H
#define TOPSTACKS_DIFF_MATCHING_H

#include <stddef.h>

#include "diff/comparison.h"
#include "profile/profile.h"

struct machine_units;
struct name_rules;

struct run {
	const struct profile *profile;
	enum side side;
	double divisor;	   /* of sampled time or work; 0 in all runs: shares */
	double incomplete; /* part of the samples whose stacks may lack callers */

	/*
	 * The run cut in time, of the same dictionary; NULL: a slice without samples. Only looked
	 * at with one run a side.
	 */
	struct profile *const *slices;
	size_t nr_slices;
};

/* Functions whose normalised names a shell pattern matches, and what is large enough for them. */
struct effect_rule {
	const char *pattern;
	double min_effect;
};

enum match_by {
	MATCH_FUNCTIONS, /* by normalised name and module */
	MATCH_MODULES,
	MATCH_STACKS,	/* whole ones; no total units */
	MATCH_SUBTREES, /* total: stacks that begin alike; self: those that end there */
};

struct match_options {
	enum match_by by;
	const struct name_rules *rules;
	const struct machine_units *machine;
	const struct effect_rule *effects; /* the last that matches counts */
	size_t nr_effects;
};

#endif
