// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs of two to five functions, all of which main calls, and which call nothing. One or two
 * became slower or faster, or have another name in new. Runs are whole, so that functions that
 * stayed have as many samples of a run as before, or they end by time, so that shares are all there
 * is.
 */
#include "simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../unit/model.h"
#include "diff/config.h"
#include "diff/matching/match.h"
#include "diff/matching/verdict.h"
#include "draw.h"
#include "proportion.h"

#define FEWEST	    2
#define MOST	    5
#define MOST_RUNS   6
#define NR_SAMPLES  10000 /* of a run of base */
#define FUNCTION_CV 0.01  /* of a function, from run to run */
#define RUN_CV	    0.01  /* of all functions of a run alike */
#define PROMISE	    0.02
#define CONFIDENCE  0.998

static const char *const names[SIDES][MOST] = {{"spin", "fold", "mark", "cast", "peek"},
					       {"drain", "hash", "walk", "loop", "pick"}};

struct few_setting {
	size_t nr_functions;
	size_t nr_changed, nr_renamed; /* the first ones, and those behind them */
	size_t nr_runs;		       /* a side */
	bool by_time;
	bool by_rate; /* per run */
};

struct few_program {
	double cost[SIDES][MOST]; /* parts of what a run of base takes */
};

struct few_tally {
	unsigned int comparisons;
	unsigned int told, told_renamed; /* comparisons that tell what did not change as changed */
	unsigned int open;		 /* but name what changed instead, too */
	unsigned int changed, found;	 /* functions */
};

static void make_program(struct few_program *program, const struct few_setting *setting,
			 uint64_t random[4])
{
	double sum = 0;

	for (size_t f = 0; f < setting->nr_functions; f++)
		sum += program->cost[SIDE_BASE][f] = 0.2 + random__uniform(random);
	for (size_t f = 0; f < setting->nr_functions; f++) {
		const double factor = 1.3 * pow(4 / 1.3, random__uniform(random));
		const bool is_slower = random__uniform(random) < 0.5;

		program->cost[SIDE_BASE][f] /= sum;
		program->cost[SIDE_NEW][f] = program->cost[SIDE_BASE][f];
		if (f < setting->nr_changed)
			program->cost[SIDE_NEW][f] *= is_slower ? factor : 1 / factor;
	}
}

static bool is_renamed(const struct few_setting *setting, size_t f)
{
	return f >= setting->nr_changed && f < setting->nr_changed + setting->nr_renamed;
}

static void draw_run(const struct few_program *program, const struct few_setting *setting,
		     enum side side, struct model *model, uint64_t random[4])
{
	const double length = exp(RUN_CV * random__normal(random));
	double costs[MOST], sum = 0;

	for (size_t f = 0; f < setting->nr_functions; f++)
		sum += costs[f] =
			program->cost[side][f] * length * exp(FUNCTION_CV * random__normal(random));
	for (size_t f = 0; f < setting->nr_functions; f++) {
		const bool is_other = side == SIDE_NEW && is_renamed(setting, f);
		const double samples = NR_SAMPLES * costs[f] / (setting->by_time ? sum : 1);
		char stack[64];

		snprintf(stack, sizeof(stack), "%s@p main@p", names[is_other][f]);
		add(model, "p", 1,
		    random__binomial(random, 16 * NR_SAMPLES, samples / (16 * NR_SAMPLES)), stack);
	}
}

/* That of a name, of base or of new; MOST: none. */
static size_t function_of(const char *name)
{
	for (size_t f = 0; f < MOST; f++)
		if (!strcmp(name, names[SIDE_BASE][f]) || !strcmp(name, names[SIDE_NEW][f]))
			return f;
	return MOST;
}

static void count_functions(const struct few_setting *setting, const struct match *match,
			    const struct decision *decision, struct few_tally *tally)
{
	bool told = false, told_renamed = false, open = false, found[MOST + 1] = {0};

	for (size_t u = 0; u < decision->nr_units; u++) {
		const struct finding *finding = &decision->findings[u];
		const size_t f = function_of(match__unit(match, u).name);

		if (match__comparison(match)->units[u].kind != UNIT_SELF ||
		    (finding->verdict != VERDICT_REGRESSED && finding->verdict != VERDICT_IMPROVED))
			continue;
		found[f] = true;
		if (f < setting->nr_changed)
			continue;
		if (finding->rival != SIZE_MAX &&
		    function_of(match__unit(match, finding->rival).name) < setting->nr_changed)
			open = true;
		else if (is_renamed(setting, f))
			told_renamed = true;
		else
			told = true;
	}
	tally->comparisons++;
	tally->told += told;
	tally->told_renamed += told_renamed;
	tally->open += open;
	for (size_t f = 0; f < setting->nr_changed; f++)
		tally->found += found[f];
	tally->changed += setting->nr_changed;
}

