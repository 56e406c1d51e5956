// SPDX-License-Identifier: GPL-2.0-only
/* A function with another name in new is one unit; two different functions are two. */
#include <string.h>

#include "diff/matching/match.h"
#include "diff/matching/name_likeness.h"
#include "diff/matching/names.h"
#include "expect.h"
#include "model.h"

struct two_sides {
	struct model models[SIDES];
	struct run runs[SIDES];
	struct compared_names names;
	struct match *match;
};

static struct two_sides two_sides(void)
{
	struct two_sides sides = {.runs = {{.side = SIDE_BASE}, {.side = SIDE_NEW}}};

	compared_names__init(&sides.names);
	for (enum side side = 0; side < SIDES; side++) {
		sides.models[side] = model__new();
		sides.runs[side].profile = sides.models[side].profile;
	}
	return sides;
}

static void add_to(struct two_sides *sides, enum side side, uint64_t count, const char *stack)
{
	add(&sides->models[side], "p", 1, count, stack);
}

static void add_to_both(struct two_sides *sides, uint64_t count, const char *stack)
{
	add_to(sides, SIDE_BASE, count, stack);
	add_to(sides, SIDE_NEW, count, stack);
}

static void pair(struct two_sides *sides, enum match_by by)
{
	const struct match_options options = {.by = by, .names = &sides->names};

	match__free(sides->match);
	sides->match = match__new(sides->runs, SIDES, &options);
}

static void two_sides__free(struct two_sides *sides)
{
	match__free(sides->match);
	for (enum side side = 0; side < SIDES; side++)
		model__free(&sides->models[side]);
	compared_names__fini(&sides->names);
}

static size_t find_unit(const struct two_sides *sides, const char *name, enum unit_kind kind)
{
	const struct comparison *comparison = match__comparison(sides->match);

	for (size_t u = 0; u < comparison->nr_units; u++)
		if (comparison->units[u].kind == kind &&
		    !strcmp(match__unit(sides->match, u).name, name))
			return u;
	return SIZE_MAX;
}

/* Expects a unit's counts, and its name in base; NULL: the same. */
static void expect_unit(const struct two_sides *sides, const char *name, uint64_t base,
			uint64_t fresh, const char *was)
{
	const size_t self = find_unit(sides, name, UNIT_SELF);
	const size_t unit = self != SIZE_MAX ? self : find_unit(sides, name, UNIT_TOTAL);
	const struct rename *rename;

	EXPECT(unit != SIZE_MAX);
	if (unit == SIZE_MAX)
		return;
	EXPECT_EQ(match__comparison(sides->match)->units[unit].counts[SIDE_BASE], base);
	EXPECT_EQ(match__comparison(sides->match)->units[unit].counts[SIDE_NEW], fresh);
	rename = match__unit(sides->match, unit).rename;
	EXPECT_STR(rename && rename->name ? rename->name : "", was ? was : "");
}

/* The program under test has the name of its version, and one of its functions another one. */
static void test_module(void)
{
	struct two_sides sides = two_sides();

	add_to(&sides, SIDE_BASE, 500, "memcpy@libc.so.6 parse@bench-old main@bench-old");
	add_to(&sides, SIDE_BASE, 300, "hot@bench-old main@bench-old");
	add_to(&sides, SIDE_BASE, 200, "emit@bench-old main@bench-old");
	add_to(&sides, SIDE_BASE, 10, "@bench-old+1234 main@bench-old");
	add_to(&sides, SIDE_NEW, 500, "memcpy@libc.so.6 parse@bench-new main@bench-new");
	add_to(&sides, SIDE_NEW, 900, "hot@bench-new main@bench-new");
	add_to(&sides, SIDE_NEW, 200, "write@bench-new main@bench-new");
	add_to(&sides, SIDE_NEW, 12, "@bench-new+5678 main@bench-new");
	pair(&sides, MATCH_FUNCTIONS);
	expect_unit(&sides, "hot", 300, 900, NULL);
	expect_unit(&sides, "parse", 500, 500, NULL);
	expect_unit(&sides, "bench-new+0x*", 10, 12, NULL);
	EXPECT_STR(match__unit(sides.match, find_unit(&sides, "hot", UNIT_SELF)).module,
		   "bench-new");
	expect_unit(&sides, "write", 200, 200, "emit");
	EXPECT_EQ(match__renames(sides.match)->nr, 2);
	for (size_t i = 0; i < 2; i++)
		EXPECT_STR(match__renames(sides.match)->list[i]->module, "bench-old");
	pair(&sides, MATCH_MODULES);
	expect_unit(&sides, "bench-new", 510, 1112, NULL);
	pair(&sides, MATCH_SUBTREES);
	expect_unit(&sides, "parse", 500, 500, NULL);
	two_sides__free(&sides);
}

