// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples that weigh differently: shares are of the sum of weights, however recordings of several
 * rates came together, and as sure as samples of these weights make them. The truth is added up
 * here by hand, rate by rate.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "formats/formats.h"
#include "model.h"
#include "profile/certainty.h"
#include "profile/recording.h"

#define NR_FUNCTIONS 8
#define SECOND	     1000000000u

static const char *const functions[NR_FUNCTIONS] = {"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7"};

/* The sums that have to be found of each function. */
struct truth {
	uint64_t weights[NR_FUNCTIONS], counts[NR_FUNCTIONS], weight, count;
	double squares[NR_FUNCTIONS];
};

static uint64_t next(uint64_t *random)
{
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return *random >> 33;
}

static struct recording begin(void)
{
	struct recording recording;

	recording__init(&recording);
	profile__set_metrics(recording.profile, &cpu_metrics);
	recording.asked_hz = 99;
	recording.slice_ns = SECOND;
	return recording;
}

static void put(struct recording *recording, size_t function, uint64_t count, uint64_t each,
		struct truth *truth)
{
	struct model model = {profile__dictionary(recording->profile), recording->profile};
	char stack[32];
	struct sample sample = {.process = model__process(&model, "prog", 1),
				.values = {count, count * each}};

	snprintf(stack, sizeof(stack), "%s@p main@p", functions[function]);
	sample.stack = model__stack(&model, stack);
	profile__add(recording->profile, &sample);
	truth->counts[function] += count;
	truth->weights[function] += count * each;
	truth->count += count;
	truth->weight += count * each;
	truth->squares[function] += (double)count * (double)each * (double)each;
}

/* Makes a recording of one rate, with 1 to 1000 samples of some of the functions. */
static struct recording draw(uint64_t *random, uint64_t each, struct truth *truth)
{
	struct recording recording = begin();

	put(&recording, next(random) % NR_FUNCTIONS, 1, each, truth);
	for (size_t i = 0; i < NR_FUNCTIONS; i++)
		if (next(random) % 3)
			put(&recording, i, 1 + next(random) % 1000, each, truth);
	recording.duration_ns = SECOND;
	recording.period = each;
	return recording;
}

static size_t function_of(const char *name)
{
	return (size_t)(name[1] - '0');
}

static void expect_truth(const struct recording *recording, const struct truth *truth)
{
	struct group_row *groups;
	const long nr =
		profile__group(recording->profile, GROUP_BY_FUNCTION, SORT_BY_SELF, &groups);

	EXPECT_EQ(profile__shown_total(recording->profile), truth->weight);
	EXPECT_EQ(profile__total(recording->profile, VALUE_COUNT), truth->count);
	for (long i = 0; i < nr; i++) {
		size_t function;

		if (*groups[i].name != 'f')
			continue;
		function = function_of(groups[i].name);
		EXPECT_EQ(groups[i].self, truth->weights[function]);
		EXPECT_EQ(groups[i].total, truth->weights[function]);
		EXPECT_NEAR(groups[i].self_squares / truth->squares[function], 1, EQUAL_WEIGHTS);
		EXPECT(!i || groups[i].self <= groups[i - 1].self);
	}
	free(groups);
}

static void expect_shown(const struct recording *recording, enum value value)
{
	EXPECT_EQ(profile__metrics(recording->profile)->shown, value);
	for (size_t i = 0; i < recording->nr_slices; i++)
		if (recording->slices[i])
			EXPECT_EQ(profile__metrics(recording->slices[i])->shown, value);
}

/*
 * Files of two rates, of one and of three; added up, kept apart by time, or one after the other in
 * a run.
 */
static void test_any_rates(void)
{
	uint64_t random = 7;

	for (int way = 0; way < 3; way++)
		for (int round = 0; round < 200; round++) {
			const uint64_t each = SECOND / (1 + next(&random) % 10000);
			const uint64_t other = SECOND / (1 + next(&random) % 10000);
			struct truth truth = {0};
			struct recording sum = draw(&random, each, &truth),
					 more = draw(&random, each == other ? 2 * each : other,
						     &truth);

			expect_shown(&sum, VALUE_COUNT);
			EXPECT_EQ(way == 0   ? recording__merge(&sum, &more, NULL)
				  : way == 1 ? recording__join(&sum, &more, NULL)
					     : recording__append(&sum, &more, true),
				  0);
			expect_shown(&sum, VALUE_WEIGHT);
			expect_truth(&sum, &truth);
			recording__fini(&more);
			more = draw(&random, each, &truth);
			EXPECT_EQ(recording__merge(&more, &sum, NULL),
				  0); /* whichever comes first */
			expect_shown(&more, VALUE_WEIGHT);
			expect_truth(&more, &truth);
			recording__fini(&more);
			recording__fini(&sum);
		}
}

