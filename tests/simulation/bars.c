// SPDX-License-Identifier: GPL-2.0-only
/*
 * Draws recordings of programs whose shares are known, and counts how often the bounds of a share
 * hold the true one. Samples are independent or come in bursts, of equal lengths or of two; the
 * bounds are told nothing of it but the slices that it was drawn in.
 *
 * Other programs change in their time, all recordings alike. The true share is that of all of the
 * time then.
 */
#include "simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw.h"
#include "profile/certainty.h"
#include "proportion.h"

#define MOST_UNITS     26
#define NR_SIZES       7
#define NR_PROGRAMS    4
#define NR_BURSTS      7
#define LEAST_EXPECTED 10
#define LEAST_COVERAGE 0.93
#define MOST_COVERAGE  0.98
#define MEAN_COVERAGE  0.95
#define MEAN_TOLERANCE 0.01
#define SURE	       0.9998 /* of some hundred cells, in which chance should break no promise */
#define MOST_DRAWN     8000   /* recordings a cell */

static const unsigned int sizes[NR_SIZES] = {100, 300, 1000, 3000, 10000, 30000, 100000};

/* Shares; what they lack is divided among others. */
static const struct shares_of {
	double shares[6];
	size_t nr_shares, nr_others;
} programs[NR_PROGRAMS] = {
	{{0.3, 0.1, 0.03, 0.01, 0.003, 0.001}, 6, 20},
	{{0.5, 0.2, 0.1, 0.05, 0.02, 0.005}, 6, 10},
	{{0.7, 0.1, 0.05}, 3, 5},
	{{0.9, 0.03, 0.01}, 3, 2},
};

/* A part of the samples comes in bursts of so many, the others in bursts of one. */
static const struct bursts {
	unsigned int length;
	double part, factor; /* of the variance */
} bursts[NR_BURSTS] = {
	{1, 1, 1}, {2, 1, 2}, {3, 1, 3}, {5, 1, 5}, {3, 0.5, 2}, {5, 0.5, 3}, {9, 0.5, 5},
};

struct drawn {
	double shares[MOST_UNITS];
	size_t nr_units, nr_slices;
	double counts[MOST_UNITS * NR_SLICES]; /* by unit, then by slice */
	double totals[NR_SLICES];
	double sums[MOST_UNITS], total;
	uint64_t random[4];
};

static void set_program(struct drawn *drawn, const struct shares_of *program)
{
	double rest = 1;

	drawn->nr_units = program->nr_shares + program->nr_others;
	for (size_t u = 0; u < program->nr_shares; u++) {
		drawn->shares[u] = program->shares[u];
		rest -= program->shares[u];
	}
	for (size_t u = program->nr_shares; u < drawn->nr_units; u++)
		drawn->shares[u] = rest / (double)program->nr_others;
}

static void draw_bursts(struct drawn *drawn, size_t slice, unsigned int nr, unsigned int length)
{
	double rest = 1;

	drawn->totals[slice] += nr * length;
	for (size_t u = 0; u < drawn->nr_units; u++) {
		const double share = drawn->shares[u];
		const unsigned int k =
			u + 1 < drawn->nr_units
				? random__binomial(drawn->random, nr, fmin(share / rest, 1))
				: nr;

		drawn->counts[u * drawn->nr_slices + slice] += k * length;
		nr -= k;
		rest = fmax(rest - share, 0);
	}
}

/* ---- programs that change ---- */

#define MOST_MOMENTS 5
#define CHANGING     3
#define NR_POINTS    200
#define MOST_SAID    3.0 /* times the variance that samples have */

