// SPDX-License-Identifier: GPL-2.0-only
/* Two programs in memory, one with a known change: failures, moved costs and exit codes. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "gate.h"

static size_t find_unit(const struct gate *gate, const char *name, enum unit_kind kind)
{
	const struct comparison *comparison = match__comparison(gate->match);

	for (size_t u = 0; u < comparison->nr_units; u++) {
		if (comparison->units[u].kind == kind &&
		    !strcmp(match__unit(gate->match, u).name, name))
			return u;
	}
	EXPECT(!"the unit is there");
	return 0;
}

static void expect_unit(const struct gate *gate, const char *name, enum unit_kind kind,
			enum verdict verdict, bool fails)
{
	size_t unit = find_unit(gate, name, kind);

	EXPECT_STR(verdict__name(gate->decision.findings[unit].verdict), verdict__name(verdict));
	EXPECT_EQ(gate->outcome.fails[unit], fails);
}

static void test_regression(void)
{
	struct gate gate = gate__new();

	put_slow_sort(&gate);
	decide(&gate, "regressed");
	expect_unit(&gate, "sort", UNIT_SELF, VERDICT_REGRESSED, true);
	expect_unit(&gate, "load", UNIT_TOTAL, VERDICT_REGRESSED, true);
	expect_unit(&gate, "draw", UNIT_SELF, VERDICT_UNCHANGED, false);
	EXPECT_EQ(gate.outcome.nr_failing, 2);
	EXPECT_EQ(outcome__exit_code(&gate.outcome, &gate.decision, 0), EXIT_GATE);
	/* A regression is worse news than a blind gate. */
	EXPECT_EQ(outcome__exit_code(&gate.outcome, &gate.decision, 1e-6), EXIT_GATE);
	gate__free(&gate);
}

static void test_rules(void)
{
	static const struct {
		const char *rule;
		size_t nr_failing;
	} cases[] = {
		{"regressed:total", 1},	   {"regressed:self", 1},
		{"regressed:self>90%", 1}, {"regressed:self>110%", 0},
		{"regressed:total>5%", 1}, {"regressed>50%", 1},
		{"improved", 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct gate gate = gate__new();

		put_slow_sort(&gate);
		decide(&gate, cases[i].rule);
		EXPECT_EQ(gate.outcome.nr_failing, cases[i].nr_failing);
		gate__free(&gate);
	}
}

static void test_bad_rules(void)
{
	static const char *const bad[] = {"",
					  "slower",
					  "regressed:",
					  "regressed>5",
					  "regressed>-5%",
					  "regressed>x%",
					  "regressed>%",
					  "regressed>5%%",
					  "regressed:totals",
					  "regressed> 5%",
					  "regressed>1e999%"};
	struct gate_rule rule;
	struct error err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err = (struct error){0};
		EXPECT_EQ(gate_rule__parse(&rule, bad[i], &err), -EINVAL);
		EXPECT_EQ(err.exit_code, EXIT_USAGE);
		EXPECT(strstr(err.text, "regressed or improved"));
	}
}

static void test_inlined(void)
{
	struct gate gate = gate__new();

	put_inlined(&gate);
	decide(&gate, "regressed");
	expect_unit(&gate, "parse", UNIT_SELF, VERDICT_REGRESSED, false);
	expect_unit(&gate, "skip", UNIT_SELF, VERDICT_IMPROVED, false);
	EXPECT_EQ(gate.outcome.moved[find_unit(&gate, "skip", UNIT_SELF)],
		  find_unit(&gate, "parse", UNIT_SELF));
	EXPECT_EQ(gate.outcome.moved[find_unit(&gate, "parse", UNIT_SELF)],
		  find_unit(&gate, "skip", UNIT_SELF));
	EXPECT_EQ(gate.outcome.moved[find_unit(&gate, "draw", UNIT_SELF)], SIZE_MAX);
	EXPECT_EQ(outcome__exit_code(&gate.outcome, &gate.decision, 0), EXIT_DONE);
	gate__free(&gate);
}

