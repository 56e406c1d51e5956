// SPDX-License-Identifier: GPL-2.0-only
/*
 * How often does the decision cry wolf, and what does it find? Draws comparisons of programs whose
 * truth is known and counts what is said about them; docs/diff.md shows the tables. Exits 1 if
 * there are more false alarms than promised.
 *
 *   simulate [COMPARISONS A SETTING]      default 4000; 25 take some seconds
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "simulate.h"

#include "diff/matching/totals.h"
#include "draw.h"
#include "proportion.h"

#define NR_TAUS	   4
#define NR_SHAPES  16
#define PROMISE	   0.02
#define CONFIDENCE 0.998 /* two-sided: the lower bound holds with 99.9 % */

static const double taus[NR_TAUS] = {0, 0.03, 0.05, 0.10};

struct shape {
	size_t nr_functions;
	unsigned int nr_samples;
	size_t group;
	unsigned int burst;
};

static const struct shape shapes[NR_SHAPES] = {
	{60, 300, 1, 1},     {60, 1000, 1, 1},	 {60, 3000, 1, 1},  {60, 10000, 1, 1},
	{60, 30000, 1, 1},   {60, 100000, 1, 1}, {200, 1000, 1, 1}, {200, 10000, 1, 1},
	{200, 100000, 1, 1}, {60, 1000, 5, 1},	 {60, 10000, 5, 1}, {60, 100000, 5, 1},
	{60, 300, 1, 3},     {60, 3000, 1, 3},	 {60, 30000, 1, 3}, {60, 100000, 1, 3},
};

struct sweep_tally {
	unsigned int comparisons;
	unsigned int up, down; /* with a regression, an improvement, that is none */
	unsigned int found;    /* function 0 regressed */
	double predicted;      /* sum of the smallest slowdown of a 10 % function found */
	unsigned int noisy;    /* spread above its warning */
	unsigned int by_ranks; /* see totals.h */
};

static void compare_shares_once(struct world *world, struct sweep_tally *tally)
{
	struct decision_options options = decision_options__default();
	struct decision decision;
	unsigned int up = 0, down = 0;

	world__draw(world);
	decision__init(&decision, &world->comparison, &options);
	for (size_t u = 0; u < decision.nr_units; u++) {
		enum verdict verdict = decision.findings[u].verdict;

		if (u == 0 && world->setting.share > 0) {
			tally->found += verdict == VERDICT_REGRESSED;
			continue;
		}
		up += verdict == VERDICT_REGRESSED;
		down += verdict == VERDICT_IMPROVED;
	}
	tally->comparisons++;
	tally->up += up > 0;
	tally->down += down > 0;
	tally->noisy += decision.between_df == 0 && decision.spread > SPREAD_WARNING;
	tally->predicted += decision.found_effect;
	decision__fini(&decision);
}

static struct sweep_tally simulate(const struct draw_setting *setting, unsigned int comparisons,
				   void (*compare)(struct world *, struct sweep_tally *))
{
	static struct world world;
	struct sweep_tally tally = {0};

	world__init(&world, setting);
	while (tally.comparisons < comparisons)
		compare(&world, &tally);
	return tally;
}

static double alarm_rate(const struct sweep_tally *tally)
{
	return (tally->up + tally->down) / (2.0 * tally->comparisons);
}

struct sweep_cell {
	double sum, worst;
	unsigned int nr, broken; /* settings; those surely above the promise */
	unsigned int noisy, comparisons;
};

static void add_to_cell(struct sweep_cell *cell, const struct draw_setting *setting,
			const struct sweep_tally *tally)
{
	double rate = alarm_rate(tally), low, high;

	clopper_pearson(tally->up + tally->down, 2.0 * tally->comparisons, CONFIDENCE, &low, &high);
	cell->sum += rate;
	cell->worst = fmax(cell->worst, rate);
	cell->noisy += tally->noisy;
	cell->comparisons += tally->comparisons;
	cell->nr++;
	if (low <= PROMISE)
		return;
	cell->broken++;
	fprintf(stderr,
		"%zu+%zu runs of %u samples, %zu functions, tau %g, groups of %zu, bursts of %u: "
		"%.1f %% (%.1f to %.1f)\n",
		setting->nr_runs[SIDE_BASE], setting->nr_runs[SIDE_NEW], setting->nr_samples,
		setting->nr_functions, setting->tau, setting->group, setting->burst, 100 * rate,
		100 * low, 100 * high);
}

/* Any change of the order of settings would change the seeds of published tables. */
static struct draw_setting make_setting(size_t base, size_t new, int tau, int shape)
{
	return (struct draw_setting){
		.nr_runs = {base, new},
		.nr_functions = shapes[shape].nr_functions,
		.nr_samples = shapes[shape].nr_samples,
		.group = shapes[shape].group,
		.burst = shapes[shape].burst,
		.tau = taus[tau],
		.seed = base * 1000000 + new * 10000 + (unsigned int)tau * 100 +
			(unsigned int)shape,
	};
}

