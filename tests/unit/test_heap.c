// SPDX-License-Identifier: GPL-2.0-only
/*
 * The certainty of shares of memory that was sampled by bytes is tested with heaps whose truth is
 * known.
 */
#include "profile/recording.h"

#include <math.h>
#include <string.h>

#include "expect.h"
#include "heap_model.h"
#include "profile/certainty.h"

#define RUNS 400

/* 268 MB, which are 512 samples. */
static const struct heap_site sites[] = {
	{"malloc@c small@p main@p", 16, 4194304}, {"malloc@c lines@p main@p", 100, 500000},
	{"malloc@c lines@p main@p", 9000, 1000},  {"malloc@c pages@p main@p", 65536, 600},
	{"malloc@c chunks@p main@p", 524288, 80}, {"malloc@c rare@p main@p", 4096, 3000},
	{"malloc@c large@p main@p", 8388608, 5},  {"malloc@c middle@p main@p", 20000, 300},
};

#define NR_SITES (sizeof(sites) / sizeof(sites[0]))

static struct recording recording_of(const struct model *model)
{
	return (struct recording){.profile = model->profile, .period = HEAP_PERIOD};
}

static struct certainty certainty_of(const struct recording *recording)
{
	struct certainty certainty;

	certainty__init(&certainty, recording, 0);
	return certainty;
}

static const char *lack_of(const struct recording *recording)
{
	const char *lack = certainty_of(recording).lack;

	return lack ? lack : "";
}

/* Returns the true bytes of all sites of a stack. */
static double truth_of(const char *stack)
{
	double sum = 0;

	for (size_t i = 0; i < NR_SITES; i++)
		if (!strcmp(sites[i].stack, stack))
			sum += heap_model__bytes(&sites[i], 1);
	return sum;
}

static double seen_of(struct model *model, const char *stack)
{
	const struct sample wanted = {.process = model__process(model, "prog", 1),
				      .stack = model__stack(model, stack)};
	const struct sample *found = profile__find(model->profile, &wanted);

	return found ? (double)found->values[VALUE_WEIGHT] : 0;
}

/* The bounds hold the truth so often, in percent; of a share, and of bytes. */
struct coverage {
	double share, bytes, sum;
};

static void look(struct coverage *coverage, const char *stack, uint64_t *random)
{
	const double all = heap_model__bytes(sites, NR_SITES), truth = truth_of(stack);
	struct model model = heap_model__new(sites, NR_SITES, random);
	const struct recording recording = recording_of(&model);
	const struct certainty certainty = certainty_of(&recording);
	const double seen = seen_of(&model, stack);
	const struct bounds share = certainty__bounds(&certainty, (struct portion){.value = seen});
	const struct bounds bytes = certainty__amount(&certainty, seen);
	const struct bounds sum = certainty__amount(&certainty, certainty.whole);

	coverage->share += share.low <= truth / all && truth / all <= share.high;
	coverage->bytes += bytes.low <= truth && truth <= bytes.high;
	coverage->sum += sum.low <= all && all <= sum.high;
	model__free(&model);
}

static void test_coverage(void)
{
	uint64_t random = 1;

	for (size_t i = 0; i < NR_SITES; i++) {
		struct coverage coverage = {0};

		for (int run = 0; run < RUNS; run++)
			look(&coverage, sites[i].stack, &random);
		EXPECT(coverage.share >= 0.91 * RUNS);
		EXPECT(coverage.bytes >= 0.91 * RUNS);
		EXPECT(coverage.sum >= 0.91 * RUNS);
	}
}

/* The bounds are no wider than they need be, where blocks are small. */
static void test_width(void)
{
	const struct heap_site two[] = {{"a@p", 64, 1 << 20}, {"b@p", 64, 3 << 20}};
	uint64_t random = 2;
	double square = 0, error = 0;

	for (int run = 0; run < RUNS; run++) {
		struct model model = heap_model__new(two, 2, &random);
		const struct recording recording = recording_of(&model);
		const struct certainty certainty = certainty_of(&recording);
		const double seen = seen_of(&model, "a@p"), off = seen / certainty.whole - 0.25;

		square += off * off / RUNS;
		error += certainty__error(&certainty, (struct portion){.value = seen}) / RUNS;
		model__free(&model);
	}
	EXPECT_NEAR(error / (1.96 * sqrt(square)), 1, 0.1);
}

