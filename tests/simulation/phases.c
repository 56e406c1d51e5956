// SPDX-License-Identifier: GPL-2.0-only
/*
 * Simulates a program that goes on, and takes turns between phases of several seconds. In each of
 * them its functions have other shares, and it uses more or less of the CPU. The last minute or so
 * of a quarter of an hour is compared with the time before. Nothing changes but where one function
 * becomes slower.
 *
 *	phases  000011111000000111111100001111 ...
 *	parts   |         |         |            as long as the last one, which is compared
 *
 * Totals are simulated, too: each is of six neighbouring functions.
 */
#include "simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw.h"
#include "proportion.h"

#define FUNCTIONS   60
#define IN_A_TOTAL  6
#define TOTALS	    (FUNCTIONS / IN_A_TOTAL)
#define UNITS	    (FUNCTIONS + TOTALS)
#define MAX_PHASES  4
#define MAX_PARTS   60
#define PROMISE	    0.02
#define CONFIDENCE  0.998 /* two-sided: the lower bound holds with 99.9 % */
#define LEAST_POWER 0.9

struct phase_setting {
	size_t nr_phases;
	double length_s;   /* of a phase, on average */
	double jitter;	   /* of it: 0: always as long; 1: exponentially distributed */
	double contrast;   /* standard deviation of the logarithm of costs from phase to phase */
	double samples_hz; /* of all CPUs together */
	double kept_s, last_s;
	double share, slowdown; /* of function 0, in each phase alike; share 0: as others */
	uint64_t seed;
};

struct phase_world {
	struct phase_setting setting;
	uint64_t random[4];
	size_t nr_parts; /* and the last, which is behind them */
	double cost[MAX_PHASES][FUNCTIONS];
	double use[MAX_PHASES]; /* of the CPUs */
	double time[MAX_PARTS + 1][MAX_PHASES];
	uint64_t parts[UNITS][MAX_PARTS];
	uint64_t counts[UNITS][SIDES];
	struct run runs[SIDES];
	struct unit units[UNITS];
	struct comparison comparison;
};

/* ---- the program ---- */

static void draw_costs(struct phase_world *world)
{
	const struct phase_setting *setting = &world->setting;

	for (size_t phase = 0; phase < setting->nr_phases; phase++) {
		double sum = 0;

		world->use[phase] = 0.2 + 0.8 * random__uniform(world->random);
		for (size_t f = 0; f < FUNCTIONS; f++) {
			world->cost[phase][f] =
				pow((double)f + 1, -1.1) *
				exp(setting->contrast * random__normal(world->random));
			if (f > 0 || !(setting->share > 0))
				sum += world->cost[phase][f];
		}
		if (setting->share > 0)
			world->cost[phase][0] = sum * setting->share / (1 - setting->share);
	}
}

static double draw_length(struct phase_world *world)
{
	const struct phase_setting *setting = &world->setting;

	return setting->length_s *
	       (1 - setting->jitter + setting->jitter * -log(random__uniform(world->random)));
}

/* Draws how much of each part each phase has. The first part begins anywhere in a phase. */
static void draw_times(struct phase_world *world)
{
	const struct phase_setting *setting = &world->setting;
	double left = draw_length(world) * random__uniform(world->random);
	size_t phase = (size_t)(random__uniform(world->random) * (double)setting->nr_phases);

	memset(world->time, 0, sizeof(world->time));
	for (size_t part = 0; part <= world->nr_parts; part++) {
		double room = setting->last_s;

		while (room > 0) {
			double spent = fmin(room, left);

			world->time[part][phase] += spent;
			room -= spent;
			left -= spent;
			if (left > 0)
				continue;
			phase = (phase + 1) % setting->nr_phases;
			left = draw_length(world);
		}
	}
}

