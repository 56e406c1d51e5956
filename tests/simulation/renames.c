// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program of 30 functions: a tree of 24, and 6 helpers that three of these call each. In new some
 * have another name, are in another module, or are inlined into their callers; or one is gone and
 * another one, which calls other helpers, has its place and its share; or one is split in two, or
 * calls a new function, which adds work to a helper. All the others do the same as before.
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

#define FUNCTIONS    30
#define IN_TREE	     24
#define CALLERS	     3
#define MOST_CHANGES 20
#define MOST_STACKS  64
#define STACK_BYTES  2048
#define RUNS_MOST    10
#define PROMISE	     0.02
#define CONVERSE     0.05
#define CONFIDENCE   0.998

enum change { STAYS, RENAMED, SPACE_RENAMED, MOVED, INLINED, REPLACED, SPLIT, ADDS, CHANGES };

struct rename_setting {
	enum change kind; /* CHANGES: any */
	size_t nr_runs;	  /* a side */
	unsigned int nr_samples;
	double tau;
};

struct changing_program {
	size_t parent[FUNCTIONS]; /* SIZE_MAX: main */
	size_t callers[FUNCTIONS][CALLERS];
	double cost[FUNCTIONS];
	enum change change[FUNCTIONS];
	bool grows[FUNCTIONS]; /* as others are inlined into it */
};

struct stack {
	char text[STACK_BYTES];
	double cost;
};

struct rename_tally {
	unsigned int comparisons;
	unsigned int unchanged, told; /* functions */
	unsigned int renamed, found, told_renamed;
	unsigned int replaced, called_renamed;
	unsigned int added, called_moved;
};

/* ---- programs ---- */

static size_t below(uint64_t random[4], size_t nr)
{
	return (size_t)(random__uniform(random) * (double)nr);
}

static void make_program(struct changing_program *program, uint64_t random[4])
{
	*program = (struct changing_program){.parent = {SIZE_MAX}};
	for (size_t i = 0; i < FUNCTIONS; i++) {
		program->cost[i] = pow((double)(i + 1), -random__uniform(random));
		if (i && i < IN_TREE)
			program->parent[i] =
				random__uniform(random) < 0.3 ? SIZE_MAX : below(random, i);
		for (size_t c = 0; i >= IN_TREE && c < CALLERS; c++)
			program->callers[i][c] = below(random, IN_TREE);
	}
	for (size_t i = FUNCTIONS; i-- > 1;) {
		const size_t other = below(random, i + 1);
		const double cost = program->cost[i];

		program->cost[i] = program->cost[other];
		program->cost[other] = cost;
	}
}

static void choose_changes(struct changing_program *program, const struct rename_setting *setting,
			   uint64_t random[4])
{
	const size_t nr = setting->kind == SPLIT ? 1 : 1 + below(random, MOST_CHANGES);

	for (size_t i = 0; i < nr;) {
		const size_t f = below(random, setting->kind == SPLIT ? IN_TREE : FUNCTIONS);

		if (program->change[f])
			continue;
		program->change[f] = setting->kind == CHANGES
					     ? RENAMED + (enum change)below(random, 4)
					     : setting->kind;
		i++;
	}
	for (size_t f = 0; f < FUNCTIONS; f++) {
		if (program->change[f] != INLINED)
			continue;
		if (f >= IN_TREE)
			for (size_t c = 0; c < CALLERS; c++)
				program->grows[program->callers[f][c]] = true;
		else if (program->parent[f] != SIZE_MAX)
			program->grows[program->parent[f]] = true;
	}
	/* A function that grows may itself be inlined, and so on. */
	for (size_t f = IN_TREE; f-- > 0;)
		if (program->grows[f] && program->change[f] == INLINED &&
		    program->parent[f] != SIZE_MAX)
			program->grows[program->parent[f]] = true;
}

/* ---- their stacks ---- */

/*
 * An inlined function has the name "". A function that is split has two names, by its callee in the
 * stack (SIZE_MAX: none).
 */
