// SPDX-License-Identifier: GPL-2.0-only
/*
 * Carriers are the callers by which a slow function is called more, in programs whose truth is in
 * their counts.
 */
#include <math.h>

#include "diff/reports/carriers.h"
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
	explanation__find(&explanation, gate->match, &gate->decision, unit);
	return explanation;
}

/* The parts of all carriers and the rest add up to one. */
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

/* Another function takes half of the program: shares of paths fall by half, but not their time. */
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

/* A path that became less has a negative part; the others make up for it. */
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

/* Many callers have a little more each, as chance may have it: none of them is blamed. */
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

/* Recursion is one step; the steps that all paths share between two that differ are folded. */
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

/*
 * A total has its own code as a carrier, too. main has no caller, and all of the program is no
 * news.
 */
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

/*
 * A caller passes on the slowness of its callee; a function whose callee has other callers, too,
 * does not.
 */
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

/* A line of hot and the first line of hot; its samples in each run of a side. */
struct line_case {
	uint32_t line, start_line;
	uint64_t samples;
};

static void put_line(struct gate *gate, enum side side, const char *file,
		     const struct line_case *line)
{
	for (size_t i = 0; i < NR_RUNS; i++) {
		struct model *model = &gate->models[i];
		const struct frame frame = {.function = "hot",
					    .module = "x",
					    .file = file,
					    .line = line->line,
					    .start_line = line->start_line,
					    .address = line->line,
					    .kind = FRAME_USER};
		const uint32_t frames[] = {dictionary__add_frame(model->dictionary, &frame),
					   model__frame(model, (char[]){"main@x"})};
		struct sample sample = {
			.process = model__process(model, "a", 1),
			.values = {line->samples, line->samples * 10000000},
			.stack = dictionary__add_stack(model->dictionary, frames, 2)};

		if (gate->runs[i].side == side && line->samples)
			profile__add(model->profile, &sample);
	}
}

/* Returns the carriers among the lines of hot, of two lines a side, in files of other names. */
static struct carriers explain_lines(const struct line_case base[2], const struct line_case new[2])
{
	struct gate gate = gate__new();
	struct carriers lines;

	put(&gate, 20000, 20000, "draw@x main@x");
	put(&gate, 9000, 9000, "read@x main@x");
	for (size_t i = 0; i < 2; i++) {
		put_line(&gate, SIDE_BASE, "/v3/a.c", &base[i]);
		put_line(&gate, SIDE_NEW, "/v4/b.c", &new[i]);
	}
	decide(&gate, "regressed");
	lines = explain(&gate, "hot", UNIT_SELF).lines;
	for (size_t i = 0; i < lines.nr; i++)
		EXPECT_STR(lines.of[i].file, "/v4/b.c");
	gate__free(&gate);
	return lines;
}

/* Lines were inserted above, and the file has another name: the line that grew is still found. */
static void test_lines_further_down(void)
{
	static const uint32_t starts[] = {0, 5};

	for (size_t i = 0; i < 2; i++) {
		const uint32_t start = starts[i];
		const struct line_case base[] = {{10, start, 1000}, {12, start, 500}};
		const struct line_case new[] = {{17, start ? start + 7 : 0, 3000},
						{19, start ? start + 7 : 0, 500}};
		const struct carriers lines = explain_lines(base, new);

		EXPECT_EQ(lines.nr, 1);
		EXPECT_EQ(lines.of[0].line, 17);
		EXPECT(fabs(lines.of[0].part - 1) < 0.03);
	}
}

/* An edit between sampled lines moves some of them: then no line is told. */
static void test_lines_that_moved(void)
{
	const struct line_case base[] = {{10, 5, 1000}, {12, 5, 1000}};
	const struct line_case new[] = {{10, 5, 1000}, {15, 5, 3000}};

	EXPECT_EQ(explain_lines(base, new).nr, 0);
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
		{"lines further down", test_lines_further_down},
		{"lines that moved", test_lines_that_moved},
		{0},
	};

	return run_tests("carriers", tests);
}