/* Shares from one moment to the next, or on the way there. */
static const struct changing {
	const char *name;
	bool drifts;
	size_t nr;
	double moments[MOST_MOMENTS]; /* of the whole time */
	double shares[MOST_MOMENTS][CHANGING];
} changing[] = {
	{"none", false, 1, {0}, {{0.6, 0.3, 0.1}}},
	{"a phase after another, pure", false, 2, {0, 0.43}, {{1, 0, 0}, {0, 1, 0}}},
	{"a phase after another", false, 2, {0, 0.43}, {{0.7, 0.2, 0.1}, {0.1, 0.8, 0.1}}},
	{"a small step", false, 2, {0, 0.43}, {{0.5, 0.4, 0.1}, {0.45, 0.45, 0.1}}},
	{"five phases",
	 false,
	 5,
	 {0, 0.2, 0.41, 0.6, 0.83},
	 {{0.9, 0, 0.1}, {0.1, 0.8, 0.1}, {0.9, 0.05, 0.05}, {0.5, 0.4, 0.1}, {0, 1, 0}}},
	{"slow drift", true, 2, {0, 1}, {{0.2, 0.7, 0.1}, {0.8, 0.1, 0.1}}},
	{"drift, then none",
	 true,
	 3,
	 {0, 0.4, 1},
	 {{0.9, 0.05, 0.05}, {0.2, 0.7, 0.1}, {0.2, 0.7, 0.1}}},
};

static double share_at(const struct changing *of, size_t unit, double at)
{
	size_t last = 0;

	while (last + 1 < of->nr && of->moments[last + 1] <= at)
		last++;
	if (!of->drifts || last + 1 == of->nr)
		return of->shares[last][unit];
	return of->shares[last][unit] + (of->shares[last + 1][unit] - of->shares[last][unit]) *
						(at - of->moments[last]) /
						(of->moments[last + 1] - of->moments[last]);
}

/* The shares of a part of the time. */
static void set_moment(struct drawn *drawn, const struct changing *of, double begin, double length)
{
	for (size_t u = 0; u < CHANGING; u++) {
		drawn->shares[u] = 0;
		for (size_t i = 0; i < NR_POINTS; i++)
			drawn->shares[u] +=
				share_at(of, u, begin + length * ((double)i + 0.5) / NR_POINTS) /
				NR_POINTS;
	}
}

/* changes: NULL, if it does not. */
static void draw(struct drawn *drawn, const struct changing *changes, unsigned int size,
		 const struct bursts *of)
{
	const unsigned int most = size / MIN_INTERVAL_SAMPLES;

	drawn->nr_slices = most < NR_SLICES ? most : NR_SLICES;
	memset(drawn->counts, 0, sizeof(drawn->counts));
	memset(drawn->totals, 0, sizeof(drawn->totals));
	memset(drawn->sums, 0, sizeof(drawn->sums));
	drawn->total = 0;
	for (size_t s = 0; s < drawn->nr_slices; s++) {
		const unsigned int nr = size / (unsigned int)drawn->nr_slices;
		const unsigned int long_ones = (unsigned int)(nr * of->part / of->length);

		if (changes)
			set_moment(drawn, changes, (double)s / (double)drawn->nr_slices,
				   1 / (double)drawn->nr_slices);
		draw_bursts(drawn, s, long_ones, of->length);
		draw_bursts(drawn, s, of->part < 1 ? nr - long_ones * of->length : 0, 1);
		drawn->total += drawn->totals[s];
		for (size_t u = 0; u < drawn->nr_units; u++)
			drawn->sums[u] += drawn->counts[u * drawn->nr_slices + s];
	}
}

struct bars_tally {
	unsigned int held[MOST_UNITS];
	double factors;
};

static void judge(const struct drawn *drawn, bool is_sliced, struct bars_tally *tally)
{
	const struct scatter scatter = is_sliced ? scatter__measure(drawn->counts, drawn->nr_units,
								    drawn->totals, drawn->nr_slices)
						 : scatter__independent();
	const struct certainty certainty = certainty__of_samples(drawn->total, &scatter);

	tally->factors += scatter.factor;
	for (size_t u = 0; u < drawn->nr_units; u++) {
		const struct bounds bounds =
			certainty__bounds(&certainty, (struct portion){.value = drawn->sums[u]});

		tally->held[u] += bounds.low <= drawn->shares[u] && drawn->shares[u] <= bounds.high;
	}
}

/* The settings and sums that cells have in common. */
struct grid {
	unsigned int recordings; /* a cell */
	double sum, least, most;
	unsigned int nr, broken;
	unsigned int nr_few; /* cells that are shown, but not judged */
	double most_allowed;
};