static void compare(const struct few_setting *setting, const struct diff_config *config,
		    uint64_t random[4], struct few_tally *tally)
{
	const struct match_options options = {.by = MATCH_FUNCTIONS, .names = &config->names};
	const size_t nr_runs = SIDES * setting->nr_runs;
	struct decision decision;
	struct model models[MOST_RUNS];
	struct run runs[MOST_RUNS];
	struct few_program program;
	struct match *match;

	make_program(&program, setting, random);
	for (size_t i = 0; i < nr_runs; i++) {
		const enum side side = i < setting->nr_runs ? SIDE_BASE : SIDE_NEW;

		models[i] = model__new();
		draw_run(&program, setting, side, &models[i], random);
		runs[i] = (struct run){
			.profile = models[i].profile, .side = side, .divisor = setting->by_rate};
	}
	match = match__new(runs, nr_runs, &options);
	decision__init(&decision, match__comparison(match), &config->decision);
	count_functions(setting, match, &decision, tally);
	decision__fini(&decision);
	match__free(match);
	for (size_t i = 0; i < nr_runs; i++)
		model__free(&models[i]);
}

static struct few_tally simulate(const struct few_setting *setting, unsigned int comparisons,
				 uint64_t seed)
{
	struct few_tally tally = {0};
	struct diff_config config;
	uint64_t random[4];

	diff_config__init(&config);
	random__seed(random, seed);
	while (tally.comparisons < comparisons)
		compare(setting, &config, random, &tally);
	diff_config__fini(&config);
	return tally;
}

/* Runs are whole and something stayed, or so much stayed that it agrees. */
static bool is_known(const struct few_setting *setting)
{
	return setting->nr_functions - setting->nr_changed > setting->by_time;
}

int few__simulate(unsigned int comparisons)
{
	static const size_t kinds[][2] = {{0, 1}, {1, 0}, {1, 1}, {2, 0}, {0, 2}};
	struct few_setting setting;
	double worst = 0, low, high;
	uint64_t seed = 970000000;

	comparisons = comparisons < 100 ? comparisons : comparisons / 10;
	printf("\nPrograms of few functions: what did not change is told as changed / renamed ones "
	       "are / both readings are told / changes found, %%, of %u (?: nothing tells):\n"
	       "| functions, changed, renamed, runs | by time | whole runs | --per run "
	       "|\n|-|-|-|-|\n",
	       comparisons);
	for (size_t i = 0; i < 40; i++) {
		setting = (struct few_setting){.nr_functions = FEWEST + i / 10,
					       .nr_changed = kinds[i / 2 % 5][0],
					       .nr_renamed = kinds[i / 2 % 5][1],
					       .nr_runs = i % 2 ? 3 : 1};
		printf("| %zu, %zu, %zu, %zu |", setting.nr_functions, setting.nr_changed,
		       setting.nr_renamed, setting.nr_runs);
		for (unsigned int way = 0; way < (i % 2 ? 3 : 2); way++) {
			struct few_tally tally;

			setting.by_time = way == 0;
			setting.by_rate = way == 2;
			tally = simulate(&setting, comparisons, seed++);
			clopper_pearson(tally.told + tally.told_renamed, tally.comparisons,
					CONFIDENCE, &low, &high);
			if (is_known(&setting))
				worst = fmax(worst, low);
			printf(" %s%.1f / %.1f / %.1f / %.0f |", is_known(&setting) ? "" : "? ",
			       percent(tally.told, comparisons),
			       percent(tally.told_renamed, comparisons),
			       percent(tally.open, comparisons),
			       percent(tally.found, tally.changed));
			fflush(stdout);
		}
		printf(i % 2 ? "\n" : " |\n");
	}
	return worst > PROMISE;
}