/* Each function of a renamed module has another name: more renames than the list first has room for. */
static void test_many(void)
{
	static const char *const words[] = {"parse",	"render",    "collect",	    "balance",
					    "encrypt",	"schedule",  "compress",    "validate",
					    "allocate", "transform", "interpolate", "serialize",
					    "decode",	"fetch",     "rotate",	    "merge",
					    "split",	"traverse",  "normalize",   "quantize"};
	const size_t nr_words = sizeof(words) / sizeof(words[0]);
	struct two_sides sides = two_sides();
	char stack[128];

	add_to(&sides, SIDE_BASE, 9000, "kept@bench-old main@bench-old");
	add_to(&sides, SIDE_NEW, 9000, "kept@bench-new main@bench-new");
	for (size_t i = 0; i < nr_words; i++) {
		const uint64_t count = 100 + 137 * i;

		snprintf(stack, sizeof(stack), "%s_v1@bench-old main@bench-old", words[i]);
		add_to(&sides, SIDE_BASE, count, stack);
		snprintf(stack, sizeof(stack), "%s_v2@bench-new main@bench-new", words[i]);
		add_to(&sides, SIDE_NEW, count, stack);
	}
	pair(&sides, MATCH_FUNCTIONS);
	EXPECT_EQ(match__renames(sides.match)->nr, 1 + nr_words);
	for (size_t i = 0; i < nr_words; i++) {
		char was[64], name[64];

		snprintf(was, sizeof(was), "%s_v1", words[i]);
		snprintf(name, sizeof(name), "%s_v2", words[i]);
		expect_unit(&sides, name, 100 + 137 * i, 100 + 137 * i, was);
	}
	for (size_t i = 0; i <= nr_words; i++)
		EXPECT_STR(match__renames(sides.match)->list[i]->new_module, "bench-new");
	two_sides__free(&sides);
}

/* Modules that have nothing in common are not one, however alike their names are. */
static void test_other_module(void)
{
	struct two_sides sides = two_sides();

	add_to_both(&sides, 500, "work@p main@p");
	add_to(&sides, SIDE_BASE, 300, "open@plugin-1.so work@p main@p");
	add_to(&sides, SIDE_NEW, 700, "draw@plugin-2.so work@p main@p");
	pair(&sides, MATCH_MODULES);
	expect_unit(&sides, "plugin-1.so", 300, 0, NULL);
	expect_unit(&sides, "plugin-2.so", 0, 700, NULL);
	two_sides__free(&sides);
}

/*
 * Functions of a namespace have equal shares: their names tell the pairs. One of them became
 * slower.
 */
static void test_namespace(void)
{
	struct two_sides sides = two_sides();

	add_to_both(&sides, 5000, "work@p main@p");
	for (int i = 0; i < 6; i++) {
		char stack[64];

		snprintf(stack, sizeof(stack), "before::f%d(int)@p main@p", i);
		add_to(&sides, SIDE_BASE, 1000, stack);
		snprintf(stack, sizeof(stack), "after::f%d(long)@p main@p", i);
		add_to(&sides, SIDE_NEW, i == 3 ? 2000 : 1000, stack);
	}
	pair(&sides, MATCH_FUNCTIONS);
	expect_unit(&sides, "after::f2(long)", 1000, 1000, "before::f2(int)");
	expect_unit(&sides, "after::f3(long)", 1000, 2000, "before::f3(int)");
	EXPECT(match__renames(sides.match)->list[0]->is_sure);
	two_sides__free(&sides);
}

