// SPDX-License-Identifier: GPL-2.0-only
/* Profiles in memory, paired: which samples are whose, counted by hand. */
#include <math.h>
#include <string.h>

#include "diff/matching/match.h"
#include "diff/matching/names.h"
#include "diff/statistics/comparison.h"
#include "expect.h"
#include "model.h"

struct pairing {
	struct model models[8];
	struct run runs[8];
	size_t nr_runs;
	struct compared_names names;
	struct match *match;
};

static struct pairing pairing__new(size_t nr_base, size_t nr_new)
{
	struct pairing pairing = {
		.nr_runs = nr_base + nr_new,
	};

	compared_names__init(&pairing.names);
	for (size_t i = 0; i < pairing.nr_runs; i++) {
		pairing.models[i] = model__new();
		pairing.runs[i].profile = pairing.models[i].profile;
		pairing.runs[i].side = i < nr_base ? SIDE_BASE : SIDE_NEW;
	}
	return pairing;
}

static void pair(struct pairing *pairing, enum match_by by)
{
	struct match_options options = {.by = by, .names = &pairing->names};

	match__free(pairing->match);
	pairing->match = match__new(pairing->runs, pairing->nr_runs, &options);
}

static void pairing__free(struct pairing *pairing)
{
	match__free(pairing->match);
	for (size_t i = 0; i < pairing->nr_runs; i++)
		model__free(&pairing->models[i]);
	compared_names__fini(&pairing->names);
}

static size_t find_unit(const struct pairing *pairing, const char *name, enum unit_kind kind)
{
	const struct comparison *comparison = match__comparison(pairing->match);

	for (size_t u = 0; u < comparison->nr_units; u++) {
		if (comparison->units[u].kind == kind &&
		    !strcmp(match__unit(pairing->match, u).name, name))
			return u;
	}
	return SIZE_MAX;
}

static void expect_counts(const struct pairing *pairing, const char *name, enum unit_kind kind,
			  uint64_t first, uint64_t second)
{
	size_t unit = find_unit(pairing, name, kind);

	EXPECT(unit != SIZE_MAX);
	if (unit == SIZE_MAX)
		return;
	EXPECT_EQ(match__comparison(pairing->match)->units[unit].counts[0], first);
	EXPECT_EQ(match__comparison(pairing->match)->units[unit].counts[1], second);
}

static struct pairing two_runs(void)
{
	struct pairing pairing = pairing__new(1, 1);
	struct model *base = &pairing.models[0], *new = &pairing.models[1];

	/* In another order, other dictionaries, and partly by other names of the compiler. */
	add(base, "a", 1, 5, "leaf@x mid@x main@x");
	add(base, "a", 1, 7, "mid@x main@x");
	add(base, "a", 1, 2, "leaf@x+20 mid@x leaf@x mid@x main@x");
	add(base, "a", 1, 3, "finish_task_switch@[kernel] mid@x main@x");
	add(base, "a", 1, 1, "");
	add(new, "b", 2, 4, "mid.isra.0@x main@x");
	add(new, "b", 2, 9, "leaf.constprop.1@x mid.isra.0@x main@x");
	add(new, "b", 2, 6, "leaf@y main@x");
	return pairing;
}

