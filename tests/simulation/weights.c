// SPDX-License-Identifier: GPL-2.0-only
/*
 * Draws recordings of programs that were sampled at several rates: a part of the time at each, in
 * which a sample weighs the time between two of them. Functions take the same share of the time at
 * all rates, or more of it at one than at another, or all of theirs at one. Samples fall by chance,
 * so that their number does, too.
 *
 * A row is not judged if it is worth too few samples, or has too few heavy ones: often a recording
 * has none of these, and does not show then that there could be any. So bars count a sample of the
 * mean weight beside those of a row, which makes them wider than need be where a row has light ones
 * alone: these are judged from below.
 */
#include "simulate.h"

#include <math.h>
#include <stdio.h>

#include "draw.h"
#include "profile/certainty.h"
#include "proportion.h"

#define MOST_RATES     3
#define NR_FUNCTIONS   6
#define TRIALS	       1000000 /* of a binomial that is nearly Poisson's */
#define LEAST_WORTH    10      /* samples of equal weight, that a judged row is worth */
#define LEAST_HEAVY    3       /* samples at each rate that it has any at */
#define LEAST_COVERAGE 0.93
#define MOST_COVERAGE  0.98
#define MEAN_TOLERANCE 0.01
#define SURE	       0.9998
#define MOST_DRAWN     8000 /* recordings a cell */

/*
 * Parts of the time at each rate, the weight of a sample there, and the shares of functions in it.
 */
static const struct rated {
	const char *name;
	size_t nr_rates;
	double parts[MOST_RATES], weights[MOST_RATES];
	double shares[MOST_RATES][NR_FUNCTIONS];
} programs[] = {
	{"the same at both",
	 2,
	 {0.5, 0.5},
	 {1, 10},
	 {{0.5, 0.2, 0.15, 0.1, 0.04, 0.01}, {0.5, 0.2, 0.15, 0.1, 0.04, 0.01}}},
	{"some at one alone",
	 2,
	 {0.25, 0.75},
	 {1, 4},
	 {{0.8, 0, 0.1, 0.05, 0.05, 0}, {0, 0.8, 0.1, 0.05, 0, 0.05}}},
	{"a short time at a low rate",
	 2,
	 {0.9, 0.1},
	 {1, 20},
	 {{0.6, 0.2, 0.1, 0.1, 0, 0}, {0.2, 0.3, 0.1, 0, 0.2, 0.2}}},
	{"three rates",
	 3,
	 {0.1, 0.3, 0.6},
	 {1, 4, 16},
	 {{0.4, 0.3, 0.1, 0.1, 0.1, 0}, {0.3, 0.3, 0.2, 0.1, 0, 0.1}, {0.5, 0.3, 0.1, 0.1, 0, 0}}},
};

static double share_of(const struct rated *program, size_t function)
{
	double share = 0;

	for (size_t r = 0; r < program->nr_rates; r++)
		share += program->parts[r] * program->shares[r][function];
	return share;
}

/* How many samples are expected of it, at one rate, if size are of the whole. */
static double expected(const struct rated *program, double size, size_t function, size_t rate)
{
	double all = 0;

	for (size_t r = 0; r < program->nr_rates; r++)
		all += program->parts[r] / program->weights[r];
	return size * program->parts[rate] * program->shares[rate][function] /
	       program->weights[rate] / all;
}

static double worth_of(const struct rated *program, double size, size_t function)
{
	struct portion sum = {0};

	for (size_t r = 0; r < program->nr_rates; r++) {
		const double nr = expected(program, size, function, r);

		sum.value += nr * program->weights[r];
		sum.squares += nr * program->weights[r] * program->weights[r];
	}
	return sum.squares > 0 ? sum.value * sum.value / sum.squares : 0;
}

static void draw(const struct rated *program, double size, uint64_t random[4],
		 struct portion portions[NR_FUNCTIONS])
{
	for (size_t f = 0; f < NR_FUNCTIONS; f++) {
		portions[f] = (struct portion){0};
		for (size_t r = 0; r < program->nr_rates; r++) {
			const double weight = program->weights[r];
			const double nr = random__binomial(random, TRIALS,
							   expected(program, size, f, r) / TRIALS);

			portions[f].value += nr * weight;
			portions[f].squares += nr * weight * weight;
		}
	}
}