/*
 * Several functions are inlined into main, which is in all stacks, so that its total tells nothing.
 */
static void test_inlined_into_main(void)
{
	struct gate gate = gate__new();

	put(&gate, 1500, 0, "skip@x main@x");
	put(&gate, 1500, 0, "peek@x main@x");
	put(&gate, 500, 0, "step@x peek@x main@x");
	put(&gate, 0, 3500, "main@x");
	put(&gate, 10000, 10000, "draw@x main@x");
	put(&gate, 6000, 6000, "read@x main@x");
	decide(&gate, "regressed");
	expect_unit(&gate, "main", UNIT_SELF, VERDICT_REGRESSED, false);
	expect_unit(&gate, "skip", UNIT_SELF, VERDICT_IMPROVED, false);
	EXPECT_EQ(gate.outcome.moved[find_unit(&gate, "main", UNIT_SELF)],
		  find_unit(&gate, "main", UNIT_SELF));
	EXPECT_EQ(gate.decision.findings[find_unit(&gate, "draw", UNIT_SELF)].verdict,
		  VERDICT_UNCHANGED);
	EXPECT_EQ(outcome__exit_code(&gate.outcome, &gate.decision, 0), EXIT_DONE);
	gate__free(&gate);
}

/* The cost of a shared function that is gone did not move into the caller that grew. */
static void test_two_callers(void)
{
	struct gate gate = gate__new();

	put(&gate, 3000, 4500, "parse@x main@x");
	put(&gate, 1500, 0, "skip@x parse@x main@x");
	put(&gate, 1500, 0, "skip@x load@x main@x");
	put(&gate, 3000, 3000, "load@x main@x");
	put(&gate, 9000, 9000, "draw@x main@x");
	put(&gate, 4500, 4500, "main@x");
	decide(&gate, "regressed");
	expect_unit(&gate, "skip", UNIT_SELF, VERDICT_IMPROVED, false);
	EXPECT_EQ(gate.outcome.moved[find_unit(&gate, "skip", UNIT_SELF)], SIZE_MAX);
	gate__free(&gate);
}

/* A function is no longer inlined: the new function costs no more time. */
static void test_outlined(void)
{
	struct gate gate = gate__new();

	put(&gate, 4500, 3000, "parse@x main@x");
	put(&gate, 0, 1500, "skip@x parse@x main@x");
	put(&gate, 1000, 1000, "read@x parse@x main@x");
	put(&gate, 10000, 10000, "draw@x main@x");
	put(&gate, 4500, 4500, "main@x");
	decide(&gate, "regressed");
	expect_unit(&gate, "skip", UNIT_SELF, VERDICT_REGRESSED, false);
	expect_unit(&gate, "parse", UNIT_SELF, VERDICT_IMPROVED, false);
	EXPECT_EQ(outcome__exit_code(&gate.outcome, &gate.decision, 0), EXIT_DONE);
	gate__free(&gate);
}

/* A small function doubles in a large one: that is no moved cost, though the large one stands. */
static void test_hidden(void)
{
	struct gate gate = gate__new();

	put(&gate, 500, 1000, "parse@x main@x");
	put(&gate, 30000, 30000, "read@x parse@x main@x");
	put(&gate, 20000, 20000, "draw@x main@x");
	put(&gate, 4500, 4500, "main@x");
	decide(&gate, "regressed");
	expect_unit(&gate, "parse", UNIT_TOTAL, VERDICT_UNCHANGED, false);
	expect_unit(&gate, "parse", UNIT_SELF, VERDICT_REGRESSED, true);
	gate__free(&gate);
}

static void expect_moved(const struct gate *gate, const char *name, enum unit_kind kind,
			 const char *partner)
{
	const size_t unit = find_unit(gate, name, kind);
	const size_t other = gate->outcome.moved[unit];

	EXPECT(other != SIZE_MAX);
	if (other != SIZE_MAX)
		EXPECT_STR(match__unit(gate->match, other).name, partner);
	EXPECT(!gate->outcome.fails[unit]);
}

