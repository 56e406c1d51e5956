/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The intake takes a batch into the interval: it passes process events to the symbols, names each
 * sample, accounts for it in the ledger, and adds it to the profile of its event.
 */
#ifndef TOPSTACKS_RUN_INTAKE_H
#define TOPSTACKS_RUN_INTAKE_H

#include "base/common.h"
#include "base/time_budget.h"
#include "run/period.h"

struct batch;
struct java_names;
struct pacing;
struct raw_sample;
struct symbolizer;
struct symbols;

/* Bounds of the slices of time that samples carry when --slices asks for them. */
struct slice_bounds {
	uint64_t length_ns; /* 0: no slices */
	uint64_t newest;    /* 1 + the highest slice number in the interval */
	uint64_t last;	    /* slices after this one are not recorded in the interval; 0: no
			     * limit */
};

struct intake {
	struct symbols *symbols; /* borrowed, as are java (or NULL) and pacing */
	struct java_names *java;
	struct pacing *pacing;
	struct dictionary *dictionary;
	struct symbolizer *symbolizer;
	struct period interval, run;
	size_t max_bytes,
		nr_kept; /* limit of the dictionary; number of stacks that stay whole beyond it */
	struct slice_bounds slices;
	uint64_t end_ns; /* end of the time that the last batch covers */
	struct time_budget budget;

	/*
	 * Samples of the batch under way whose process takes long to name; they are named last.
	 * Their pointers point into the batch.
	 */
	struct raw_sample *postponed;
	size_t nr_postponed, capacity;

	int code;	   /* result for the batch under way; err is filled */
	struct error *err; /* from the intake__add() under way */
};

/* The caller sets the borrowed members and the bounds first. */
void intake__init(struct intake *intake, unsigned int max_depth);
void intake__fini(struct intake *intake);

/* Frees what only further samples would need, as memory is short and the run ends. */
void intake__end_short(struct intake *intake);

/*
 * Adds a batch to the interval. A batch without a drain (end_ns 0) has process events only. 0
 * or negative errno with err filled.
 */
int intake__add(struct intake *intake, const struct batch *batch, struct error *err);

#endif
