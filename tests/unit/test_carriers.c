// SPDX-License-Identifier: GPL-2.0-only
/* Of whom a slow function is called more, in programs whose truth is in their counts. */
#include <math.h>

#include "diff/carriers.h"
#include "gate.h"

static size_t find_unit(const struct gate *gate, const char *name, enum unit_kind kind)
{
	const struct comparison *comparison = match__comparison(gate->match);

	for (size_t u = 0; u < comparison->nr_units; u++)
		if (comparison->units[u].kind == kind &&
		    !strcmp(match__unit(gate->match, u).name, name))
			return u;
	return SIZE_MAX;
}

static struct explanation explain(const struct gate *gate, const char *name, enum unit_kind kind)
{
	const size_t unit = find_unit(gate, name, kind);
	struct explanation explanation = {0};

	EXPECT(unit != SIZE_MAX);
	if (unit == SIZE_MAX)
		return explanation;
	EXPECT(explanation__is_due(gate->match, &gate->decision, unit));
	EXPECT_EQ(explanation__find(&explanation, gate->match, &gate->decision, unit), 0);
	return explanation;
}

/* Parts add up, whatever is told apart. */
static void expect_whole(const struct carriers *carriers)
{
	double sum = carriers->other;

	for (size_t i = 0; i < carriers->nr; i++)
		sum += carriers->of[i].part;
	EXPECT(fabs(sum - 1) < 0.02); /* half a sample is added to the counts of a decision */
}

static void expect_carrier(const struct carriers *carriers, size_t index, const char *path,
			   double part)
{
	const struct carrier *carrier = &carriers->of[index];
	char text[200] = "";

	EXPECT(index < carriers->nr);
	if (index >= carriers->nr)
		return;
	for (size_t i = 0; i < carrier->nr_names; i++) {
		strcat(text, i ? " " : "");
		strcat(text, carrier->names[i] ? carrier->names[i] : "...");
	}
	EXPECT_STR(text, path);
	EXPECT(fabs(carrier->part - part) < 0.03);
}

/* 80 of 100 more samples are of one caller, 20 of another, and a third has as many as before. */
static void put_callers(struct gate *gate)
{
	put(gate, 1000, 2600, "hot@x parse@x request@x loop@x main@x");
	put(gate, 1000, 1400, "hot@x parse@x config@x main@x");
	put(gate, 1000, 1000, "hot@x emit@x main@x");
	put(gate, 17000, 17000, "draw@x main@x");
}

static void test_callers(void)
{
	struct gate gate = gate__new();
	struct explanation explanation;

	put_callers(&gate);
	decide(&gate, "regressed");
	explanation = explain(&gate, "hot", UNIT_SELF);
	EXPECT_EQ(explanation.callers.nr, 2);
	expect_carrier(&explanation.callers, 0, "request parse", 0.8);
	expect_carrier(&explanation.callers, 1, "config parse", 0.2);
	expect_whole(&explanation.callers);
	EXPECT_EQ(explanation.callees.nr, 0);
	explanation = explain(&gate, "parse", UNIT_TOTAL);
	EXPECT_EQ(explanation.callees.nr, 1);
	expect_carrier(&explanation.callees, 0, "hot", 1);
	gate__free(&gate);
}

/* Something else takes half of the program: shares of paths fall by half, but not what they take. */
static void test_exposure(void)
{
	struct gate gate = gate__new();
	struct explanation explanation;

	put(&gate, 1000, 3000, "hot@x one@x main@x");
	put(&gate, 2000, 2000, "hot@x two@x main@x");
	put(&gate, 1000, 30000, "grown@x main@x");
	put(&gate, 16000, 16000, "draw@x main@x");
	decide(&gate, "regressed");
	explanation = explain(&gate, "hot", UNIT_SELF);
	EXPECT_EQ(explanation.callers.nr, 1);
	expect_carrier(&explanation.callers, 0, "one", 1);
	expect_whole(&explanation.callers);
	gate__free(&gate);
}