static void write_name(char text[64], const struct changing_program *program, size_t f,
		       size_t callee, bool is_new)
{
	static const char *const words[] = {"spin", "fold", "mark", "cast", "peek", "drain"};
	const enum change change = is_new ? program->change[f] : STAYS;

	if (change == INLINED)
		text[0] = '\0';
	else if (change == RENAMED || change == REPLACED)
		snprintf(text, 64, "%s%c%s@p ", words[(f + 3) % 6], (char)('a' + f % 26),
			 words[f % 5]);
	else if (change == SPLIT)
		snprintf(text, 64, "%s_of_%zu@p ", callee % 2 ? "head" : "tail", f);
	else
		snprintf(text, 64, "%s::work_%zu@%s ", change == SPACE_RENAMED ? "after" : "before",
			 f, change == MOVED ? "libq.so" : "p");
}

/* Writes f and all its callers, leaf first. */
static void write_path(char *text, const struct changing_program *program, size_t f, size_t callee,
		       bool is_new)
{
	text[0] = '\0';
	for (; f != SIZE_MAX; callee = f, f = program->parent[f]) {
		char name[64];

		write_name(name, program, f, callee, is_new);
		strcat(text, name);
	}
	strcat(text, "main@p");
}

/*
 * Returns the helper that a caller calls. A function that is replaced calls others: those beside.
 */
static size_t helper_of(const struct changing_program *program, size_t helper, size_t caller,
			bool is_new)
{
	return is_new && program->change[caller] == REPLACED
		       ? IN_TREE + (helper - IN_TREE + 3) % (FUNCTIONS - IN_TREE)
		       : helper;
}

static size_t make_stacks(const struct changing_program *program, bool is_new, struct stack *stacks)
{
	size_t nr = 0;

	for (size_t f = 0; f < FUNCTIONS; f++)
		for (size_t c = 0; c < (f < IN_TREE ? 1 : CALLERS); c++, nr++) {
			char path[STACK_BYTES / 2], name[64] = "";
			const size_t at = f < IN_TREE ? f : program->callers[f][c];

			if (f >= IN_TREE)
				write_name(name, program, helper_of(program, f, at, is_new),
					   SIZE_MAX, is_new);
			write_path(path, program, at, f < IN_TREE ? SIZE_MAX : f, is_new);
			snprintf(stacks[nr].text, STACK_BYTES, "%s%s", name, path);
			stacks[nr].cost = program->cost[f] / (f < IN_TREE ? 1 : CALLERS);
		}
	for (size_t f = 0; f < IN_TREE && is_new; f++)
		if (program->change[f] == ADDS) {
			char path[STACK_BYTES / 2];

			write_path(path, program, f, SIZE_MAX, is_new);
			snprintf(stacks[nr].text, STACK_BYTES, "before::work_%d@p extra@p %s",
				 IN_TREE, path);
			stacks[nr++].cost = program->cost[IN_TREE];
		}
	return nr;
}

static void draw_run(const struct rename_setting *setting, const struct stack *stacks, size_t nr,
		     struct model *model, uint64_t random[4])
{
	double costs[MOST_STACKS], rest = 0;
	unsigned int left = setting->nr_samples;

	for (size_t i = 0; i < nr; i++)
		rest += costs[i] = stacks[i].cost * exp(setting->tau * random__normal(random));
	for (size_t i = 0; i < nr; i++) {
		const double p = i + 1 < nr ? fmin(1, costs[i] / rest) : 1;
		const unsigned int k = random__binomial(random, left, p);

		if (k)
			add(model, "p", 1, k, stacks[i].text);
		left -= k;
		rest -= costs[i];
	}
}

/* ---- findings ---- */

/* The function of base that a unit is, by its name there; FUNCTIONS: none. */
static size_t function_of(const struct match_unit *shown)
{
	const char *name = shown->rename && shown->rename->name ? shown->rename->name : shown->name;
	size_t f;

	return sscanf(name, "before::work_%zu", &f) == 1 || sscanf(name, "head_of_%zu", &f) == 1 ||
			       sscanf(name, "tail_of_%zu", &f) == 1
		       ? f
		       : FUNCTIONS;
}