static struct sweep_cell simulate_cell(size_t base, size_t new, int tau, unsigned int comparisons)
{
	struct sweep_cell cell = {0};

	for (int shape = 0; shape < NR_SHAPES; shape++) {
		struct draw_setting setting = make_setting(base, new, tau, shape);
		struct sweep_tally tally = simulate(&setting, comparisons, compare_shares_once);

		add_to_cell(&cell, &setting, &tally);
	}
	return cell;
}

/* Returns how many of the two promises for replicated runs were broken. */
static int print_alarms(unsigned int comparisons)
{
	static const size_t runs[][SIDES] = {{1, 1}, {2, 2}, {3, 3}, {5, 5}, {10, 10},
					     {2, 1}, {3, 1}, {5, 1}, {10, 1}};
	double sum = 0;
	unsigned int nr = 0, broken = 0;

	printf("False alarms, mean / worst of %d settings (%% of %u comparisons each; in "
	       "brackets: where the spread warns):\n",
	       NR_SHAPES, comparisons);
	printf("| runs |");
	for (int tau = 0; tau < NR_TAUS; tau++)
		printf(" tau %2.0f %% |", 100 * taus[tau]);
	printf("\n|-|-|-|-|-|\n");
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		bool promised = runs[i][SIDE_BASE] > 1 && runs[i][SIDE_NEW] > 1;

		printf("| %zu+%zu |", runs[i][SIDE_BASE], runs[i][SIDE_NEW]);
		for (int tau = 0; tau < NR_TAUS; tau++) {
			struct sweep_cell cell = simulate_cell(runs[i][SIDE_BASE],
							       runs[i][SIDE_NEW], tau, comparisons);

			printf(" %.2f / %.2f", 100 * cell.sum / cell.nr, 100 * cell.worst);
			if (runs[i][SIDE_BASE] + runs[i][SIDE_NEW] == 2)
				printf(" (%.0f)", 100.0 * cell.noisy / cell.comparisons);
			printf(" |");
			fflush(stdout);
			if (!promised)
				continue;
			sum += cell.sum;
			nr += cell.nr;
			broken += cell.broken;
		}
		printf("\n");
	}
	printf("Two or more runs a side: mean %.2f %%; %u of %u settings surely above %.0f %%.\n\n",
	       100 * sum / nr, broken, nr, 100 * PROMISE);
	return (sum / nr > PROMISE) + (broken > 0);
}

static void print_power(unsigned int comparisons)
{
	static const struct {
		size_t runs;
		unsigned int samples;
	} sizes[] = {{1, 3000}, {1, 100000}, {3, 3000}, {3, 10000}, {5, 10000}, {3, 100000}};
	static const double changes[][2] = {{0.01, 1},	{0.03, 0.5}, {0.1, 0.2},
					    {0.1, 0.5}, {0.3, 0.1},  {0.3, 0.2}};
	unsigned int row = 0;

	printf("Found, %% of %u (tau 2 %%; share:slowdown), others flagged at worst, and the "
	       "smallest slowdown of a 10 %% function said to be found:\n",
	       comparisons);
	printf("| runs x samples | 1:100 | 3:50 | 10:20 | 10:50 | 30:10 | 30:20 | others | said |\n"
	       "|-|-|-|-|-|-|-|-|-|\n");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		double others = 0, said = 0;

		printf("| %zu x %u |", sizes[i].runs, sizes[i].samples);
		for (size_t c = 0; c < 6; c++) {
			struct draw_setting setting = {
				.nr_runs = {sizes[i].runs, sizes[i].runs},
				.nr_functions = 60,
				.nr_samples = sizes[i].samples,
				.group = 1,
				.burst = 1,
				.tau = 0.02,
				.share = changes[c][0],
				.slowdown = changes[c][1],
				.seed = 900000000 + row++,
			};
			struct sweep_tally tally =
				simulate(&setting, comparisons, compare_shares_once);

			printf(" %.0f |", 100.0 * tally.found / tally.comparisons);
			fflush(stdout);
			others = fmax(others, fmax(tally.up, tally.down) / tally.comparisons);
			said += tally.predicted / tally.comparisons / 6;
		}
		printf(" %.1f %% | %.0f %% |\n", 100 * others, 100 * said);
	}
}

/* Runs compared by what they take, as compare.c does it. */
static void compare_runs_once(struct world *world, struct sweep_tally *tally)
{
	const struct decision_options options = decision_options__default();
	struct totals totals = {0};
	struct run_values sides[SIDES];
	struct decision decision;

	world__draw(world);
	sides[SIDE_BASE] = (struct run_values){world->lengths, world->setting.nr_runs[SIDE_BASE]};
	sides[SIDE_NEW] = (struct run_values){world->lengths + sides[SIDE_BASE].nr,
					      world->setting.nr_runs[SIDE_NEW]};
	totals__compare(&totals, sides, &options);
	if (totals.need_ranks)
		totals__judge(&totals, &options);
	for (size_t run = 0; run < world->comparison.nr_runs; run++)
		world->runs[run].divisor = totals.need_ranks ? 0 : 1;
	decision__init(&decision, &world->comparison, &options);
	tally->comparisons++;
	tally->by_ranks += totals.need_ranks;
	tally->up += decision.nr[VERDICT_REGRESSED] > 0 || totals.verdict == VERDICT_REGRESSED;
	tally->down += decision.nr[VERDICT_IMPROVED] > 0 || totals.verdict == VERDICT_IMPROVED;
	decision__fini(&decision);
}