/* Where all weigh the same nothing changes, rounded to the file's unit or not. */
static void test_one_rate(void)
{
	static const char *const units[] = {"nanoseconds", "microseconds", "milliseconds"};
	static const double each[] = {10101010, 10101.01, 10.10101};
	uint64_t random = 11;

	for (size_t unit = 0; unit < 3; unit++) {
		struct metrics metrics = cpu_metrics;
		struct recording recording = begin();

		metrics.of[VALUE_WEIGHT].unit = units[unit];
		profile__set_metrics(recording.profile, &metrics);
		for (uint32_t i = 0; i < 1000; i++) {
			const uint64_t count = 1 + next(&random) % 30;
			const struct sample sample = {
				.tid = (int32_t)i,
				.values = {count, (uint64_t)llround((double)count * each[unit])}};

			profile__add(recording.profile, &sample);
		}
		recording__show_spent(&recording);
		expect_shown(&recording, VALUE_COUNT);
		recording__fini(&recording);
	}
}

/* CPUs have periods up to 2 % from the one that was asked for: that is one rate. */
static void test_periods_of_cpus(void)
{
	struct truth truth = {0};
	struct recording recording = begin(), again = begin();

	for (uint32_t i = 0; i < 10; i++) {
		put(&recording, i % NR_FUNCTIONS, 1 + i, i % 2 ? 10202020 : 9937572, &truth);
		put(&again, i % NR_FUNCTIONS, 1 + i, i % 2 ? 10202020 : 9937572, &truth);
	}
	recording.period = again.period = 10101010;
	recording__show_spent(&recording);
	expect_shown(&recording, VALUE_COUNT);
	EXPECT_EQ(recording__merge(&recording, &again, NULL), 0);
	expect_shown(&recording, VALUE_COUNT);
	recording__fini(&again);
	recording__fini(&recording);
}

/*
 * A value that the user asks for is shown; waits weigh their time, and are shown as their event
 * wants it.
 */
static void test_what_is_asked_for(void)
{
	struct truth truth = {0};
	struct recording recording = begin();
	struct metrics metrics = cpu_metrics;

	put(&recording, 0, 10, 1000, &truth);
	put(&recording, 1, 10, 3000, &truth);
	metrics.is_chosen = true;
	profile__set_metrics(recording.profile, &metrics);
	recording__show_spent(&recording);
	expect_shown(&recording, VALUE_COUNT);
	metrics =
		(struct metrics){.of = {[VALUE_COUNT] = metric__named("waits", "count"),
					[VALUE_WEIGHT] = metric__named("off_cpu", "nanoseconds")}};
	profile__set_metrics(recording.profile, &metrics);
	recording__show_spent(&recording);
	expect_shown(&recording, VALUE_COUNT);
	recording__fini(&recording);
}

/* ---- files ---- */

static void write_and_read(const struct recording *recording, const char *sample_type,
			   struct recording *read)
{
	const struct format *format = formats__find("pprof", NULL);
	const struct write_options write_options = {0};
	const struct read_options options = {.sample_type = sample_type};
	struct error err = {0};
	char *bytes = NULL;
	size_t nr_bytes;
	FILE *out = open_memstream(&bytes, &nr_bytes);

	EXPECT_EQ(format->write(out, recording, &write_options), 0);
	fclose(out);
	EXPECT_EQ(formats__read(read, bytes, nr_bytes, &options, &err), 0);
	free(bytes);
}