/* The samples outside of a row, less what bursts take, must be enough to see their scatter. */
static bool is_judged(double share, unsigned int size, const struct bursts *of)
{
	return size * (1 - share) / of->factor >= LEAST_EXPECTED;
}

static void add_cell(struct grid *grid, unsigned int held, bool is_judged)
{
	const double coverage = (double)held / grid->recordings;
	bool is_broken;
	double low, high;

	clopper_pearson(held, grid->recordings, SURE, &low, &high);
	is_broken = high < LEAST_COVERAGE || low > grid->most_allowed;
	printf(" %s%.1f%s", is_judged ? "" : "(", 100 * coverage,
	       !is_judged  ? ")"
	       : is_broken ? "!"
			   : "");
	if (!is_judged) {
		grid->nr_few++;
		return;
	}
	grid->sum += coverage;
	grid->least = fmin(grid->least, coverage);
	grid->most = fmax(grid->most, coverage);
	grid->broken += is_broken;
	grid->nr++;
}

static void simulate_size(struct grid *grid, const struct shares_of *program,
			  const struct bursts *of, unsigned int size, bool is_sliced)
{
	struct drawn drawn;
	struct bars_tally tally = {0};

	random__seed(drawn.random, 700000000 + size + of->length * 1000003 + (of->part < 1) * 17 +
					   program->nr_others * 31 + !is_sliced);
	set_program(&drawn, program);
	for (unsigned int i = 0; i < grid->recordings; i++) {
		draw(&drawn, NULL, size, of);
		judge(&drawn, is_sliced, &tally);
	}
	printf("| %u | %g%s | %.2f |", size, of->factor,
	       !is_sliced     ? ", not sliced"
	       : of->part < 1 ? ", mixed"
			      : "",
	       tally.factors / grid->recordings);
	for (size_t u = 0; u < program->nr_shares; u++)
		if (size * program->shares[u] >= LEAST_EXPECTED)
			add_cell(grid, tally.held[u], is_judged(program->shares[u], size, of));
	printf(" |\n");
	fflush(stdout);
}

static void simulate_program(struct grid *grid, const struct shares_of *program)
{
	printf("| samples | variance | said | held, %%, of shares");
	for (size_t u = 0; u < program->nr_shares; u++)
		printf(" %g", program->shares[u]);
	printf(" |\n|-|-|-|-|\n");
	for (size_t s = 0; s < NR_SIZES; s++)
		simulate_size(grid, program, &bursts[0], sizes[s], false);
	for (size_t b = 0; b < NR_BURSTS; b++)
		for (size_t s = 0; s < NR_SIZES; s++)
			simulate_size(grid, program, &bursts[b], sizes[s], true);
}

/* Two promises: of cells, and of their mean. */
static int simulate_bounds(unsigned int recordings)
{
	struct grid grid = {.least = 1, .recordings = recordings, .most_allowed = MOST_COVERAGE};
	double mean;

	printf("\nHow often bounds hold the true share, by %u recordings a cell; in brackets: less "
	       "than "
	       "%d independent samples are not the row's:\n",
	       recordings, LEAST_EXPECTED);
	for (size_t p = 0; p < NR_PROGRAMS; p++)
		simulate_program(&grid, &programs[p]);
	mean = grid.sum / grid.nr;
	printf("%u cells: %.2f %% in the mean, %.1f to %.1f; %u of them surely not within %g to %g "
	       "(%u in brackets).\n",
	       grid.nr, 100 * mean, 100 * grid.least, 100 * grid.most, grid.broken,
	       100 * LEAST_COVERAGE, 100 * MOST_COVERAGE, grid.nr_few);
	return (grid.broken > 0) + (fabs(mean - MEAN_COVERAGE) > MEAN_TOLERANCE);
}

/* ---- rows that cannot be told apart ---- */