static void test_functions(void)
{
	struct pairing pairing = two_runs();
	size_t leaf, mid;

	pair(&pairing, MATCH_FUNCTIONS);
	expect_counts(&pairing, "leaf", UNIT_SELF, 7, 9);
	expect_counts(&pairing, "mid", UNIT_SELF, 7, 4);
	expect_counts(&pairing, "mid", UNIT_TOTAL, 14, 13);
	expect_counts(&pairing, "main", UNIT_TOTAL, 14, 19);
	expect_counts(&pairing, "finish_task_switch", UNIT_SELF, 3, 0);
	expect_counts(&pairing, "[no stack]", UNIT_SELF, 1, 0);
	/* Nowhere but as a leaf, nowhere a leaf, nothing but the machine's. */
	EXPECT_EQ(find_unit(&pairing, "leaf", UNIT_TOTAL), SIZE_MAX);
	EXPECT_EQ(find_unit(&pairing, "main", UNIT_SELF), SIZE_MAX);
	EXPECT_EQ(find_unit(&pairing, "finish_task_switch", UNIT_TOTAL), SIZE_MAX);

	mid = find_unit(&pairing, "mid", UNIT_SELF);
	leaf = find_unit(&pairing, "leaf", UNIT_SELF);
	EXPECT_EQ(match__unit(pairing.match, mid).twin, find_unit(&pairing, "mid", UNIT_TOTAL));
	EXPECT_EQ(match__unit(pairing.match, leaf).twin, SIZE_MAX);
	EXPECT_STR(match__unit(pairing.match, leaf).module, "x");
	EXPECT(match__comparison(pairing.match)
		       ->units[find_unit(&pairing, "finish_task_switch", UNIT_SELF)]
		       .machine);
	EXPECT(!comparison__is_of_rates(match__comparison(pairing.match)));
	pairing__free(&pairing);
}

/*
 * Comparisons of time leave the machine's part out; those of other events keep it, as it may be all
 * there is.
 */
static void test_counted(void)
{
	struct metrics metrics = cpu_metrics;
	struct pairing pairing = two_runs();

	metrics.of[VALUE_COUNT].name = "context-switches";
	for (size_t i = 0; i < pairing.nr_runs; i++)
		profile__set_metrics(pairing.models[i].profile, &metrics);
	pair(&pairing, MATCH_FUNCTIONS);
	expect_counts(&pairing, "finish_task_switch", UNIT_SELF, 3, 0);
	EXPECT(!match__comparison(pairing.match)
			->units[find_unit(&pairing, "finish_task_switch", UNIT_SELF)]
			.machine);
	expect_counts(&pairing, "main", UNIT_TOTAL, 17, 19);
	pairing__free(&pairing);
}

/* Runs that share a dictionary, as intervals of one session do. */
static void test_one_dictionary(void)
{
	struct pairing pairing = pairing__new(1, 1);
	struct model second = {.dictionary = pairing.models[0].dictionary};

	second.profile = profile__new(second.dictionary);
	add(&pairing.models[0], "a", 1, 5, "leaf@x main@x");
	add(&second, "a", 1, 6, "leaf@x main@x");
	pairing.runs[1].profile = second.profile;
	pairing.runs[0].divisor = pairing.runs[1].divisor = 2.5;
	pair(&pairing, MATCH_FUNCTIONS);
	expect_counts(&pairing, "leaf", UNIT_SELF, 5, 6);
	EXPECT_NEAR(match__comparison(pairing.match)->runs[1].divisor, 2.5, 0);
	profile__free(second.profile);
	pairing__free(&pairing);
}

/* A sample in libz.so at an address in a function without a name. */
static void add_nameless(struct pairing *pairing, size_t run, const char *build_id,
			 uint64_t address, uint64_t into, bool has_start)
{
	struct model *model = &pairing->models[run];
	const struct frame frame = {
		.module = "libz.so",
		.path = "/lib/libz.so",
		.build_id = build_id,
		.address = address,
		.offset = into,
		.has_start = has_start,
	};
	const uint32_t id = dictionary__add_frame(model->dictionary, &frame);
	struct sample sample = {.process = model__process(model, "z", 1),
				.values = {1, 10000000},
				.stack = dictionary__add_stack(model->dictionary, &id, 1)};

	profile__add(model->profile, &sample);
}

/* Two functions of one build, and code of none. */
static void add_library(struct pairing *pairing, size_t run, const char *build_id)
{
	add_nameless(pairing, run, build_id, 0x4a26, 0xb6, true);
	add_nameless(pairing, run, build_id, 0x4a2a, 0xba, true);
	add_nameless(pairing, run, build_id, 0x57e4, 0x4, true);
	add_nameless(pairing, run, build_id, 0x3000, 0, false);
}