/* Puts functions that all programs below have beside the others. */
static void put_beside(struct gate *gate)
{
	put(gate, 6000, 6000, "draw@x main@x");
	put(gate, 3000, 3000, "mix@x read@x main@x");
	put(gate, 3000, 3000, "read@x main@x");
}

/*
 * pack became pack_a and pack_b; the latter ends it by a tail call, so that pack is not there any
 * more.
 */
static void test_split(void)
{
	struct gate gate = gate__new();

	put_beside(&gate);
	put(&gate, 300, 150, "pack@x main@x");
	put(&gate, 6000, 0, "mix@x pack@x main@x");
	put(&gate, 0, 3400, "mix@x pack_a@x pack@x main@x");
	put(&gate, 0, 2600, "mix@x pack_b@x main@x");
	put(&gate, 0, 80, "pack_a@x pack@x main@x");
	put(&gate, 0, 70, "pack_b@x main@x");
	decide(&gate, "regressed");
	expect_unit(&gate, "pack", UNIT_TOTAL, VERDICT_IMPROVED, false);
	expect_unit(&gate, "pack_a", UNIT_TOTAL, VERDICT_REGRESSED, false);
	expect_unit(&gate, "pack_b", UNIT_TOTAL, VERDICT_REGRESSED, false);
	expect_moved(&gate, "pack", UNIT_TOTAL, "pack_b");
	expect_moved(&gate, "pack_a", UNIT_TOTAL, "pack");
	expect_moved(&gate, "pack_b", UNIT_TOTAL, "pack");
	EXPECT_EQ(outcome__exit_code(&gate.outcome, &gate.decision, 0), EXIT_DONE);
	gate__free(&gate);
}

/* Into two that have time of their own. */
static void test_split_with_its_time(void)
{
	struct gate gate = gate__new();

	put_beside(&gate);
	put(&gate, 3000, 0, "pack@x main@x");
	put(&gate, 3000, 0, "mix@x pack@x main@x");
	put(&gate, 0, 2000, "pack_a@x main@x");
	put(&gate, 0, 500, "mix@x pack_a@x main@x");
	put(&gate, 0, 1000, "pack_b@x main@x");
	put(&gate, 0, 2500, "mix@x pack_b@x main@x");
	decide(&gate, "regressed");
	expect_moved(&gate, "pack_a", UNIT_SELF, "pack");
	expect_moved(&gate, "pack_a", UNIT_TOTAL, "pack");
	expect_moved(&gate, "pack_b", UNIT_SELF, "pack");
	expect_moved(&gate, "pack_b", UNIT_TOTAL, "pack");
	EXPECT_EQ(outcome__exit_code(&gate.outcome, &gate.decision, 0), EXIT_DONE);
	gate__free(&gate);
}

/* pack_a and pack_b became pack, and of two inlined functions only what they call is left. */
static void test_merged(void)
{
	struct gate gate = gate__new();

	put_beside(&gate);
	put(&gate, 2000, 0, "mix@x pack_a@x main@x");
	put(&gate, 3000, 0, "mix@x pack_b@x main@x");
	put(&gate, 0, 5000, "mix@x pack@x main@x");
	put(&gate, 3000, 0, "sort@x order@x load@x main@x");
	put(&gate, 0, 3000, "sort@x load@x main@x");
	decide(&gate, "improved");
	expect_moved(&gate, "pack_a", UNIT_TOTAL, "pack");
	expect_moved(&gate, "pack_b", UNIT_TOTAL, "pack");
	expect_moved(&gate, "pack", UNIT_TOTAL, "pack_b");
	expect_moved(&gate, "order", UNIT_TOTAL, "order");
	EXPECT_EQ(gate.outcome.nr_failing, 0);
	gate__free(&gate);
}

