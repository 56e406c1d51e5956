/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Drawn counts of a program whose truth is known: functions with shares like rank^-1.1, which
 * differ from run to run, each by its own amount, and are sampled.
 */
#ifndef TOPSTACKS_SIMULATION_DRAW_H
#define TOPSTACKS_SIMULATION_DRAW_H

#include <stdint.h>

#include "diff/statistics/comparison.h"

#define MAX_FUNCTIONS 200
#define MAX_RUNS      20
#define NR_SLICES     40

struct draw_setting {
	size_t nr_functions;
	size_t nr_runs[SIDES];
	unsigned int nr_samples; /* a run */
	double tau;		 /* root mean square of the functions' coefficients of variation */
	size_t group;		 /* so many neighbours share their factor; 1: none */
	unsigned int burst;	 /* samples come in bursts of so many; 1: they are independent */

	/* Function 0 has this share in base, and is slower by slowdown in new. 0: rank^-1.1, equal.
	 */
	double share, slowdown;

	/* Lengths of runs differ by length_cv, and some runs take 1.3 to 1.9 times as long. */
	double length_cv;
	double disturbed; /* part of the runs */
	double slower;	  /* all of new takes so much longer, relative */
	uint64_t seed;
};

struct world {
	struct draw_setting setting;
	uint64_t random[4];

	double cost[SIDES][MAX_FUNCTIONS]; /* true ones */
	uint64_t counts[MAX_FUNCTIONS][MAX_RUNS];
	uint64_t slices[SIDES][MAX_FUNCTIONS][NR_SLICES];
	double lengths[MAX_RUNS]; /* samples of each run */
	struct run runs[MAX_RUNS];
	struct unit units[MAX_FUNCTIONS];
	struct comparison comparison; /* of all the above */
};

/* Numbers of a stream of four words, which a seed begins. */
void random__seed(uint64_t random[4], uint64_t seed);
double random__uniform(uint64_t random[4]); /* in (0, 1) */
double random__normal(uint64_t random[4]);
unsigned int random__binomial(uint64_t random[4], unsigned int n, double p);

void world__init(struct world *world, const struct draw_setting *setting);

/* Draws all runs anew, each time other ones. With one run a side they are cut in slices. */
void world__draw(struct world *world);

#endif