/* Adds n samples of a phase. */
static void draw_samples(struct phase_world *world, size_t phase, size_t part, unsigned int n)
{
	const bool is_last = part == world->nr_parts;
	const double slower = is_last ? 1 + world->setting.slowdown : 1;
	double cost[FUNCTIONS], rest = 0;

	for (size_t f = 0; f < FUNCTIONS; f++) {
		cost[f] = world->cost[phase][f] * (f ? 1 : slower);
		rest += cost[f];
	}
	for (size_t f = 0; f < FUNCTIONS; f++) {
		const double p = f + 1 < FUNCTIONS ? fmin(cost[f] / rest, 1) : 1;
		const unsigned int k = random__binomial(world->random, n, p);
		const size_t total = FUNCTIONS + f / IN_A_TOTAL;

		n -= k;
		rest -= cost[f];
		world->counts[f][is_last ? SIDE_NEW : SIDE_BASE] += k;
		world->counts[total][is_last ? SIDE_NEW : SIDE_BASE] += k;
		if (is_last)
			continue;
		world->parts[f][part] += k;
		world->parts[total][part] += k;
	}
}

static void draw(struct phase_world *world)
{
	const struct phase_setting *setting = &world->setting;

	memset(world->parts, 0, sizeof(world->parts));
	memset(world->counts, 0, sizeof(world->counts));
	draw_costs(world);
	draw_times(world);
	for (size_t part = 0; part <= world->nr_parts; part++)
		for (size_t phase = 0; phase < setting->nr_phases; phase++)
			draw_samples(world, phase, part,
				     (unsigned int)(world->time[part][phase] * world->use[phase] *
						    setting->samples_hz));
}

/* ---- the comparison ---- */

static void add_overlap(void *context, const bool *selves, uint64_t *inside)
{
	const struct phase_world *world = context;

	for (size_t self = 0; self < FUNCTIONS; self++)
		for (size_t run = 0; run < SIDES && selves[self]; run++)
			inside[(FUNCTIONS + self / IN_A_TOTAL) * SIDES + run] +=
				world->counts[self][run];
}

static void init(struct phase_world *world, const struct phase_setting *setting)
{
	memset(world, 0, sizeof(*world));
	world->setting = *setting;
	random__seed(world->random, setting->seed);
	world->nr_parts = (size_t)(setting->kept_s / setting->last_s) - 1;
	for (size_t u = 0; u < UNITS; u++)
		world->units[u] = (struct unit){.kind = u < FUNCTIONS ? UNIT_SELF : UNIT_TOTAL,
						.counts = world->counts[u],
						.slices = {world->parts[u]}};
	for (enum side side = 0; side < SIDES; side++)
		world->runs[side].side = side;
	world->comparison = (struct comparison){
		.units = world->units,
		.nr_units = UNITS,
		.runs = world->runs,
		.nr_runs = SIDES,
		.nr_slices = {world->nr_parts},
		.overlap = add_overlap,
		.context = world,
	};
}

struct phase_tally {
	unsigned int comparisons, alarms, found;
	double phi; /* sum of medians */
};

static void compare(struct phase_world *world, struct phase_tally *tally)
{
	struct decision_options options = decision_options__default();
	struct decision decision;
	bool alarm = false;

	options.phases = true;
	draw(world);
	decision__init(&decision, &world->comparison, &options);
	for (size_t u = 0; u < UNITS; u++) {
		const enum verdict verdict = decision.findings[u].verdict;

		/* The total with the slower function has become slower, too. */
		if (world->setting.share > 0 && (u == 0 || u == FUNCTIONS))
			tally->found += u == 0 && verdict == VERDICT_REGRESSED;
		else
			alarm |= verdict == VERDICT_REGRESSED || verdict == VERDICT_IMPROVED;
	}
	tally->comparisons++;
	tally->alarms += alarm;
	tally->phi += decision.phi;
	decision__fini(&decision);
}

static struct phase_tally simulate(const struct phase_setting *setting, unsigned int comparisons)
{
	static struct phase_world world;
	struct phase_tally tally = {0};

	init(&world, setting);
	while (tally.comparisons < comparisons)
		compare(&world, &tally);
	return tally;
}

/* ---- tables ---- */

static const double contrasts[] = {0, 0.3, 1, 2};
static const double lengths_s[] = {2, 5, 10, 20, 45};
static const double jitters[] = {0, 0.3, 1};

#define NR(table) (sizeof(table) / sizeof((table)[0]))