/* A new function adds work to an old leaf, whether or not as much was saved elsewhere. */
static void test_added(void)
{
	for (unsigned int saved = 0; saved < 2; saved++) {
		struct gate gate = gate__new();

		put_beside(&gate);
		put(&gate, 6000, saved ? 4000 : 6000, "mix@x pack@x main@x");
		put(&gate, 0, 2000, "mix@x check@x load@x main@x");
		put(&gate, 0, 500, "check@x load@x main@x");
		put(&gate, 4000, 4000, "load@x main@x");
		decide(&gate, "regressed");
		expect_unit(&gate, "check", UNIT_SELF, VERDICT_REGRESSED, true);
		expect_unit(&gate, "check", UNIT_TOTAL, VERDICT_REGRESSED, true);
		expect_unit(&gate, "load", UNIT_TOTAL, VERDICT_REGRESSED, true);
		gate__free(&gate);
	}
}

/* Split, and half of it is slower: then it is no longer the same sum. */
static void test_split_and_slower(void)
{
	struct gate gate = gate__new();

	put_beside(&gate);
	put(&gate, 6000, 0, "mix@x pack@x main@x");
	put(&gate, 0, 1900, "mix@x head@x main@x");
	put(&gate, 0, 8000, "mix@x tail@x main@x");
	decide(&gate, "regressed");
	expect_unit(&gate, "head", UNIT_TOTAL, VERDICT_REGRESSED, true);
	expect_unit(&gate, "tail", UNIT_TOTAL, VERDICT_REGRESSED, true);
	gate__free(&gate);
}

/*
 * One of two functions on both sides is slower and the other faster, though a leaf that they share
 * is not.
 */
static void test_two_changes(void)
{
	struct gate gate = gate__new();

	put_beside(&gate);
	put(&gate, 2000, 4000, "mix@x pack@x main@x");
	put(&gate, 4000, 2000, "mix@x load@x main@x");
	decide(&gate, "regressed");
	expect_unit(&gate, "mix", UNIT_SELF, VERDICT_UNCHANGED, false);
	expect_unit(&gate, "pack", UNIT_TOTAL, VERDICT_REGRESSED, true);
	expect_unit(&gate, "load", UNIT_TOTAL, VERDICT_IMPROVED, false);
	gate__free(&gate);
}

static void test_power(void)
{
	struct gate gate = gate__new();

	put(&gate, 30, 30, "a@x main@x");
	put(&gate, 30, 30, "b@x main@x");
	decide(&gate, "regressed");
	EXPECT(gate.decision.found_effect > 0.5);
	EXPECT_EQ(outcome__exit_code(&gate.outcome, &gate.decision, 0), EXIT_DONE);
	EXPECT_EQ(outcome__exit_code(&gate.outcome, &gate.decision, 0.5), EXIT_USAGE);
	EXPECT_EQ(outcome__exit_code(&gate.outcome, &gate.decision, 100), EXIT_DONE);
	gate__free(&gate);
}

/* A side without samples does not pass. */
static void test_empty_side(void)
{
	struct gate gate = gate__new();

	put(&gate, 1000, 0, "a@x main@x");
	put(&gate, 1000, 0, "b@x main@x");
	decide(&gate, "regressed");
	EXPECT_EQ(outcome__exit_code(&gate.outcome, &gate.decision, 0), EXIT_USAGE);
	gate__free(&gate);
}

int main(void)
{
	static const struct test tests[] = {
		{"a regression fails", test_regression},
		{"rules", test_rules},
		{"bad rules", test_bad_rules},
		{"cost that moved into a caller", test_inlined},
		{"inlined into main", test_inlined_into_main},
		{"cost that two callers shared", test_two_callers},
		{"cost that moved out of a caller", test_outlined},
		{"cost hidden in a large function", test_hidden},
		{"a function that was split", test_split},
		{"split with its own time", test_split_with_its_time},
		{"functions that were merged", test_merged},
		{"a function that adds work", test_added},
		{"split and slower", test_split_and_slower},
		{"one slower, one faster, one leaf", test_two_changes},
		{"power", test_power},
		{"a side without samples", test_empty_side},
		{0},
	};

	return run_tests("verdict", tests);
}