/* A function in another module, called by others. */
static void test_moved(void)
{
	struct two_sides sides = two_sides();

	add_to_both(&sides, 5000, "work@p main@p");
	add_to_both(&sides, 5000, "init@libq.so main@p");
	add_to(&sides, SIDE_BASE, 1000, "hash@p work@p main@p");
	add_to(&sides, SIDE_NEW, 1100, "hash@libq.so init@libq.so main@p");
	pair(&sides, MATCH_FUNCTIONS);
	expect_unit(&sides, "hash", 1000, 1100, "hash");
	two_sides__free(&sides);
}

/*
 * Callers and callees that both sides have tell for sure, and of a chain of renamed ones each tells
 * of the next.
 */
static void test_chain(void)
{
	struct two_sides sides = two_sides();

	add_to_both(&sides, 5000, "work@p main@p");
	add_to(&sides, SIDE_BASE, 400, "memcpy@c load@p read@p main@p");
	add_to(&sides, SIDE_BASE, 300, "load@p read@p main@p");
	add_to(&sides, SIDE_BASE, 400, "strlen@c read@p main@p");
	add_to(&sides, SIDE_NEW, 400, "memcpy@c fetch@p gulp@p main@p");
	add_to(&sides, SIDE_NEW, 300, "fetch@p gulp@p main@p");
	add_to(&sides, SIDE_NEW, 400, "strlen@c gulp@p main@p");
	pair(&sides, MATCH_FUNCTIONS);
	expect_unit(&sides, "gulp", 1100, 1100, "read");
	expect_unit(&sides, "fetch", 300, 300, "load");
	EXPECT(match__renames(sides.match)->list[0]->is_sure);
	EXPECT(match__renames(sides.match)->list[1]->is_sure);
	two_sides__free(&sides);
}

/* A caller and its only callee have nearly the same total; their self times tell them apart. */
static void test_caller_and_callee(void)
{
	static const uint64_t callee[] = {460, 500, 540};

	for (size_t i = 0; i < sizeof(callee) / sizeof(callee[0]); i++) {
		struct two_sides sides = two_sides();

		add_to_both(&sides, 5000, "work@p main@p");
		add_to(&sides, SIDE_BASE, 20, "alpha@p main@p");
		add_to(&sides, SIDE_BASE, 480, "gamma@p alpha@p main@p");
		add_to(&sides, SIDE_NEW, 22, "sort@p main@p");
		add_to(&sides, SIDE_NEW, callee[i], "draw@p sort@p main@p");
		pair(&sides, MATCH_FUNCTIONS);
		expect_unit(&sides, "sort", 20, 22, "alpha");
		expect_unit(&sides, "draw", 480, callee[i], "gamma");
		two_sides__free(&sides);
	}
}

/* A function without callees may be another one: it is one unit, and both readings are told. */
static void test_unknown(void)
{
	struct two_sides sides = two_sides();

	add_to_both(&sides, 5000, "work@p main@p");
	add_to(&sides, SIDE_BASE, 1000, "sort@p main@p");
	add_to(&sides, SIDE_NEW, 1020, "draw@p main@p");
	pair(&sides, MATCH_FUNCTIONS);
	expect_unit(&sides, "draw", 1000, 1020, "sort");
	EXPECT(!match__renames(sides.match)->list[0]->is_sure);
	two_sides__free(&sides);
}

/*
 * Where few functions stayed, and most of these changed, no function has the median change of
 * those: a rename fits the run's total, or any of them.
 */
