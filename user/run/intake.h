/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way of a batch into the interval: its process events are told to the symbols, each of its samples gets names,
 * is accounted for in the ledger, and goes into the profile of its event.
 */
#ifndef TOPSTACKS_RUN_INTAKE_H
#define TOPSTACKS_RUN_INTAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/time_budget.h"
#include "run/period.h"

struct batch;
struct java_names;
struct pacing;
struct raw_sample;
struct symbolizer;
struct symbols;

/* Slices of time that samples tell, where they are asked for. */
struct slice_bounds {
	uint64_t length_ns; /* or 0 */
	uint64_t newest;    /* 1 + the number of one of the interval */
	uint64_t last;	    /* of the interval, after which no sample tells its own; 0: none is */
};

struct intake {
	struct symbols *symbols; /* borrowed, as are java (or NULL) and pacing */
	struct java_names *java;
	struct pacing *pacing;
	struct dictionary *dictionary;
	struct symbolizer *symbolizer;
	struct period interval, run;
	size_t max_bytes,
		nr_kept; /* bounds of the dictionary, and of stacks that stay whole beyond them */
	struct slice_bounds slices;
	uint64_t end_ns; /* of the time that the last batch was about */
	struct hurry hurry;

	/* Samples of the batch under way whose process takes long to name: they come last. What they point to
	 * is the batch's. */
	struct raw_sample *postponed;
	size_t nr_postponed, capacity;

	int code;	   /* of the batch under way; err has the words, unless memory lacks */
	struct error *err; /* of the call that takes it */
};

/* What is borrowed and the bounds are set by the caller. 0 or -ENOMEM; intake__fini in either case. */
int intake__init(struct intake *intake, unsigned int max_depth);
void intake__fini(struct intake *intake);

/*
 * Adds a batch to the interval. A batch without a drain (end_ns 0) has process events only. 0, -ENOMEM, or another
 * negative errno with err filled.
 */
int intake__add(struct intake *intake, const struct batch *batch, struct error *err);

#endif