/* Compares runs by their lengths, which are steady, differ, or are disturbed now and then. */
static int print_lengths(unsigned int comparisons)
{
	static const double noises[][2] = {
		{0.01, 0}, {0.03, 0}, {0.1, 0}, {0.03, 0.2}, {0.03, 0.5}};
	static const size_t runs[] = {2, 3, 5, 10};
	static const double slower[] = {0, 0.2, 1};
	double worst = 0, low, high;

	printf("\nBy what a run takes, 1000 samples, tau 2 %%: false alarms / all 20 %% / all 100 "
	       "%% slower "
	       "found (by ranks), %%:\n"
	       "| runs | 1 %% | 3 %% | 10 %% | 1 in 5 disturbed | every other one "
	       "|\n|-|-|-|-|-|-|\n");
	for (size_t i = 0; i < 4; i++) {
		printf("| %zu+%zu |", runs[i], runs[i]);
		for (size_t n = 0; n < 5; n++) {
			struct sweep_tally tallies[3];

			for (size_t s = 0; s < 3; s++) {
				struct draw_setting setting = {
					.nr_runs = {runs[i], runs[i]},
					.nr_functions = 60,
					.nr_samples = 1000,
					.group = 1,
					.burst = 1,
					.tau = 0.02,
					.length_cv = noises[n][0],
					.disturbed = noises[n][1],
					.slower = slower[s],
					.seed = 980000000 + 100 * i + 10 * n + s,
				};

				tallies[s] = simulate(&setting, comparisons, compare_runs_once);
			}
			clopper_pearson(tallies[0].up + tallies[0].down, 2.0 * comparisons,
					CONFIDENCE, &low, &high);
			if (runs[i] > 2) /* two disturbed runs look like any other two */
				worst = fmax(worst, low);
			printf(" %.2f / %.0f / %.0f (%.0f) |", 100 * alarm_rate(&tallies[0]),
			       100.0 * tallies[1].up / comparisons,
			       100.0 * tallies[2].up / comparisons,
			       100.0 * tallies[0].by_ranks / comparisons);
			fflush(stdout);
		}
		printf("\n");
	}
	return worst > PROMISE;
}

/* The share of a function that vanishes must not look like the growth of all others. */
static int print_vanished(unsigned int comparisons)
{
	static const double shares[] = {0.03, 0.1, 0.3};
	static const unsigned int samples[] = {3000, 30000};
	double worst = 0, low, high;

	printf("\nOthers called slower or faster, %%, when a function vanishes (3 runs, tau 2 "
	       "%%):\n"
	       "| samples | 3 %% | 10 %% | 30 %% |\n|-|-|-|-|\n");
	for (size_t i = 0; i < 2; i++) {
		printf("| %u |", samples[i]);
		for (size_t c = 0; c < 3; c++) {
			struct draw_setting setting = {
				.nr_runs = {3, 3},
				.nr_functions = 60,
				.nr_samples = samples[i],
				.group = 1,
				.burst = 1,
				.tau = 0.02,
				.share = shares[c],
				.slowdown = -1,
				.seed = 950000000 + 10 * i + c,
			};
			struct sweep_tally tally =
				simulate(&setting, comparisons, compare_shares_once);

			clopper_pearson(tally.up + tally.down, 2.0 * comparisons, CONFIDENCE, &low,
					&high);
			worst = fmax(worst, low);
			printf(" %.2f |", 100 * alarm_rate(&tally));
			fflush(stdout);
		}
		printf("\n");
	}
	return worst > PROMISE;
}

int main(int argc, char **argv)
{
	unsigned int comparisons = argc > 1 ? (unsigned int)atoi(argv[1]) : 4000;
	int broken;

	if (argc > 2 || comparisons < 1) {
		fprintf(stderr, "usage: simulate [COMPARISONS]\n");
		return 2;
	}
	broken = print_alarms(comparisons);
	print_power(comparisons);
	broken += print_vanished(comparisons);
	broken += print_lengths(comparisons);
	broken += phases__simulate(comparisons);
	broken += bars__simulate(comparisons);
	broken += heaps__simulate(comparisons);
	broken += renames__simulate(comparisons);
	broken += few__simulate(comparisons);
	broken += weights__simulate(comparisons);
	printf("\n%d passed, %d failed\n", 17 - broken, broken);
	return broken ? 1 : 0;
}
