// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bounds of shares are compared with published intervals and tables. How often they hold the truth
 * is for tests/simulation to say.
 *
 *   Ne    R. Newcombe, Statist. Med. 17 (1998) 857: table I, method 3
 *   Tu    tables of the studentized range: the upper 5 % point of 3 means is 3.314
 */
#include "profile/certainty.h"

#include <math.h>
#include <stdlib.h>

#include "expect.h"
#include "model.h"

static struct certainty certainty_of(double samples)
{
	const struct scatter scatter = scatter__independent();

	return certainty__of_samples(samples, &scatter);
}

static struct portion part_of(double value)
{
	return (struct portion){.value = value};
}

static void test_published(void)
{
	static const struct {
		double hits, samples, low, high;
	} newcombe[] = {{81, 263, 0.2553, 0.3662},
			{15, 148, 0.0624, 0.1605},
			{0, 20, 0, 0.1611},
			{1, 29, 0.0061, 0.1718}};

	for (size_t i = 0; i < sizeof(newcombe) / sizeof(newcombe[0]); i++) {
		const struct certainty certainty = certainty_of(newcombe[i].samples);
		const struct bounds bounds =
			certainty__bounds(&certainty, part_of(newcombe[i].hits));
		const double share = newcombe[i].hits / newcombe[i].samples;

		EXPECT_NEAR(bounds.low, newcombe[i].low, 6e-5);
		EXPECT_NEAR(bounds.high, newcombe[i].high, 6e-5);
		EXPECT_NEAR(certainty__error(&certainty, part_of(newcombe[i].hits)),
			    bounds.high - share, 1e-15);
	}
}

/* 400 samples that scatter 4 times as much have the bounds of 100. */
static void test_scatter(void)
{
	const struct scatter scatter = {.factor = 4, .df = INFINITY};
	const struct certainty rough = certainty__of_samples(400, &scatter);
	const struct certainty fine = certainty_of(100);

	EXPECT_NEAR(certainty__bounds(&rough, part_of(120)).low,
		    certainty__bounds(&fine, part_of(30)).low, 1e-12);
	EXPECT_NEAR(certainty__bounds(&rough, part_of(120)).high,
		    certainty__bounds(&fine, part_of(30)).high, 1e-12);
	EXPECT_NEAR(certainty__bounds(&fine, part_of(100)).high, 1, 1e-12);
	EXPECT_NEAR(certainty__bounds(&fine, part_of(0)).low, 0, 1e-12);
}

static void tie(const struct certainty *certainty, const uint64_t *values, size_t nr,
		enum tie *ties)
{
	struct portion *parts = calloc(nr, sizeof(*parts));

	for (size_t i = 0; i < nr; i++)
		parts[i] = part_of((double)values[i]);
	certainty__tie(certainty, parts, nr, ties);
	free(parts);
}

static void expect_ties(const struct certainty *certainty, const uint64_t *values, size_t nr,
			const char *marks)
{
	enum tie *ties = calloc(nr, sizeof(*ties));

	tie(certainty, values, nr, ties);
	for (size_t i = 0; i < nr; i++)
		EXPECT_EQ("-(|)"[ties[i]], marks[i]);
	free(ties);
}

/* The distance of two is (a - b) / sqrt(a + b) standard deviations, of which 1.96 are too many. */
static void test_ties(void)
{
	const struct certainty certainty = certainty_of(10000);
	const struct scatter scatter = {.factor = 4, .df = INFINITY};
	const struct certainty rough = certainty__of_samples(10000, &scatter);
	const uint64_t two[] = {500, 440}, apart[] = {500, 439}, zeros[] = {5000, 0, 0};
	const uint64_t three[] = {500, 470, 429}, last[] = {500, 470, 428},
		       pairs[] = {90, 90, 9, 9};

	expect_ties(&certainty, two, 2, "()");	 /* 1.957 */
	expect_ties(&certainty, apart, 2, "--"); /* 1.991 */
	expect_ties(&rough, apart, 2, "()");
	expect_ties(&certainty, three, 3, "(|)"); /* 2.329 of 3.314 / sqrt(2) = 2.344 */
	expect_ties(&certainty, last, 3, "()-");  /* 2.363 */
	expect_ties(&certainty, zeros, 3, "---");
	expect_ties(&certainty, pairs, 4, "()()");
}

/* A row as large as another one of the group cannot be told apart from that one. */
static void test_equal_rows(void)
{
	const struct certainty certainty = certainty_of(1000);
	uint64_t values[500];
	enum tie ties[500];

	for (size_t i = 0; i < 500; i++)
		values[i] = 1;
	tie(&certainty, values, 500, ties);
	EXPECT_EQ(ties[0], TIE_FIRST);
	EXPECT_EQ(ties[499], TIE_LAST);
}