/*
 * Returns the setting of a cell. The time that is compared and the rate of samples vary by its row.
 */
static struct phase_setting make_setting(size_t contrast, size_t length, size_t jitter)
{
	static const double last_s[] = {60, 30, 60, 100, 60};
	static const double samples_hz[] = {198, 1584, 19};
	const size_t row = length * NR(jitters) + jitter;

	return (struct phase_setting){
		.nr_phases = 2 + row % 3,
		.length_s = lengths_s[length],
		.jitter = jitters[jitter],
		.contrast = contrasts[contrast],
		.samples_hz = samples_hz[row % NR(samples_hz)],
		.kept_s = 900,
		.last_s = last_s[row % NR(last_s)],
		.seed = 700000000 + 1000 * contrast + row,
	};
}

static int print_alarms(unsigned int comparisons)
{
	double sum = 0, worst = 0;
	unsigned int nr = 0, broken = 0;

	printf("\nThe last minute or so of 15, of a load with phases: false alarms, %% of %u "
	       "comparisons (phi); columns: how unlike phases are:\n"
	       "| phases of | none | 0.3 | 1 | 2 |\n|-|-|-|-|-|\n",
	       comparisons);
	for (size_t row = 0; row < NR(lengths_s) * NR(jitters); row++) {
		printf("| %g s, jitter %g |", lengths_s[row / NR(jitters)],
		       jitters[row % NR(jitters)]);
		for (size_t c = 0; c < NR(contrasts); c++) {
			const struct phase_setting setting =
				make_setting(c, row / NR(jitters), row % NR(jitters));
			const struct phase_tally tally = simulate(&setting, comparisons);
			const double rate = tally.alarms / (double)comparisons;
			double low, high;

			clopper_pearson(tally.alarms, comparisons, CONFIDENCE, &low, &high);
			printf(" %.2f (%.1f) |", 100 * rate, tally.phi / comparisons);
			fflush(stdout);
			sum += rate;
			nr++;
			worst = fmax(worst, rate);
			broken += low > PROMISE;
		}
		printf("\n");
	}
	printf("Mean %.2f %%, worst %.2f %%; %u of %u settings surely above %.0f %%.\n",
	       100 * sum / nr, 100 * worst, broken, nr, 100 * PROMISE);
	return broken > 0 || sum / nr > PROMISE;
}

/*
 * Prints how often a function that becomes slower is found. It has a tenth of each phase, while the
 * shares of the others differ from phase to phase.
 */
static int print_power(unsigned int comparisons)
{
	static const double slowdowns[] = {0.2, 0.5, 1};
	static const double samples_hz[] = {19, 99, 198, 1584};
	double least = 1, low, high;

	printf("\nA function with 10 %% becomes slower in the last minute of 15, phases of 10 s: "
	       "found / others, %%:\n"
	       "| samples/s | 20 %% | 50 %% | 100 %% |\n|-|-|-|-|\n");
	for (size_t row = 0; row < NR(samples_hz); row++) {
		printf("| %g |", samples_hz[row]);
		for (size_t c = 0; c < NR(slowdowns); c++) {
			const struct phase_setting setting = {
				.nr_phases = 2,
				.length_s = 10,
				.jitter = 0.3,
				.contrast = 0.3,
				.samples_hz = samples_hz[row],
				.kept_s = 900,
				.last_s = 60,
				.share = 0.1,
				.slowdown = slowdowns[c],
				.seed = 720000000 + 10 * row + c,
			};
			const struct phase_tally tally = simulate(&setting, comparisons);

			printf(" %.0f / %.2f |", 100.0 * tally.found / comparisons,
			       100.0 * tally.alarms / comparisons);
			fflush(stdout);
			clopper_pearson(tally.found, comparisons, CONFIDENCE, &low, &high);
			if (slowdowns[c] >= 1 && samples_hz[row] >= 99)
				least = fmin(least, high);
		}
		printf("\n");
	}
	return least < LEAST_POWER;
}

int phases__simulate(unsigned int comparisons)
{
	const int broken = print_alarms(comparisons);

	return broken + print_power(comparisons);
}