/* The worth of bytes does not depend on their order, nor on their time. */
static void test_slices_tell_nothing(void)
{
	uint64_t random = 3;
	struct model model = heap_model__new(sites, NR_SITES, &random);
	struct model parts[2] = {heap_model__new(sites, 1, &random),
				 heap_model__new(sites + 1, NR_SITES - 1, &random)};
	struct recording recording = recording_of(&model);
	struct profile *slices[20];

	for (int i = 0; i < 20; i++)
		slices[i] = parts[i % 2].profile;
	recording.slices = slices;
	recording.nr_slices = 20;
	recording.scatter = (struct scatter){.factor = 7, .df = 3};
	EXPECT_NEAR(certainty_of(&recording).scatter.factor, 1, 0);
	EXPECT_NEAR(certainty_of(&recording).samples,
		    (double)profile__total(model.profile, VALUE_WEIGHT) / HEAP_PERIOD, 1e-9);
	model__free(&model);
	model__free(&parts[0]);
	model__free(&parts[1]);
}

static void test_lacks(void)
{
	uint64_t random = 4;
	struct model model = heap_model__new(sites, NR_SITES, &random);
	struct recording recording = recording_of(&model);
	struct certainty certainty;

	EXPECT_STR(lack_of(&recording), "");
	certainty__init_value(&certainty, &recording, VALUE_COUNT);
	EXPECT(strstr(certainty.lack, "blocks"));
	EXPECT(!certainty__counts_samples(&recording));
	recording.facts[FACT_EVENT] = "alloc";
	EXPECT(!certainty__counts_samples(&recording));
	recording.period = 0;
	EXPECT(strstr(lack_of(&recording), "bytes are between samples"));
	recording.period = 1;
	EXPECT(strstr(lack_of(&recording), "measured"));
	model__free(&model);
}

/* Each read is counted, and all of its bytes: a period is of the events there. */
static void test_weights_of_events(void)
{
	const struct metrics metrics = {
		.of = {[VALUE_COUNT] = {"reads", "count", .is_events = true},
		       [VALUE_WEIGHT] = {"reads", "bytes"}},
		.shown = VALUE_WEIGHT,
	};
	struct model model = model__new();
	struct recording recording = {.profile = model.profile,
				      .facts[FACT_EVENT] = "syscalls:sys_exit_read"};

	profile__set_metrics(model.profile, &metrics);
	add(&model, "prog", 1, 10, "f@p main@p");
	EXPECT(strstr(lack_of(&recording), "measured"));
	recording.period = 100;
	EXPECT(!heap__has_blocks(&recording));
	EXPECT(certainty_of(&recording).period == 0);
	model__free(&model);
}

/* Files that are added up may have been sampled differently. */
static void test_sums(void)
{
	uint64_t random = 5;
	struct recording sum, more;
	struct error err = {0};
	struct model model = heap_model__new(sites, NR_SITES, &random);
	const struct recording drawn = recording_of(&model);

	recording__init(&sum);
	recording__init(&more);
	profile__merge(sum.profile, drawn.profile);
	profile__merge(more.profile, drawn.profile);
	sum.period = more.period = HEAP_PERIOD;
	EXPECT_EQ(recording__merge(&sum, &more, &err), 0);
	EXPECT_STR(lack_of(&sum), "");
	more.period = HEAP_PERIOD / 2;
	EXPECT_EQ(recording__merge(&sum, &more, &err), 0);
	EXPECT(strstr(lack_of(&sum), "or differ in it"));
	recording__fini(&sum);
	recording__fini(&more);
	model__free(&model);
}

static void test_words(void)
{
	const struct scatter scatter = scatter__independent();
	struct certainty certainty = certainty__of_samples(400, &scatter);
	char text[200];

	certainty.period = HEAP_PERIOD;
	certainty.whole = 400.0 * HEAP_PERIOD;
	certainty.squares = certainty.whole * HEAP_PERIOD;
	certainty__describe(&certainty, text, sizeof(text));
	EXPECT_STR(text,
		   "± holds the true share in 95 of 100 recordings: 400 samples, one in 524 kB; "
		   "their sum may be 10 % off");
}

int main(void)
{
	static const struct test tests[] = {
		{"bounds hold the truth", test_coverage},
		{"bounds are as wide as they need be", test_width},
		{"slices tell nothing", test_slices_tell_nothing},
		{"where there are no bounds", test_lacks},
		{"weights of events that are counted", test_weights_of_events},
		{"files that are added up", test_sums},
		{"in words", test_words},
		{0},
	};

	return run_tests("heap", tests);
}