/* True if a function was renamed, and the unit has its name in new. */
static bool is_right(const struct changing_program *program, const struct match_unit *shown)
{
	const size_t f = function_of(shown);
	char name[64];

	if (f == FUNCTIONS)
		return false;
	write_name(name, program, f, SIZE_MAX, true);
	return !strncmp(name, shown->name, strlen(shown->name));
}

static void count_functions(const struct changing_program *program, const struct match *match,
			    const struct outcome *outcome, const struct decision *decision,
			    struct rename_tally *tally)
{
	bool told_of[FUNCTIONS + 1] = {0}, found[FUNCTIONS + 1] = {0};
	bool called[FUNCTIONS + 1] = {0};

	for (size_t u = 0; u < decision->nr_units; u++) {
		const struct match_unit shown = match__unit(match, u);
		const enum verdict verdict = decision->findings[u].verdict;
		const bool is_self = match__comparison(match)->units[u].kind == UNIT_SELF;
		const size_t f = function_of(&shown);

		/* The time of an inlined function becomes its caller's own time. */
		if (f < FUNCTIONS && is_self && program->grows[f])
			continue;
		told_of[f] |= (verdict == VERDICT_REGRESSED ||
			       (verdict == VERDICT_IMPROVED && program->change[f] != SPLIT)) &&
			      outcome->moved[u] == SIZE_MAX;
		found[f] |= shown.rename && is_right(program, &shown);
		called[f] |= shown.rename && shown.rename->name;
		if (!strcmp(shown.name, "extra") && verdict == VERDICT_REGRESSED) {
			tally->added++;
			tally->called_moved += outcome->moved[u] != SIZE_MAX;
		}
	}
	for (size_t f = 0; f < FUNCTIONS; f++) {
		const bool is_renamed =
			(program->change[f] >= RENAMED && program->change[f] <= MOVED) ||
			program->change[f] == SPLIT;

		tally->unchanged += program->change[f] == STAYS;
		tally->told += program->change[f] == STAYS && told_of[f];
		tally->renamed += is_renamed;
		tally->found += is_renamed && found[f];
		tally->told_renamed += is_renamed && told_of[f];
		tally->called_renamed += program->change[f] == REPLACED && called[f];
	}
}

static void compare(const struct rename_setting *setting, const struct diff_config *config,
		    const struct changing_program *program, uint64_t random[4],
		    struct rename_tally *tally)
{
	static struct stack stacks[MOST_STACKS];
	const struct match_options options = {.by = MATCH_FUNCTIONS, .names = &config->names};
	const size_t nr_runs = SIDES * setting->nr_runs;
	struct model models[RUNS_MOST];
	struct run runs[RUNS_MOST] = {0};
	struct decision decision;
	struct outcome outcome;
	struct match *match;

	for (size_t i = 0; i < nr_runs; i++) {
		const bool is_new = i >= setting->nr_runs;

		models[i] = model__new();
		draw_run(setting, stacks, make_stacks(program, is_new, stacks), &models[i], random);
		runs[i] = (struct run){.profile = models[i].profile,
				       .side = is_new ? SIDE_NEW : SIDE_BASE};
	}
	tally->comparisons++;
	match = match__new(runs, nr_runs, &options);
	decision__init(&decision, match__comparison(match), &config->decision);
	outcome__init(&outcome, match, &decision, config->rules, config->nr_rules);
	count_functions(program, match, &outcome, &decision, tally);
	outcome__fini(&outcome);
	decision__fini(&decision);
	match__free(match);
	for (size_t i = 0; i < nr_runs; i++)
		model__free(&models[i]);
}

/*
 * Replaces a function by one that calls other helpers. Helpers do a good part of its work, so that
 * it can be told by them. Its other callees go to its own caller. Returns false if it calls those
 * other helpers already.
 */