static void judge(const struct rated *program, const struct portion portions[NR_FUNCTIONS],
		  unsigned int held[NR_FUNCTIONS])
{
	const struct scatter scatter = scatter__independent();
	struct certainty certainty = certainty__of_samples(1, &scatter);

	certainty.whole = certainty.squares = 0;
	certainty.weighs = true;
	for (size_t f = 0; f < NR_FUNCTIONS; f++) {
		certainty.whole += portions[f].value;
		certainty.squares += portions[f].squares;
	}
	for (size_t f = 0; f < NR_FUNCTIONS; f++) {
		const struct bounds bounds = certainty__bounds(&certainty, portions[f]);
		const double share = share_of(program, f);

		held[f] += bounds.low <= share && share <= bounds.high;
	}
}

struct weighed_grid {
	unsigned int recordings, nr, broken;
	double sum, least, most;
};

static bool is_judged(const struct rated *program, double size, size_t function)
{
	double few = INFINITY; /* samples at that of its rates with the fewest */

	for (size_t r = 0; r < program->nr_rates; r++)
		if (program->shares[r][function] > 0)
			few = fmin(few, expected(program, size, function, r));
	return worth_of(program, size, function) >= LEAST_WORTH && few >= LEAST_HEAVY;
}

static void add_cell(struct weighed_grid *grid, unsigned int held, bool is_judged,
		     double most_allowed)
{
	const double coverage = (double)held / grid->recordings;
	double low, high;
	bool is_broken;

	if (!is_judged) {
		printf(" (%.1f)", 100 * coverage);
		return;
	}
	clopper_pearson(held, grid->recordings, SURE, &low, &high);
	is_broken = high < LEAST_COVERAGE || low > most_allowed;
	printf(" %.1f%s", 100 * coverage, is_broken ? "!" : "");
	grid->sum += coverage;
	grid->least = fmin(grid->least, coverage);
	grid->most = fmax(grid->most, coverage);
	grid->broken += is_broken;
	grid->nr++;
}

static void simulate_size(struct weighed_grid *grid, const struct rated *program, double size)
{
	struct portion portions[NR_FUNCTIONS];
	unsigned int held[NR_FUNCTIONS] = {0};
	uint64_t random[4];

	random__seed(random, 730000000 + (uint64_t)size + (uint64_t)(program - programs) * 1000003);
	for (unsigned int i = 0; i < grid->recordings; i++) {
		draw(program, size, random, portions);
		judge(program, portions, held);
	}
	printf("| %s | %g |", program->name, size);
	for (size_t f = 0; f < NR_FUNCTIONS; f++)
		add_cell(grid, held[f], is_judged(program, size, f),
			 program->shares[program->nr_rates - 1][f] > 0 ? MOST_COVERAGE : 1);
	printf(" |\n");
	fflush(stdout);
}

int weights__simulate(unsigned int comparisons)
{
	static const double sizes[] = {300, 1000, 3000, 10000, 30000};
	const unsigned int wanted = comparisons * 16;
	struct weighed_grid grid = {.recordings = wanted < MOST_DRAWN ? wanted : MOST_DRAWN,
				    .least = 1};
	double mean;

	printf("\nHow often bounds hold the true share of weights, by %u recordings a cell; in "
	       "brackets: worth less than %d samples of equal weight, or less than %d at a rate:\n"
	       "| functions | samples | held, %% |\n|-|-|-|\n",
	       grid.recordings, LEAST_WORTH, LEAST_HEAVY);
	for (size_t p = 0; p < sizeof(programs) / sizeof(programs[0]); p++)
		for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
			simulate_size(&grid, &programs[p], sizes[s]);
	mean = grid.sum / grid.nr;
	printf("%u cells: %.2f %% in the mean, %.1f to %.1f; %u of them surely not within %g to "
	       "%g.\n",
	       grid.nr, 100 * mean, 100 * grid.least, 100 * grid.most, grid.broken,
	       100 * LEAST_COVERAGE, 100 * MOST_COVERAGE);
	return (grid.broken > 0) + (fabs(mean - CERTAINTY_LEVEL) > MEAN_TOLERANCE);
}
