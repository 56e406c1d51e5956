/* SPDX-License-Identifier: GPL-2.0-only */
/* Comparisons from counts written down: struct problem is one, decide() its decision. */
#ifndef TOPSTACKS_TESTS_PROBLEM_H
#define TOPSTACKS_TESTS_PROBLEM_H

#include "diff/statistics/comparison.h"
#include "expect.h"

#define NR_UNITS 8
#define NR_RUNS	 8

struct problem {
	size_t nr_units, nr_base, nr_new;
	uint64_t counts[NR_UNITS][NR_RUNS]; /* base first */
	enum unit_kind kinds[NR_UNITS];
	bool machine[NR_UNITS];
	double min_effect[NR_UNITS];
	double divisors[NR_RUNS]; /* 0: none */
	double incomplete[NR_RUNS];
	uint64_t overlap[NR_UNITS][NR_RUNS]; /* with total units, of the self unit that changes */
	size_t nr_slices;
	uint64_t slices[NR_UNITS][64]; /* of both sides */
};

static inline void overlap(void *context, const bool *selves, uint64_t *inside)
{
	const struct problem *problem = context;
	size_t nr_runs = problem->nr_base + problem->nr_new;

	(void)selves;
	for (size_t u = 0; u < problem->nr_units; u++) {
		for (size_t run = 0; problem->kinds[u] == UNIT_TOTAL && run < nr_runs; run++)
			inside[u * nr_runs + run] += problem->overlap[u][run];
	}
}

static inline int decide_with(struct decision *decision, const struct problem *problem,
			      const struct decision_options *options)
{
	struct unit units[NR_UNITS] = {0};
	struct run runs[NR_RUNS] = {0};
	struct comparison comparison = {
		.units = units,
		.nr_units = problem->nr_units,
		.runs = runs,
		.nr_runs = problem->nr_base + problem->nr_new,
		.nr_slices = {problem->nr_slices, problem->nr_slices},
		.overlap = overlap,
		.context = (void *)problem,
	};

	for (size_t run = 0; run < comparison.nr_runs; run++)
		runs[run] = (struct run){
			.side = run < problem->nr_base ? SIDE_BASE : SIDE_NEW,
			.divisor = problem->divisors[run],
			.incomplete = problem->incomplete[run],
		};
	for (size_t u = 0; u < problem->nr_units; u++) {
		units[u].kind = problem->kinds[u];
		units[u].machine = problem->machine[u];
		units[u].min_effect = problem->min_effect[u];
		units[u].counts = problem->counts[u];
		if (problem->nr_slices)
			units[u].slices[SIDE_BASE] = units[u].slices[SIDE_NEW] = problem->slices[u];
	}
	return decision__init(decision, &comparison, options);
}

static inline struct decision decide(const struct problem *problem)
{
	struct decision_options options = decision_options__default();
	struct decision decision;

	EXPECT_EQ(decide_with(&decision, problem, &options), 0);
	return decision;
}

/* Function 1 doubles; the total has all of it and half of function 2. Function 0 is unsteady. */
static const struct problem replicated = {
	.nr_units = 5,
	.nr_base = 3,
	.nr_new = 3,
	.counts = {{620, 430, 505, 440, 575, 480},
		   {300, 310, 290, 610, 590, 600},
		   {150, 90, 118, 122, 100, 130},
		   {70, 100, 87, 68, 77, 91},
		   {375, 355, 349, 671, 640, 665}},
	.kinds = {[4] = UNIT_TOTAL},
	.overlap = {[4] = {300, 310, 290, 610, 590, 600}},
};

/* Two changes, one after the other: 2 samples become 60, 400 become 640. */
static const struct problem one_run = {
	.nr_units = 5,
	.nr_base = 1,
	.nr_new = 1,
	.counts = {{400, 640}, {300, 310}, {200, 190}, {100, 95}, {2, 60}},
};

#endif