static bool replace_one(struct changing_program *program, uint64_t random[4])
{
	const size_t helper = IN_TREE + below(random, FUNCTIONS - IN_TREE);
	const size_t f = program->callers[helper][0];
	unsigned int called = 0; /* helpers, as a set */

	for (size_t i = IN_TREE; i < FUNCTIONS; i++)
		for (size_t c = 0; c < CALLERS; c++)
			called |= (program->callers[i][c] == f) << (i - IN_TREE);
	program->change[f] = REPLACED;
	program->cost[helper] = fmax(program->cost[helper], 2 * program->cost[f]);
	for (size_t i = 0; i < IN_TREE; i++)
		if (program->parent[i] == f)
			program->parent[i] = program->parent[f];
	return !(called & (called << 3 | called >> 3));
}

static struct rename_tally simulate(const struct rename_setting *setting, unsigned int comparisons,
				    uint64_t seed)
{
	struct rename_tally tally = {0};
	struct diff_config config;
	uint64_t random[4];

	diff_config__init(&config);
	random__seed(random, seed);
	while (tally.comparisons < comparisons) {
		struct changing_program program;

		make_program(&program, random);
		if (setting->kind == ADDS)
			program.change[below(random, IN_TREE)] = ADDS;
		else if (setting->kind != REPLACED)
			choose_changes(&program, setting, random);
		else if (!replace_one(&program, random))
			continue;
		tally.replaced += setting->kind == REPLACED;
		compare(setting, &config, &program, random, &tally);
	}
	diff_config__fini(&config);
	return tally;
}

int renames__simulate(unsigned int comparisons)
{
	static const char *const names[] = {
		"", "other names", "other namespaces", "moved", "inlined", "", "split",
		"", "any of these"};
	static const struct rename_setting sizes[] = {
		{0, 1, 30000, 0.02}, {0, 3, 3000, 0.02}, {0, 3, 30000, 0.02}, {0, 5, 30000, 0.03}};
	double worst = 0, converse = 0, low, high;

	comparisons = comparisons < 100 ? comparisons : comparisons / 10;
	printf("\n1 to %d (split: 1) of %d functions changed as said: unchanged functions told as "
	       "changed / "
	       "renamed ones told so / renames found, %%, of %u:\n| runs x samples |",
	       MOST_CHANGES, FUNCTIONS, comparisons);
	for (enum change kind = RENAMED; kind <= CHANGES; kind++)
		if (kind != REPLACED && kind != ADDS)
			printf(" %s |", names[kind]);
	printf(" replaced, and called a rename | more work, and called moved |\n"
	       "|-|-|-|-|-|-|-|-|-|\n");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct rename_setting setting = sizes[i];
		struct rename_tally tally;

		printf("| %zu x %u |", setting.nr_runs, setting.nr_samples);
		for (setting.kind = RENAMED; setting.kind <= CHANGES; setting.kind++) {
			if (setting.kind == REPLACED || setting.kind == ADDS)
				continue;
			tally = simulate(&setting, comparisons, 990000000 + 10 * i + setting.kind);
			clopper_pearson(tally.told, tally.unchanged, CONFIDENCE, &low, &high);
			worst = fmax(worst, low);
			printf(" %.2f / %.2f / %.0f |", percent(tally.told, tally.unchanged),
			       percent(tally.told_renamed, tally.renamed),
			       percent(tally.found, tally.renamed));
			fflush(stdout);
		}
		setting.kind = REPLACED;
		tally = simulate(&setting, comparisons, 995000000 + i);
		clopper_pearson(tally.called_renamed, tally.replaced, CONFIDENCE, &low, &high);
		converse = fmax(converse, low);
		printf(" %.2f |", percent(tally.called_renamed, tally.replaced));
		setting.kind = ADDS;
		tally = simulate(&setting, comparisons, 996000000 + i);
		clopper_pearson(tally.called_moved, tally.added, CONFIDENCE, &low, &high);
		converse = fmax(converse, low);
		printf(" %.2f of %u |\n", percent(tally.called_moved, tally.added), tally.added);
	}
	return (worst > PROMISE) + (converse > CONVERSE);
}