/* What became less is below zero; the others make up for it. */
static void test_less(void)
{
	struct gate gate = gate__new();
	struct explanation explanation;

	put(&gate, 1000, 6000, "hot@x one@x main@x");
	put(&gate, 3000, 500, "hot@x two@x main@x");
	put(&gate, 30000, 30000, "draw@x main@x");
	decide(&gate, "regressed");
	explanation = explain(&gate, "hot", UNIT_SELF);
	EXPECT_EQ(explanation.callers.nr, 2);
	expect_carrier(&explanation.callers, 0, "one", 2);
	expect_carrier(&explanation.callers, 1, "two", -1);
	expect_whole(&explanation.callers);
	gate__free(&gate);
}

/* Many callers a little each, as chance may have it: nobody is blamed. */
static void test_chance(void)
{
	struct gate gate = gate__new();
	struct explanation explanation;
	char stack[64];

	for (int i = 0; i < 40; i++) {
		snprintf(stack, sizeof(stack), "hot@x caller%d@x main@x", i);
		put(&gate, 10, 20, stack);
	}
	put(&gate, 3000, 3000, "draw@x main@x");
	decide(&gate, "regressed");
	explanation = explain(&gate, "hot", UNIT_SELF);
	EXPECT_EQ(explanation.callers.nr, 0);
	EXPECT(fabs(explanation.callers.other - 1) < 0.02);
	gate__free(&gate);
}

/* Who calls itself is one step; what all have in common between two that tell is folded. */
static void test_folded(void)
{
	struct gate gate = gate__new();
	struct explanation explanation;

	put(&gate, 1000, 3000, "hot@x hot@x hot@x a@x a@x b@x c@x d@x one@x main@x");
	put(&gate, 1000, 1000, "hot@x hot@x a@x b@x c@x d@x two@x main@x");
	put(&gate, 1000, 1000, "hot@x other@x main@x");
	put(&gate, 16000, 16000, "draw@x main@x");
	decide(&gate, "regressed");
	explanation = explain(&gate, "hot", UNIT_SELF);
	EXPECT_EQ(explanation.callers.nr, 1);
	expect_carrier(&explanation.callers, 0, "one ... a", 1);
	gate__free(&gate);
}

/* Of a total, its own code too. Nobody calls main; all of the program is no news. */
static void test_callees(void)
{
	struct gate gate = gate__new();
	struct explanation explanation;

	put(&gate, 1000, 3000, "work@x main@x");
	put(&gate, 1000, 3000, "deep@x step@x work@x main@x");
	put(&gate, 1000, 1000, "other@x work@x main@x");
	put(&gate, 4000, 4000, "read@x main@x");
	put(&gate, 16000, 16000, "draw@x main@x");
	decide(&gate, "regressed");
	explanation = explain(&gate, "work", UNIT_TOTAL);
	EXPECT_EQ(explanation.callees.nr, 2);
	expect_whole(&explanation.callees);
	for (size_t i = 0; i < 2; i++)
		expect_carrier(&explanation.callees, i,
			       explanation.callees.of[i].nr_names ? "step" : "", 0.5);
	gate__free(&gate);
}

/* Whose callee became as slow passes on what that is; whose callee others share does not. */
static void test_passes_on(void)
{
	struct gate gate = gate__new();

	put(&gate, 2000, 6000, "leaf@x hot@x outer@x main@x");
	put(&gate, 30000, 30000, "leaf@x work@x main@x");
	put(&gate, 20000, 20000, "draw@x main@x");
	put(&gate, 9000, 9000, "read@x main@x");
	decide(&gate, "regressed");
	EXPECT(explain(&gate, "outer", UNIT_TOTAL).passes_on);
	EXPECT(!explain(&gate, "hot", UNIT_TOTAL).passes_on);
	EXPECT(!explain(&gate, "leaf", UNIT_SELF).passes_on);
	gate__free(&gate);
}

int main(void)
{
	static const struct test tests[] = {
		{"callers", test_callers},
		{"exposure", test_exposure},
		{"less", test_less},
		{"chance", test_chance},
		{"folded", test_folded},
		{"callees", test_callees},
		{"passing on", test_passes_on},
		{0},
	};

	return run_tests("carriers", tests);
}