/* ---- scatter ---- */

static void test_slices(void)
{
	double few[] = {10, 9, 1, 20, 5}, many[100], none[] = {3, 4};
	size_t ends[MAX_INTERVALS];

	EXPECT_EQ(join_slices(few, 5, ends), 2);
	EXPECT_EQ(ends[0], 3);
	EXPECT_EQ(ends[1], 5); /* the rest is too little for one of its own */
	for (size_t i = 0; i < 100; i++)
		many[i] = 1000;
	EXPECT_EQ(join_slices(many, 100, ends), 33); /* 2500 wanted: three slices each */
	EXPECT_EQ(ends[32], 100);
	EXPECT_EQ(join_slices(none, 2, ends), 0);
	EXPECT_EQ(join_slices(NULL, 0, ends), 0);
}

static void test_dispersion(void)
{
	double counts[] = {5, 10, 10}, totals[] = {20, 20, 20};
	struct dispersion sum = {0};

	dispersion__add(&sum, counts, totals, 3);
	EXPECT_NEAR(sum.seen, 0.0625, 1e-15); /* a quarter to a half */
	EXPECT_NEAR(sum.expected, 0.375 * 0.625 * 0.1 + 0.25 * 0.1, 1e-15);
}

#define INTERVALS 40

/*
 * The counts are of two units; each interval is two standard deviations off: more, more, less, less
 * and so on.
 */
static double factor_of(double (*share)(size_t interval), double samples)
{
	double counts[2 * INTERVALS], totals[INTERVALS];

	for (size_t i = 0; i < INTERVALS; i++) {
		const double p = share(i);

		totals[i] = samples;
		counts[i] = p * samples + (i & 2 ? -2 : 2) * sqrt(samples * p * (1 - p));
		counts[INTERVALS + i] = samples - counts[i];
	}
	return scatter__measure(counts, 2, totals, INTERVALS).factor;
}

static double steady(size_t interval)
{
	(void)interval;
	return 0.4;
}

static double pure_phases(size_t interval)
{
	return interval < 17;
}

static double phases(size_t interval)
{
	return interval < 10 ? 0.7 : interval < 29 ? 0.2 : 0.6;
}

static double drift(size_t interval)
{
	return 0.2 + 0.6 * (double)interval / INTERVALS;
}

/* To and fro, all the time. */
static double turns(size_t interval)
{
	return interval & 4 ? 0.7 : 0.3;
}

/*
 * Changes of the program itself are no scatter, however many samples show them; a change that
 * recurs all the time is.
 */
static void test_changes(void)
{
	const double expected = factor_of(steady, 1000);

	EXPECT(expected > 2 && expected < 3);
	for (double samples = 1000; samples < 1e7; samples *= 10) {
		EXPECT_NEAR(factor_of(pure_phases, samples), 1, 0);
		EXPECT_NEAR(factor_of(phases, samples), expected, 0.5);
		EXPECT_NEAR(factor_of(drift, samples), expected, 0.25);
	}
	EXPECT(factor_of(turns, 10000) > 10);
}

/*
 * One unit is all but everything: with less than a degree of freedom no scatter is learned, and
 * none is printed.
 */
static void test_hardly_anything_learned(void)
{
	const double counts[] = {1e15, 1e15 - 1e9, 0, 1e9}, totals[] = {1e15, 1e15};
	const struct scatter scatter = scatter__measure(counts, 2, totals, 2);
	const struct certainty certainty = certainty__of_samples(2e15, &scatter);
	const uint64_t values[] = {3, 2, 1};
	enum tie ties[3];

	EXPECT(scatter.factor > 1e8);
	EXPECT(scatter.df >= 1);
	EXPECT(isfinite(certainty.quantile));
	tie(&certainty, values, 3, ties);
	EXPECT_EQ(ties[2], TIE_LAST);
}

/* ---- of recordings ---- */

static struct recording recording_of(const struct model *model)
{
	return (struct recording){.profile = model->profile};
}

static const char *lack_of(const struct recording *recording)
{
	struct certainty certainty;

	certainty__init(&certainty, recording, 0);
	return certainty.lack ? certainty.lack : "";
}

/*
 * A count in a file of another tool may be scaled; weights of one size are as good as counts.
 * Samples stand for their weights, waits do not: their scatter is not known.
 */