/* A stack that was sampled at several rates keeps the weight of each of its samples. */
static void test_files(void)
{
	uint64_t random = 13;

	for (int round = 0; round < 50; round++) {
		struct truth truth = {0};
		struct recording sum = draw(&random, 100000 + next(&random), &truth),
				 more = draw(&random, 100 + next(&random), &truth), read;

		EXPECT_EQ(recording__merge(&sum, &more, NULL), 0);
		write_and_read(&sum, NULL, &read);
		expect_shown(&read, VALUE_WEIGHT);
		expect_truth(&read, &truth);
		recording__fini(&read);
		write_and_read(&sum, "samples", &read);
		expect_shown(&read, VALUE_COUNT);
		recording__fini(&read);
		recording__fini(&sum);
		recording__fini(&more);
	}
}

/* ---- how sure ---- */

static struct certainty certainty_of(const struct recording *recording)
{
	struct certainty certainty;

	certainty__init(&certainty, recording, 0);
	EXPECT(!certainty.lack);
	return certainty;
}

static struct portion part_of(const struct truth *truth, size_t function)
{
	return (struct portion){(double)truth->weights[function], truth->squares[function]};
}

/*
 * 400 samples of 1 and 300 of 4 in two functions: shares are 0.25 and 0.75. Variances of the sums
 * are 400 and 4800, and that of either share is (0.75² 400 + 0.25² 4800) / 1600². Wilson's interval
 * by its longer side is a little more than 1.96 times the root of that.
 */
static void test_two_weights(void)
{
	const double sigma = sqrt(0.5625 * 400 + 0.0625 * 4800) / 1600;
	struct truth truth = {0};
	struct recording recording = begin();
	struct certainty certainty;

	put(&recording, 0, 400, 1, &truth);
	put(&recording, 1, 300, 4, &truth);
	recording__show_spent(&recording);
	certainty = certainty_of(&recording);
	EXPECT_NEAR(certainty.samples, 700, 0);
	EXPECT_NEAR(certainty__worth(&certainty), 1600.0 * 1600 / 5200, 1e-9);
	EXPECT_NEAR(certainty__error(&certainty, part_of(&truth, 0)), 2.02 * sigma, 0.06 * sigma);
	EXPECT_NEAR(certainty__error(&certainty, part_of(&truth, 1)), 2.02 * sigma, 0.06 * sigma);
	recording__fini(&recording);
}

/* Few heavy samples are less sure than many light ones of the same share, and both than nothing. */
static void test_few_heavy_ones(void)
{
	struct truth truth = {0};
	struct recording recording = begin();
	struct certainty certainty;
	double heavy, light;

	put(&recording, 0, 1, 1000, &truth);
	put(&recording, 1, 1000, 1, &truth);
	put(&recording, 2, 98000, 1, &truth);
	recording__show_spent(&recording);
	certainty = certainty_of(&recording);
	heavy = certainty__error(&certainty, part_of(&truth, 0));
	light = certainty__error(&certainty, part_of(&truth, 1));
	EXPECT(heavy > 10 * light);
	EXPECT(light > 0);
	EXPECT(certainty__bounds(&certainty, part_of(&truth, 0)).low > 0);
	EXPECT(certainty__bounds(&certainty, (struct portion){0}).high > 0);
	recording__fini(&recording);
}

/* 90 s and 60 s of 10 s each are no more apart than 9 and 6 samples; of 1 ms each they are. */
static void test_ties(void)
{
	for (int each = 1; each <= 10000; each *= 10000) {
		struct truth truth = {0};
		struct recording recording = begin();
		struct certainty certainty;
		struct portion parts[2];
		enum tie ties[2];

		put(&recording, 0, 90000 / (uint64_t)each, (uint64_t)each, &truth);
		put(&recording, 1, 60000 / (uint64_t)each, (uint64_t)each, &truth);
		put(&recording, 2, 100, 100, &truth);
		recording__show_spent(&recording);
		certainty = certainty_of(&recording);
		parts[0] = part_of(&truth, 0);
		parts[1] = part_of(&truth, 1);
		certainty__tie(&certainty, parts, 2, ties);
		EXPECT_EQ(ties[0], each == 1 ? TIE_NONE : TIE_FIRST);
		recording__fini(&recording);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{"any two rates", test_any_rates},
		{"one rate", test_one_rate},
		{"one rate, with periods of CPUs", test_periods_of_cpus},
		{"what is asked for", test_what_is_asked_for},
		{"files", test_files},
		{"bars of two weights", test_two_weights},
		{"few heavy samples", test_few_heavy_ones},
		{"rows that cannot be told apart", test_ties},
		{0},
	};

	return run_tests("weighing", tests);
}
