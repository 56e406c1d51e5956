// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program allocates from 30 sites, whose bytes are like rank^-1, and each block is sampled by
 * chance. Only sampling differs from run to run. In new, the second may have half as much again; it
 * has 12.5 % of all before.
 */
#include "simulate.h"

#include <math.h>
#include <stdio.h>

#include "../unit/heap_model.h"
#include "diff/config.h"
#include "diff/matching/byte_counts.h"
#include "diff/matching/match.h"
#include "proportion.h"

#define NR_SITES   30
#define GROWS	   1
#define PROMISE	   0.02
#define CONFIDENCE 0.998
#define MOST_RUNS  6

static const struct sizes {
	const char *name;
	uint64_t of[5]; /* of the blocks of a site, in turn */
} sizes[] = {
	{"small", {16, 32, 48, 100, 256}},
	{"mixed", {24, 400, 9000, 262144, 1048576}},
	{"large", {65536, 524288, 1048576, 2097152, 4194304}},
};

#define NR_SIZES (sizeof(sizes) / sizeof(sizes[0]))

struct heap_setting {
	const struct sizes *sizes;
	size_t nr_runs; /* a side */
	double nr_samples;
	double growth; /* of a site */
};

struct heap_tally {
	unsigned int up, down, found;
};

/* As many blocks as bytes are a site's. */
static void make_sites(const struct heap_setting *setting, bool is_new, char names[NR_SITES][40],
		       struct heap_site *sites)
{
	double whole = 0;

	for (size_t i = 0; i < NR_SITES; i++)
		whole += 1 / (double)(i + 1);
	for (size_t i = 0; i < NR_SITES; i++) {
		const double share = 1 / (double)(i + 1) / whole;
		const double grown = is_new && i == GROWS ? 1 + setting->growth : 1;
		const uint64_t size = setting->sizes->of[i % 5];

		snprintf(names[i], sizeof(names[i]), "malloc@c site%zu@p main@p", i);
		sites[i] = (struct heap_site){
			.stack = names[i],
			.size = size,
			.nr = (uint64_t)llround(share * grown * setting->nr_samples * HEAP_PERIOD /
						(double)size)};
	}
}

static void draw(const struct heap_setting *setting, bool is_new, uint64_t *random,
		 struct recording *recording)
{
	char names[NR_SITES][40];
	struct heap_site sites[NR_SITES];
	struct model model;

	make_sites(setting, is_new, names, sites);
	model = heap_model__new(sites, NR_SITES, random);
	*recording = (struct recording){.profile = model.profile, .period = HEAP_PERIOD};
	dictionary__free(model.dictionary); /* the profile has it */
	byte_counts__make(recording);
}

static void count(struct heap_tally *tally, const struct match *match,
		  const struct decision *decision, bool has_grown)
{
	bool up = false, down = false, found = false;

	for (size_t u = 0; u < decision->nr_units; u++) {
		const enum verdict verdict = decision->findings[u].verdict;
		const bool is_it = has_grown && !strcmp(match__unit(match, u).name, "site1");

		found |= is_it && verdict == VERDICT_REGRESSED;
		up |= !is_it && verdict == VERDICT_REGRESSED;
		down |= !is_it && verdict == VERDICT_IMPROVED;
	}
	tally->up += up;
	tally->down += down;
	tally->found += found;
}

static void compare(const struct heap_setting *setting, const struct diff_config *config,
		    uint64_t *random, struct heap_tally *tally)
{
	const struct match_options options = {.by = MATCH_FUNCTIONS, .names = &config->names};
	const size_t nr_runs = SIDES * setting->nr_runs;
	struct recording recordings[MOST_RUNS] = {0};
	struct run runs[MOST_RUNS] = {0};
	struct decision decision;
	struct match *match;

	for (size_t i = 0; i < nr_runs; i++) {
		const bool is_new = i >= setting->nr_runs;

		draw(setting, is_new, random, &recordings[i]);
		runs[i] = (struct run){.profile = recordings[i].profile,
				       .side = is_new ? SIDE_NEW : SIDE_BASE};
	}
	match = match__new(runs, nr_runs, &options);
	decision__init(&decision, match__comparison(match), &config->decision);
	count(tally, match, &decision, setting->growth > 0);
	decision__fini(&decision);
	match__free(match);
	for (size_t i = 0; i < nr_runs; i++)
		recording__fini(&recordings[i]);
}

static struct heap_tally simulate(const struct heap_setting *setting, unsigned int comparisons,
				  uint64_t seed)
{
	struct heap_tally tally = {0};
	struct diff_config config;

	diff_config__init(&config);
	for (unsigned int i = 0; i < comparisons; i++)
		compare(setting, &config, &seed, &tally);
	diff_config__fini(&config);
	return tally;
}

/* False alarms, found. Returns the rate of the former that is sure to be exceeded. */
static double print_cell(struct heap_setting *setting, unsigned int comparisons, uint64_t seed)
{
	const struct heap_tally equal = simulate(setting, comparisons, seed);
	struct heap_tally grown;
	double low, high;

	setting->growth = 0.5;
	grown = simulate(setting, comparisons, seed + 1);
	setting->growth = 0;
	clopper_pearson(equal.up + equal.down, 2.0 * comparisons, CONFIDENCE, &low, &high);
	printf(" %.2f / %.0f (%.2f) |", 100.0 * (equal.up + equal.down) / (2.0 * comparisons),
	       100.0 * grown.found / comparisons,
	       100.0 * (grown.up + grown.down) / (2.0 * comparisons));
	fflush(stdout);
	return low;
}

int heaps__simulate(unsigned int comparisons)
{
	static const double samples[] = {100, 1000, 10000};
	static const size_t runs[] = {1, 3};
	double worst = 0;

	printf("\nHeaps sampled by bytes: false alarms / a site that has 50 %% more found (others "
	       "flagged then), %%, of %u:\n"
	       "| runs, sizes | 100 samples | 1000 | 10000 |\n|-|-|-|-|\n",
	       comparisons);
	for (size_t r = 0; r < 2; r++)
		for (size_t s = 0; s < NR_SIZES; s++) {
			printf("| %zu+%zu, %s |", runs[r], runs[r], sizes[s].name);
			for (size_t i = 0; i < 3; i++) {
				struct heap_setting setting = {&sizes[s], runs[r], samples[i], 0};

				worst = fmax(worst, print_cell(&setting, comparisons,
							       1000 * r + 100 * s + 10 * i));
			}
			printf("\n");
		}
	return worst > PROMISE;
}