static void test_starts(void)
{
	struct pairing pairing = pairing__new(1, 1);

	add_library(&pairing, 0, "ab");
	add_library(&pairing, 1, "ab");
	add_nameless(&pairing, 1, "ab", 0x4a40, 0xd0, true);
	pair(&pairing, MATCH_FUNCTIONS);
	expect_counts(&pairing, "libz.so@0x4970", UNIT_SELF, 2, 3);
	expect_counts(&pairing, "libz.so@0x57e0", UNIT_SELF, 1, 1);
	expect_counts(&pairing, "libz.so+0x*", UNIT_SELF, 1, 1);
	pairing__free(&pairing);
}

/* In another build the same start is another function's. */
static void test_starts_of_builds(void)
{
	static const char *const builds[][2] = {{"ab", "cd"}, {"ab", NULL}, {NULL, NULL}};

	for (size_t i = 0; i < 3; i++) {
		struct pairing pairing = pairing__new(1, 1);

		add_library(&pairing, 0, builds[i][0]);
		add_library(&pairing, 1, builds[i][1]);
		pair(&pairing, MATCH_FUNCTIONS);
		EXPECT_EQ(find_unit(&pairing, "libz.so@0x4970", UNIT_SELF), SIZE_MAX);
		expect_counts(&pairing, "libz.so+0x*", UNIT_SELF, 4, 4);
		pair(&pairing, MATCH_MODULES);
		expect_counts(&pairing, "libz.so", UNIT_SELF, 4, 4);
		pairing__free(&pairing);
	}
}

/* A run that was recorded before starts were known makes all of the module one, on either side. */
static void test_starts_of_some_runs(void)
{
	for (size_t old = 0; old < 3; old++) {
		struct pairing pairing = pairing__new(2, 1);

		for (size_t run = 0; run < 3; run++) {
			if (run == old)
				add_nameless(&pairing, run, "ab", 0x4a26, 0, false);
			else
				add_library(&pairing, run, "ab");
		}
		pair(&pairing, MATCH_FUNCTIONS);
		EXPECT_EQ(find_unit(&pairing, "libz.so@0x4970", UNIT_SELF), SIZE_MAX);
		expect_counts(&pairing, "libz.so+0x*", UNIT_SELF, old == 0 ? 1 : 4,
			      old == 1 ? 1 : 4);
		pairing__free(&pairing);
	}
}

/* A run without samples in the module, or with names for all of it, has no say. */
static void test_starts_of_others(void)
{
	struct pairing pairing = pairing__new(2, 1);

	add_library(&pairing, 0, "ab");
	add(&pairing.models[1], "z", 1, 1, "inflate@libz.so");
	add_library(&pairing, 2, "ab");
	pair(&pairing, MATCH_FUNCTIONS);
	expect_counts(&pairing, "libz.so@0x4970", UNIT_SELF, 2, 0);
	pairing__free(&pairing);
}

/* Text has no build IDs and no modules: what was folded before starts were known is the same. */
static void test_starts_in_text(void)
{
	struct pairing pairing = pairing__new(1, 1);

	add(&pairing.models[0], "", 0, 5, "libz.so+0x4a26@ main@");
	add(&pairing.models[1], "", 0, 6, "@libz.so+4970-0 main@");
	pair(&pairing, MATCH_FUNCTIONS);
	expect_counts(&pairing, "libz.so+0x*", UNIT_SELF, 5, 6);
	pair(&pairing, MATCH_MODULES);
	expect_counts(&pairing, "[unknown]", UNIT_SELF, 5, 6);
	pairing__free(&pairing);
}

static void test_modules(void)
{
	struct pairing pairing = two_runs();

	pair(&pairing, MATCH_MODULES);
	expect_counts(&pairing, "x", UNIT_SELF, 14, 13);
	expect_counts(&pairing, "x", UNIT_TOTAL, 14, 19);
	expect_counts(&pairing, "y", UNIT_SELF, 0, 6);
	expect_counts(&pairing, "[machine]", UNIT_SELF, 3, 0);
	pairing__free(&pairing);
}

