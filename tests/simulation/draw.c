// SPDX-License-Identifier: GPL-2.0-only
/*
 * The random numbers are our own, so that a seed means the same everywhere: xoshiro256** (Blackman
 * and Vigna, 2018, public domain), and numbers of a distribution by inversion.
 */
#include "draw.h"

#include <math.h>
#include <string.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

static uint64_t rotate(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

static uint64_t next_random(uint64_t s[4])
{
	uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

/* splitmix64, as its authors advise for seeding. */
void random__seed(uint64_t s[4], uint64_t seed)
{
	for (int i = 0; i < 4; i++) {
		uint64_t z = seed += 0x9e3779b97f4a7c15;

		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
		z = (z ^ z >> 27) * 0x94d049bb133111eb;
		s[i] = z ^ z >> 31;
	}
}

/* In (0, 1), never an end of it. */
double random__uniform(uint64_t random[4])
{
	return ((double)(next_random(random) >> 11) + 0.5) * 0x1p-53;
}

double random__normal(uint64_t random[4])
{
	return qnorm(random__uniform(random), 0, 1, 1, 0);
}

/* By inversion, outwards from the mode: about as many steps as the standard deviation. */
unsigned int random__binomial(uint64_t random[4], unsigned int n, double p)
{
	double u = random__uniform(random), odds = p / (1 - p), below, above;
	unsigned int low, high;

	if (n == 0 || p <= 0)
		return 0;
	if (p >= 1)
		return n;
	low = high = (unsigned int)((n + 1) * p);
	below = above = dbinom(low, n, p, 0);
	u -= below;
	while (u > 0 && (low > 0 || high < n)) {
		if (high < n) {
			above *= odds * (n - high) / (high + 1.0);
			high++;
			u -= above;
			if (u <= 0)
				return high;
		}
		if (low > 0) {
			below *= low / (odds * (n - low + 1.0));
			low--;
			u -= below;
		}
		if (below + above < 1e-18)
			break;
	}
	return low;
}

/* Counts of n samples, burst at a time, whose functions have these costs. */
static void draw_counts(struct world *world, const double *cost, unsigned int n, uint64_t *counts,
			size_t stride)
{
	const struct draw_setting *setting = &world->setting;
	unsigned int left = n / setting->burst;
	double rest = 0;

	for (size_t f = 0; f < setting->nr_functions; f++)
		rest += cost[f];
	for (size_t f = 0; f < setting->nr_functions; f++) {
		double p = f + 1 < setting->nr_functions ? cost[f] / rest : 1;
		unsigned int k = random__binomial(world->random, left, p);

		counts[f * stride] = (uint64_t)k * setting->burst;
		left -= k;
		rest -= cost[f];
	}
}

/* Samples of a run. */
static unsigned int draw_length(struct world *world, size_t run)
{
	const struct draw_setting *setting = &world->setting;
	double length = setting->nr_samples;

	if (world->runs[run].side == SIDE_NEW)
		length *= 1 + setting->slower;
	if (setting->length_cv > 0)
		length *= exp(setting->length_cv * random__normal(world->random));
	if (setting->disturbed > 0 && random__uniform(world->random) < setting->disturbed)
		length *= 1.3 + 0.6 * random__uniform(world->random);
	return (unsigned int)length;
}

static void draw_run(struct world *world, const double *tau, size_t run)
{
	const struct draw_setting *setting = &world->setting;
	enum side side = world->runs[run].side;
	double cost[MAX_FUNCTIONS], factor = 0;

	for (size_t f = 0; f < setting->nr_functions; f++) {
		if (f % setting->group == 0)
			factor = random__normal(world->random);
		cost[f] = world->cost[side][f] * exp(tau[f] * factor);
	}
	if (!world->comparison.nr_slices[side]) {
		unsigned int length = draw_length(world, run);

		world->lengths[run] = length;
		draw_counts(world, cost, length, &world->counts[0][run], MAX_RUNS);
		return;
	}
	for (unsigned int s = 0; s < NR_SLICES; s++) {
		unsigned int n = setting->nr_samples / setting->burst;
		unsigned int bursts = n * (s + 1) / NR_SLICES - n * s / NR_SLICES;

		draw_counts(world, cost, bursts * setting->burst, &world->slices[side][0][s],
			    NR_SLICES);
	}
	for (size_t f = 0; f < setting->nr_functions; f++) {
		world->counts[f][run] = 0;
		for (size_t s = 0; s < NR_SLICES; s++)
			world->counts[f][run] += world->slices[side][f][s];
	}
}

void world__draw(struct world *world)
{
	const struct draw_setting *setting = &world->setting;
	double tau[MAX_FUNCTIONS];

	for (size_t f = 0; f < setting->nr_functions; f++)
		tau[f] = setting->tau * exp(0.8 * random__normal(world->random) - 0.64);
	for (size_t run = 0; run < world->comparison.nr_runs; run++)
		draw_run(world, tau, run);
}

static void set_costs(struct world *world)
{
	const struct draw_setting *setting = &world->setting;
	size_t first = setting->share > 0;
	double sum = 0;

	for (size_t f = first; f < setting->nr_functions; f++)
		sum += pow((double)(f + 1 - first), -1.1);
	for (size_t f = first; f < setting->nr_functions; f++) {
		double share = pow((double)(f + 1 - first), -1.1) / sum * (1 - setting->share);

		world->cost[SIDE_BASE][f] = world->cost[SIDE_NEW][f] = share;
	}
	if (first) {
		world->cost[SIDE_BASE][0] = setting->share;
		world->cost[SIDE_NEW][0] = setting->share * (1 + setting->slowdown);
	}
}

void world__init(struct world *world, const struct draw_setting *setting)
{
	size_t nr_runs = 0;
	bool sliced = setting->nr_runs[SIDE_BASE] == 1 && setting->nr_runs[SIDE_NEW] == 1;

	memset(world, 0, sizeof(*world));
	world->setting = *setting;
	random__seed(world->random, setting->seed);
	set_costs(world);
	for (enum side side = 0; side < SIDES; side++) {
		for (size_t i = 0; i < setting->nr_runs[side]; i++)
			world->runs[nr_runs++].side = side;
		world->comparison.nr_slices[side] = sliced ? NR_SLICES : 0;
	}
	for (size_t f = 0; f < setting->nr_functions; f++) {
		struct unit *unit = &world->units[f];

		unit->counts = world->counts[f];
		for (enum side side = 0; side < SIDES && sliced; side++)
			unit->slices[side] = world->slices[side][f];
	}
	world->comparison.units = world->units;
	world->comparison.nr_units = setting->nr_functions;
	world->comparison.runs = world->runs;
	world->comparison.nr_runs = nr_runs;
}