static void test_few(void)
{
	static const struct {
		uint64_t base[3], fresh[3]; /* of f, g or g2, and h */
		const char *was;
	} cases[] = {
		{{10000, 5000, 4000}, {10000, 5000, 8000}, "g"},   /* whole runs */
		{{10000, 5000, 4000}, {8261, 4130, 6609}, "g"},	   /* the same, by time */
		{{10000, 5000, 4000}, {7143, 7143, 5714}, "g"},	   /* by time, as h, if f changed */
		{{10000, 5000, 4000}, {10000, 10000, 8000}, NULL}, /* but in whole runs f stayed */
		{{10000, 5000, 4000}, {10000, 2500, 16000}, NULL}, /* as nothing */
		{{10000, 5000, 4000}, {10000, 20000, 8000}, NULL},
		{{0, 5000, 4000}, {0, 5000, 9000}, "g"},
		{{0, 5000, 4000}, {0, 5000, 2000}, "g"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct two_sides sides = two_sides();

		for (enum side side = 0; side < SIDES; side++) {
			const uint64_t *counts = side ? cases[i].fresh : cases[i].base;

			if (counts[0])
				add_to(&sides, side, counts[0], "f@p main@p");
			add_to(&sides, side, counts[1], side ? "walk@p main@p" : "g@p main@p");
			add_to(&sides, side, counts[2], "h@p main@p");
		}
		pair(&sides, MATCH_FUNCTIONS);
		expect_unit(&sides, "walk", cases[i].was ? cases[i].base[1] : 0, cases[i].fresh[1],
			    cases[i].was);
		two_sides__free(&sides);
	}
}

/* Another share, other callers, other callees, or another kind of code: something else. */
static void test_different(void)
{
	static const struct {
		const char *gone, *fresh;
		uint64_t share;
	} cases[] = {
		{"sort@p main@p", "draw@p main@p", 2000},
		{"sort@p main@p", "draw@p work@p main@p", 1000},
		{"memcpy@c sort@p main@p", "strlen@c draw@p main@p", 1000},
		{"sort@p main@p", "draw@perf.map main@p", 1000},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct two_sides sides = two_sides();

		add_to_both(&sides, 5000, "work@p main@p");
		add_to_both(&sides, 500, "memcpy@c work@p main@p");
		add_to_both(&sides, 500, "strlen@c work@p main@p");
		add_to(&sides, SIDE_BASE, 1000, cases[i].gone);
		add_to(&sides, SIDE_NEW, cases[i].share, cases[i].fresh);
		pair(&sides, MATCH_FUNCTIONS);
		EXPECT_EQ(match__renames(sides.match)->nr, 0);
		two_sides__free(&sides);
	}
}

static void test_names(void)
{
	static const struct {
		const char *a, *b;
		enum name_likeness likeness;
	} cases[] = {
		{"f", "f", NAMES_EQUAL},
		{"before::f(int)", "after::f(long)", NAMES_OF_ONE},
		{"void ns::(anonymous namespace)::f<int>(int)", "f(int)", NAMES_OF_ONE},
		{"main.(*T).Run", "app.(*U).Run", NAMES_OF_ONE},
		{"LFoo;::run", "LBar;::run", NAMES_OF_ONE},
		{"<T as Trait>::call", "<U as Trait>::call", NAMES_OF_ONE},
		{"JS:render /app/x.js:10:5", "JS:render /app/y.js:14:5", NAMES_OF_ONE},
		{"parse_v1", "parse_v2", NAMES_SIMILAR},
		{"bench-old", "bench-new", NAMES_SIMILAR},
		{"sort", "draw", NAMES_DIFFER},
		{"", "", NAMES_EQUAL},
		{"", "f", NAMES_DIFFER},
		{"((((", "<<<<", NAMES_DIFFER},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		EXPECT_EQ(name_likeness__of(cases[i].a, cases[i].b), cases[i].likeness);
		EXPECT_EQ(name_likeness__of(cases[i].b, cases[i].a), cases[i].likeness);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{"a module with another name", test_module},
		{"many in a module with another name", test_many},
		{"another module", test_other_module},
		{"a namespace", test_namespace},
		{"moved to another module", test_moved},
		{"a chain of renamed ones", test_chain},
		{"a caller and its callee", test_caller_and_callee},
		{"what nobody knows", test_unknown},
		{"few functions", test_few},
		{"what is something else", test_different},
		{"names", test_names},
		{0},
	};

	return run_tests("renames", tests);
}