static void test_stacks(void)
{
	struct pairing pairing = two_runs();
	size_t nr = 0;

	pair(&pairing, MATCH_STACKS);
	for (size_t u = 0; u < match__comparison(pairing.match)->nr_units; u++) {
		char *name = match__full_name(pairing.match, u);
		const uint64_t *counts = match__comparison(pairing.match)->units[u].counts;

		EXPECT_EQ(match__comparison(pairing.match)->units[u].kind, UNIT_SELF);
		if (!strcmp(name, "main;mid;leaf")) {
			EXPECT_EQ(counts[0], 5);
			EXPECT_EQ(counts[1], 9);
			nr++;
		}
		if (!strcmp(name, "main;mid;leaf;mid;leaf")) {
			EXPECT_EQ(counts[0], 2);
			nr++;
		}
		free(name);
	}
	EXPECT_EQ(nr, 2);
	EXPECT_EQ(match__comparison(pairing.match)->nr_units, 6);
	pairing__free(&pairing);
}

static size_t find_path(const struct pairing *pairing, const char *path, enum unit_kind kind)
{
	for (size_t u = 0; u < match__comparison(pairing->match)->nr_units; u++) {
		char *name = match__full_name(pairing->match, u);
		bool found = !strcmp(name, path) &&
			     match__comparison(pairing->match)->units[u].kind == kind;

		free(name);
		if (found)
			return u;
	}
	return SIZE_MAX;
}

/* Each way to a function is its own unit, however often the function recurs on it. */
static void test_subtrees(void)
{
	struct pairing pairing = two_runs();
	const struct comparison *comparison;
	uint64_t inside[64] = {0};
	bool selves[64] = {0};
	size_t main, mid;

	pair(&pairing, MATCH_SUBTREES);
	comparison = match__comparison(pairing.match);
	main = find_path(&pairing, "main", UNIT_TOTAL);
	mid = find_path(&pairing, "main;mid", UNIT_TOTAL);
	EXPECT_EQ(comparison->units[main].counts[0], 14);
	EXPECT_EQ(comparison->units[main].counts[1], 19);
	EXPECT_EQ(comparison->units[mid].counts[0], 14);
	EXPECT_EQ(comparison->units[mid].counts[1], 13);
	EXPECT_EQ(comparison->units[find_path(&pairing, "main;mid", UNIT_SELF)].counts[0], 7);
	EXPECT_EQ(comparison->units[find_path(&pairing, "main;mid;leaf", UNIT_TOTAL)].counts[0], 7);
	EXPECT_EQ(comparison->units[find_path(&pairing, "main;mid;leaf", UNIT_SELF)].counts[0], 5);
	EXPECT_STR(match__unit(pairing.match, mid).name, "mid");
	EXPECT_STR(match__unit(pairing.match, mid).module, "x");

	selves[find_path(&pairing, "main;mid;leaf", UNIT_SELF)] = true;
	comparison->overlap(comparison->context, selves, inside);
	EXPECT_EQ(inside[2 * mid], 5);
	EXPECT_EQ(inside[2 * main + 1], 9);
	pairing__free(&pairing);
}

static void test_overlap(void)
{
	struct pairing pairing = two_runs();
	const struct comparison *comparison;
	uint64_t inside[64] = {0};
	bool selves[64] = {0};

	pair(&pairing, MATCH_FUNCTIONS);
	comparison = match__comparison(pairing.match);
	selves[find_unit(&pairing, "leaf", UNIT_SELF)] = true;
	comparison->overlap(comparison->context, selves, inside);
	EXPECT_EQ(inside[2 * find_unit(&pairing, "mid", UNIT_TOTAL)], 7);
	EXPECT_EQ(inside[2 * find_unit(&pairing, "mid", UNIT_TOTAL) + 1], 9);
	EXPECT_EQ(inside[2 * find_unit(&pairing, "main", UNIT_TOTAL)], 7);
	EXPECT_EQ(inside[2 * find_unit(&pairing, "mid", UNIT_SELF)], 0);
	pairing__free(&pairing);
}