/* Functions that are equal, and others between them and nothing: are they one group? */
static bool are_one_group(const struct drawn *drawn, size_t nr_equal)
{
	const struct scatter scatter =
		scatter__measure(drawn->counts, drawn->nr_units, drawn->totals, drawn->nr_slices);
	const struct certainty certainty = certainty__of_samples(drawn->total, &scatter);
	struct portion parts[MOST_UNITS];
	enum tie ties[MOST_UNITS];

	for (size_t u = 0; u < nr_equal; u++) {
		size_t at = u;

		for (; at && parts[at - 1].value < drawn->sums[u]; at--)
			parts[at] = parts[at - 1];
		parts[at] = (struct portion){.value = drawn->sums[u]};
	}
	certainty__tie(&certainty, parts, nr_equal, ties);
	return ties[0] == TIE_FIRST && ties[nr_equal - 1] == TIE_LAST;
}

/* ---- what is said of programs that change ---- */

static bool simulate_changing(struct grid *grid, const struct changing *of, unsigned int size,
			      unsigned int length)
{
	const struct bursts bursts = {length, 1, length};
	struct bars_tally tally = {0};
	struct drawn drawn;
	double said;

	random__seed(drawn.random, 720000000 + size + length + (size_t)(of - changing) * 1000003);
	drawn.nr_units = CHANGING;
	for (unsigned int i = 0; i < grid->recordings; i++) {
		draw(&drawn, of, size, &bursts);
		set_moment(&drawn, of, 0, 1);
		judge(&drawn, true, &tally);
	}
	said = tally.factors / length / grid->recordings;
	printf("| %s | %u | %u | %.2f%s |", of->name, length, size, said,
	       said > MOST_SAID ? "!" : "");
	for (size_t u = 0; u < CHANGING; u++)
		add_cell(grid, tally.held[u], size >= 1000);
	printf(" |\n");
	fflush(stdout);
	return said > MOST_SAID;
}

/* Two promises: bounds hold the share of the recording's own mix, and change with sqrt(n) alone. */
static int simulate_changes(unsigned int recordings)
{
	static const unsigned int numbers[] = {1000, 10000, 100000, 1000000};
	struct grid grid = {.least = 1, .recordings = recordings, .most_allowed = 1};
	unsigned int wide = 0;

	printf("\nPrograms that change: the variance that is said, of that of samples; how often "
	       "bounds hold the share of the whole time, %%:\n"
	       "| change | bursts of | samples | said | held |\n|-|-|-|-|-|\n");
	for (size_t c = 0; c < sizeof(changing) / sizeof(changing[0]); c++)
		for (unsigned int length = 1; length <= 3; length += 2)
			for (size_t n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++)
				wide += simulate_changing(&grid, &changing[c], numbers[n], length);
	printf("%u settings say more than %g times as much; %u cells surely held in less than %g "
	       "%%.\n",
	       wide, MOST_SAID, grid.broken, 100 * LEAST_COVERAGE);
	return (wide > 0) + (grid.broken > 0);
}

/* A promise: rows that are equal are in one group in 93 % or more. */
static int simulate_groups(unsigned int recordings)
{
	static const size_t numbers[] = {2, 3, 5, 10, 20};
	struct grid grid = {.least = 1, .recordings = recordings, .most_allowed = 1};
	struct drawn drawn;

	printf("\nHow often equal rows of 4 %% each are one group:\n| rows | variance | of 1000 | "
	       "10000 "
	       "samples, %% |\n|-|-|-|-|\n");
	for (size_t n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++) {
		const struct shares_of program = {.shares = {0}, .nr_others = 25};

		for (size_t b = 0; b < 4; b++) {
			set_program(&drawn, &program);
			random__seed(drawn.random, 710000000 + 10 * n + b);
			printf("| %zu | %g |", numbers[n], bursts[b].factor);
			for (size_t s = 2; s < 5; s += 2) {
				unsigned int held = 0;

				for (unsigned int i = 0; i < recordings; i++) {
					draw(&drawn, NULL, sizes[s], &bursts[b]);
					held += are_one_group(&drawn, numbers[n]);
				}
				add_cell(&grid, held, true);
				printf(" |");
			}
			printf("\n");
		}
	}
	return grid.broken > 0;
}

int bars__simulate(unsigned int comparisons)
{
	const unsigned int wanted = comparisons * 16;
	const unsigned int recordings = wanted < MOST_DRAWN ? wanted : MOST_DRAWN;

	return simulate_bounds(recordings) + simulate_changes(recordings) +
	       simulate_groups(recordings);
}