static void test_of_others(void)
{
	const struct metrics contentions = {.of = {[VALUE_COUNT] = {"contentions", "count"},
						   [VALUE_WEIGHT] = {"delay", "nanoseconds"}}};
	struct metrics waits = contentions;
	struct model model = model__new();
	struct recording recording = recording_of(&model);
	struct metrics metrics = cpu_metrics;
	struct sample heavy = {.values = {1, 1000000000}};

	add(&model, "prog", 1, 10, "f@p main@p");
	add(&model, "prog", 1, 20, "g@p main@p");
	metrics.shown = VALUE_WEIGHT;
	profile__set_metrics(model.profile, &metrics);
	EXPECT_STR(lack_of(&recording), "");
	profile__add(model.profile, &heavy);
	EXPECT_STR(lack_of(&recording), "");
	profile__set_metrics(model.profile, &contentions);
	EXPECT(strstr(lack_of(&recording), "the files do not say"));
	waits.of[VALUE_COUNT].is_events = true;
	waits.shown = VALUE_WEIGHT;
	profile__set_metrics(model.profile, &waits);
	recording.facts[FACT_EVENT] = "lock";
	recording.thinned.one_in = 4;
	EXPECT(strstr(lack_of(&recording), "weigh differently"));
	model__free(&model);
}

/* Shares that stay or change by turns, in as many slices. */
static double learned_factor(uint64_t more, uint64_t less)
{
	struct model model = model__new(), slices[20];
	struct profile *profiles[20];
	struct recording recording = recording_of(&model);
	struct certainty certainty;

	for (size_t i = 0; i < 20; i++) {
		slices[i] = (struct model){model.dictionary, profile__new(model.dictionary)};
		add(&slices[i], "prog", 1, i % 2 ? more : less, "f@p main@p");
		add(&slices[i], "prog", 1, i % 2 ? less : more, "g@p main@p");
		profile__merge(model.profile, slices[i].profile);
		profiles[i] = slices[i].profile;
	}
	recording.slices = profiles;
	recording.nr_slices = 20;
	certainty__init(&certainty, &recording, 0);
	for (size_t i = 0; i < 20; i++)
		profile__free(profiles[i]);
	model__free(&model);
	return certainty.scatter.factor;
}

/* With 100 samples each slice is 0.2 off those before and after; the three units have 8 of 15. */
static void test_learned(void)
{
	EXPECT_NEAR(learned_factor(50, 50), 1, 0);
	EXPECT_NEAR(learned_factor(60, 40), 0.04 / (8.0 / 15 * 7.0 / 15 * 1.5 / 100), 1e-9);
}

static void test_what_is_sampled(void)
{
	struct model model = model__new();
	struct recording recording = recording_of(&model);

	EXPECT(strstr(lack_of(&recording), "no samples"));
	add(&model, "prog", 1, 10, "f@p main@p");
	EXPECT_STR(lack_of(&recording), "");
	recording.facts[FACT_EVENT] = "sched:sched_switch";
	recording.period = 1;
	EXPECT(strstr(lack_of(&recording), "measured"));
	recording.period = 100;
	EXPECT_STR(lack_of(&recording), "");
	recording.period = 0;
	recording.thinned.one_in = 16;
	EXPECT_STR(lack_of(&recording), "");
	model__free(&model);
}

/* Recordings that have nothing in common tell no more than one sample of them would. */
static void test_describes(void)
{
	struct certainty certainty = {
		.samples = 1100, .whole = 1100, .squares = 1100, .grain = 1, .scatter.factor = 2};
	char text[256];

	certainty__describe(&certainty, text, sizeof(text));
	EXPECT_STR(text, "± holds the true share in 95 of 100 recordings: 1,100 samples, worth 550 "
			 "independent ones");
	certainty.scatter.factor = 2000;
	certainty__describe(&certainty, text, sizeof(text));
	EXPECT_STR(text, "± holds the true share in 95 of 100 recordings: 1,100 samples, worth no "
			 "more than one that is independent");
	certainty = (struct certainty){
		.samples = 1, .whole = 1, .squares = 1, .grain = 1, .scatter.factor = 1};
	certainty__describe(&certainty, text, sizeof(text));
	EXPECT_STR(text, "± holds the true share in 95 of 100 recordings: 1 sample");
}

int main(void)
{
	static const struct test tests[] = {
		{"published intervals", test_published},
		{"scatter", test_scatter},
		{"rows that cannot be told apart", test_ties},
		{"rows that are equal", test_equal_rows},
		{"what is sampled", test_what_is_sampled},
		{"what others have sampled", test_of_others},
		{"scatter is learned from slices", test_learned},
		{"slices to intervals", test_slices},
		{"dispersion", test_dispersion},
		{"what changes by itself is no scatter", test_changes},
		{"hardly anything is learned", test_hardly_anything_learned},
		{"what samples are worth, in words", test_describes},
		{0},
	};

	return run_tests("certainty", tests);
}