static void test_caller(void)
{
	struct pairing pairing = two_runs();
	double part;
	size_t mid;

	pair(&pairing, MATCH_FUNCTIONS);
	mid = find_unit(&pairing, "mid", UNIT_SELF);
	EXPECT_EQ(match__caller(pairing.match, find_unit(&pairing, "leaf", UNIT_SELF), SIDE_BASE,
				&part),
		  mid);
	EXPECT_NEAR(part, 1, 0);
	/* main is no leaf anywhere, so it is no unit. */
	EXPECT_EQ(match__caller(pairing.match, mid, SIDE_NEW, &part), SIZE_MAX);
	pairing__free(&pairing);
}

static void test_nothing(void)
{
	struct pairing pairing = pairing__new(1, 1);
	struct decision_options options = decision_options__default();
	struct decision decision;

	pair(&pairing, MATCH_FUNCTIONS);
	EXPECT_EQ(match__comparison(pairing.match)->nr_units, 0);
	EXPECT_EQ(decision__init(&decision, match__comparison(pairing.match), &options), 0);
	EXPECT(isinf(decision.found_effect));
	decision__fini(&decision);
	pairing__free(&pairing);
}

/* Slices of the first model's run: sort in 3 and 1, load in 0 and 4; one slice is empty. */
static void test_slices(void)
{
	struct pairing pairing = pairing__new(1, 1);
	struct model *base = &pairing.models[0];
	struct profile *slices[3] = {profile__new(base->dictionary), NULL,
				     profile__new(base->dictionary)};
	struct model first = {base->dictionary, slices[0]}, last = {base->dictionary, slices[2]};
	const struct comparison *comparison;
	const uint64_t *sort, *load;

	add(base, "a", 1, 4, "sort.isra.0@x load@x");
	add(base, "a", 1, 4, "load@x");
	add(&pairing.models[1], "a", 1, 4, "load@x");
	add(&first, "a", 1, 3, "sort.isra.0@x load@x");
	add(&last, "a", 1, 1, "sort.isra.0@x load@x");
	add(&last, "a", 1, 4, "load@x");
	pairing.runs[0].slices = slices;
	pairing.runs[0].nr_slices = 3;
	for (enum match_by by = MATCH_FUNCTIONS; by <= MATCH_SUBTREES; by++) {
		pair(&pairing, by);
		comparison = match__comparison(pairing.match);
		EXPECT_EQ(comparison->nr_slices[SIDE_BASE], 3);
		EXPECT_EQ(comparison->nr_slices[SIDE_NEW], 0);
		if (by == MATCH_MODULES)
			continue;
		sort = comparison->units[find_unit(&pairing, "sort", UNIT_SELF)].slices[SIDE_BASE];
		load = comparison->units[find_unit(&pairing, "load", UNIT_SELF)].slices[SIDE_BASE];
		EXPECT(sort[0] == 3 && sort[1] == 0 && sort[2] == 1);
		EXPECT(load[0] == 0 && load[1] == 0 && load[2] == 4);
	}
	profile__free(slices[0]);
	profile__free(slices[2]);
	pairing__free(&pairing);
}

/* More than can be kept apart: neighbours are joined, and none is lost. */
static void test_many_slices(void)
{
	struct pairing pairing = pairing__new(1, 1);
	struct model *base = &pairing.models[0];
	struct profile *slices[1000];
	uint64_t sum = 0;

	add(base, "a", 1, 1000, "load@x");
	for (size_t i = 0; i < 1000; i++) {
		struct model slice = {base->dictionary, profile__new(base->dictionary)};

		add(&slice, "a", 1, 1, "load@x");
		slices[i] = slice.profile;
	}
	pairing.runs[0].slices = slices;
	pairing.runs[0].nr_slices = 1000;
	pair(&pairing, MATCH_FUNCTIONS);
	EXPECT_EQ(match__comparison(pairing.match)->nr_slices[SIDE_BASE], 40);
	for (size_t i = 0; i < 40; i++) {
		uint64_t count = match__comparison(pairing.match)->units[0].slices[SIDE_BASE][i];

		EXPECT_EQ(count, 25);
		sum += count;
	}
	EXPECT_EQ(sum, 1000);
	for (size_t i = 0; i < 1000; i++)
		profile__free(slices[i]);
	pairing__free(&pairing);
}

/*
 * Softirqs at the exit of an interrupt belong to no caller; those of a system call are its
 * caller's.
 */
static void test_interrupts(void)
{
	struct pairing pairing = pairing__new(1, 1);

	for (size_t i = 0; i < 2; i++) {
		add(&pairing.models[i], "a", 1, 5,
		    "send@[kernel] softirqs@[kernel] __irq_exit_rcu@[kernel] load@x main@x");
		add(&pairing.models[i], "a", 1, 3,
		    "send@[kernel] softirqs@[kernel] do_syscall@[kernel] load@x main@x");
		add(&pairing.models[i], "a", 1, 2, "sysvec_x@[kernel] load@x main@x");
		add(&pairing.models[i], "a", 1, 4, "sysvec_x@x main@x");
	}
	pair(&pairing, MATCH_FUNCTIONS);
	expect_counts(&pairing, "[interrupts]", UNIT_SELF, 7, 7);
	expect_counts(&pairing, "send", UNIT_SELF, 3, 3);
	expect_counts(&pairing, "load", UNIT_TOTAL, 3, 3);
	expect_counts(&pairing, "sysvec_x", UNIT_SELF, 4, 4);
	EXPECT(match__comparison(pairing.match)
		       ->units[find_unit(&pairing, "[interrupts]", UNIT_SELF)]
		       .machine);
	pair(&pairing, MATCH_MODULES);
	expect_counts(&pairing, "[interrupts]", UNIT_SELF, 7, 7);
	expect_counts(&pairing, "[kernel]", UNIT_SELF, 3, 3);
	pair(&pairing, MATCH_STACKS);
	expect_counts(&pairing, "[interrupts]", UNIT_SELF, 7, 7);
	compared_names__clear_machine(&pairing.names);
	pair(&pairing, MATCH_FUNCTIONS);
	expect_counts(&pairing, "send", UNIT_SELF, 8, 8);
	pairing__free(&pairing);
}

static void test_effects(void)
{
	static const struct effect_rule effects[] = {{"m*", 0.3}, {"mid", 0.5}};
	struct pairing pairing = two_runs();
	struct match_options options = {
		.names = &pairing.names,
		.effects = effects,
		.nr_effects = 2,
	};
	const struct unit *units;

	pairing.match = match__new(pairing.runs, pairing.nr_runs, &options);
	units = match__comparison(pairing.match)->units;
	EXPECT_NEAR(units[find_unit(&pairing, "mid", UNIT_SELF)].min_effect, 0.5, 0);
	EXPECT_NEAR(units[find_unit(&pairing, "mid", UNIT_TOTAL)].min_effect, 0.5, 0);
	EXPECT_NEAR(units[find_unit(&pairing, "main", UNIT_TOTAL)].min_effect, 0.3, 0);
	EXPECT_NEAR(units[find_unit(&pairing, "leaf", UNIT_SELF)].min_effect, 0, 0);
	pairing__free(&pairing);
}

int main(void)
{
	static const struct test tests[] = {
		{"functions", test_functions},
		{"what is counted and no time", test_counted},
		{"one dictionary for all", test_one_dictionary},
		{"functions by their starts", test_starts},
		{"starts of several builds", test_starts_of_builds},
		{"starts in some runs", test_starts_of_some_runs},
		{"starts in runs that matter", test_starts_of_others},
		{"starts in text", test_starts_in_text},
		{"modules", test_modules},
		{"stacks", test_stacks},
		{"subtrees", test_subtrees},
		{"overlap", test_overlap},
		{"callers", test_caller},
		{"nothing to match", test_nothing},
		{"slices", test_slices},
		{"interrupts", test_interrupts},
		{"many slices", test_many_slices},
		{"effects of functions", test_effects},
		{0},
	};

	return run_tests("match", tests);
}
