// SPDX-License-Identifier: GPL-2.0-only
/* Some files should not be compared, and a sentence says why. */
#include <string.h>

#include "diff/comparable.h"
#include "expect.h"
#include "model.h"

#define NR_FILES 3

struct files {
	struct run_file list[NR_FILES];
};

static void put(struct recording *recording, uint64_t count)
{
	uint32_t frame = dictionary__add_frame(profile__dictionary(recording->profile),
					       &(struct frame){.function = "f", .module = "x"});
	struct process process = {.pid = 1, .comm = "x"};
	struct sample sample = {
		.process =
			dictionary__add_process(profile__dictionary(recording->profile), &process),
		.stack = dictionary__add_stack(profile__dictionary(recording->profile), &frame, 1),
		.values = {count, count},
	};

	profile__add(recording->profile, &sample);
}

static void files__init(struct files *files)
{
	static const char *const names[NR_FILES] = {"a", "b", "c"};
	static const char *const facts[FACTS] = {
		"cpu-clock", "frame pointers", "x", "host", "6.1", "CPU", "1"};

	for (size_t i = 0; i < NR_FILES; i++) {
		struct recording *recording = &files->list[i].recording;

		recording__init(recording);
		profile__set_metrics(recording->profile, &cpu_metrics);
		put(recording, 1000);
		for (int fact = 0; fact < FACTS; fact++)
			recording->facts[fact] = facts[fact];
		recording->asked_hz = 100;
		recording->nr_cpus = 2;
		recording->duration_ns = 1000000000;
		recording->has_ledger = true;
		recording->ledger.counted = 1000;
		files->list[i].path = (char *)names[i];
	}
}

static void files__fini(struct files *files)
{
	for (size_t i = 0; i < NR_FILES; i++)
		recording__fini(&files->list[i].recording);
}

static size_t count_reasons(const struct files *files, unsigned int allowed)
{
	struct obstacles found;
	size_t nr;

	obstacles__find(&found, files->list, NR_FILES, allowed);
	nr = found.nr;
	obstacles__fini(&found);
	return nr;
}

/* There is one reason only; and none once it is allowed. */
static void expect_reason(const struct files *files, enum obstacle obstacle, const char *reason)
{
	struct obstacles found;

	obstacles__find(&found, files->list, NR_FILES, 0);
	EXPECT_EQ(found.nr, 1);
	if (found.nr)
		EXPECT_STR(found.reasons[0], reason);
	obstacles__fini(&found);
	EXPECT_EQ(count_reasons(files, 1u << obstacle), 0);
	EXPECT_EQ(count_reasons(files, ~(1u << obstacle)), 1);
}

static void test_alike(void)
{
	struct files files;

	files__init(&files);
	EXPECT_EQ(count_reasons(&files, 0), 0);
	/* A file without facts differs from no other; targets and versions may differ. */
	memset(files.list[0].recording.facts, 0, sizeof(files.list[0].recording.facts));
	files.list[0].recording.asked_hz = files.list[0].recording.nr_cpus = 0;
	files.list[0].recording.duration_ns = 0;
	files.list[1].recording.facts[FACT_TARGET] = "y";
	files.list[1].recording.facts[FACT_VERSION] = "2";
	files.list[1].recording.asked_hz = 1000;
	files.list[1].recording.duration_ns = 10000000000;
	files.list[1].recording.ledger.lost[LOSS_THROTTLED] = 10;
	EXPECT_EQ(count_reasons(&files, 0), 0);
	files__fini(&files);
}

/* Page faults, so many samples of which stand for so many each. */
static void make_faults(struct recording *recording, uint64_t period, double asked_hz)
{
	static const struct metrics metrics = {
		.of = {[VALUE_COUNT] = {.name = "page-faults", .unit = "count", .is_events = true},
		       [VALUE_WEIGHT] = {.name = "page-faults", .unit = "events"}},
	};

	profile__set_metrics(recording->profile, &metrics);
	recording->facts[FACT_EVENT] = "page-faults";
	recording->period = period;
	recording->asked_hz = asked_hz;
}

static void test_frequencies(void)
{
	struct obstacles found;
	struct files files;

	files__init(&files);
	for (size_t i = 0; i < NR_FILES; i++)
		make_faults(&files.list[i].recording, 0, 499);
	EXPECT_EQ(count_reasons(&files, 0), 0);
	make_faults(&files.list[2].recording, 0, 999);
	expect_reason(&files, OBSTACLE_RATE,
		      "page-faults were sampled 499 times a second in \"a\", 999 times a second in "
		      "\"c\": take the same -F, or period=N");
	make_faults(&files.list[2].recording, 100, 0);
	expect_reason(&files, OBSTACLE_RATE,
		      "page-faults were sampled 499 times a second in \"a\", once in 100 in \"c\": "
		      "take the same -F, or period=N");
	obstacles__find(&found, files.list, NR_FILES, 0);
	EXPECT(found.refused != NULL);
	obstacles__fini(&found);
	for (size_t i = 0; i < NR_FILES; i++)
		make_faults(&files.list[i].recording, i + 1, 0);
	EXPECT_EQ(count_reasons(&files, 0), 0);
	files__fini(&files);
}

/* A sample stands for the mean weight of all, not for the last period. */
static void test_mean_period(void)
{
	struct files files;

	files__init(&files);
	make_faults(&files.list[0].recording, 64, 0);
	EXPECT_EQ(recording__period(&files.list[0].recording), 1);
	files__fini(&files);
}

static void test_facts(void)
{
	static const struct {
		enum fact fact;
		enum obstacle obstacle;
		const char *reason;
	} facts[] = {
		{FACT_EVENT, OBSTACLE_EVENT,
		 "the event differs: \"cpu-clock\" in \"a\", \"z\" in \"c\""},
		{FACT_UNWINDING, OBSTACLE_UNWINDING,
		 "unwinding differs: \"frame pointers\" in \"a\", \"z\" in \"c\""},
		{FACT_HOST, OBSTACLE_HOST,
		 "the machine differs: \"host\" in \"a\", \"z\" in \"c\""},
		{FACT_KERNEL, OBSTACLE_KERNEL,
		 "the kernel differs: \"6.1\" in \"a\", \"z\" in \"c\""},
		{FACT_CPU, OBSTACLE_CPU, "the CPU differs: \"CPU\" in \"a\", \"z\" in \"c\""},
	};

	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		struct files files;

		files__init(&files);
		files.list[2].recording.facts[facts[i].fact] = "z";
		expect_reason(&files, facts[i].obstacle, facts[i].reason);
		files__fini(&files);
	}
}

static void test_numbers(void)
{
	struct files files;
	struct recording *last = &files.list[2].recording;

	files__init(&files);
	last->nr_cpus = 4;
	expect_reason(&files, OBSTACLE_CPUS, "the number of CPUs differs: 2 in \"a\", 4 in \"c\"");
	last->nr_cpus = 2;
	last->asked_hz = 1001;
	expect_reason(&files, OBSTACLE_RATE,
		      "nanoseconds between samples differ by more than 10 times: 9.99e+05 in "
		      "\"c\", 1e+07 in \"a\"");
	last->asked_hz = 100;
	last->duration_ns = 10100000000;
	expect_reason(&files, OBSTACLE_DURATION,
		      "seconds recorded differ by more than 10 times: 1 in \"a\", 10.1 in \"c\"");
	last->duration_ns = 1000000000;
	last->ledger.lost[LOSS_THROTTLED] = 15;
	expect_reason(&files, OBSTACLE_LOSSES, "\"c\" lost 1.5 % of its samples or stacks");
	last->ledger.lost[LOSS_THROTTLED] = 0;
	profile__clear(last->profile);
	expect_reason(&files, OBSTACLE_EMPTY, "\"c\" has no samples");
	put(last, UINT64_MAX);
	last->ledger.counted = last->ledger.lost[LOSS_THROTTLED] = UINT64_MAX;
	expect_reason(&files, OBSTACLE_LOSSES, "\"c\" lost 50.0 % of its samples or stacks");
	files__fini(&files);
}

static void test_types(void)
{
	struct metrics metrics = cpu_metrics;
	struct files files;

	files__init(&files);
	metrics.of[VALUE_COUNT].name = "alloc\033objects";
	profile__set_metrics(files.list[1].recording.profile, &metrics);
	expect_reason(&files, OBSTACLE_TYPES,
		      "what samples are differs: \"samples\" in \"a\", \"alloc\\x1bobjects\" in "
		      "\"b\"");
	files__fini(&files);
}

/* Counts of different things are refused; other differences are told. */
static void test_refused(void)
{
	struct metrics bytes = cpu_metrics;
	struct obstacles found;
	struct files files;

	files__init(&files);
	files.list[2].recording.facts[FACT_HOST] = "z";
	obstacles__find(&found, files.list, 3, 0);
	EXPECT(found.nr == 1 && !found.refused);
	obstacles__fini(&found);
	files.list[1].recording.facts[FACT_EVENT] = "cpu-clock:u";
	obstacles__find(&found, files.list, 3, 0);
	EXPECT_STR(found.refused,
		   "the event differs: \"cpu-clock\" in \"a\", \"cpu-clock:u\" in \"b\"");
	obstacles__fini(&found);
	obstacles__find(&found, files.list, 3, 1u << OBSTACLE_EVENT);
	EXPECT(!found.refused);
	obstacles__fini(&found);
	files.list[1].recording.facts[FACT_EVENT] = "cpu-clock";
	bytes.of[VALUE_WEIGHT].unit = "bytes";
	profile__set_metrics(files.list[2].recording.profile, &bytes);
	obstacles__find(&found, files.list, 3, 0);
	EXPECT_STR(found.refused,
		   "the unit of what samples weigh differs: \"nanoseconds\" in \"a\", "
		   "\"bytes\" in \"c\"");
	obstacles__fini(&found);
	files__fini(&files);
}

/* A period is of the weight's unit, and the counted event is named. */
static void test_units(void)
{
	struct metrics metrics = cpu_metrics;
	struct recording *last;
	struct files files;

	files__init(&files);
	last = &files.list[2].recording;
	metrics.of[VALUE_COUNT].name = "faults";
	metrics.of[VALUE_WEIGHT] = (struct metric){.name = "touched", .unit = "pages"};
	for (size_t i = 0; i < NR_FILES; i++) {
		profile__set_metrics(files.list[i].recording.profile, &metrics);
		files.list[i].recording.period = 5;
	}
	last->asked_hz = 1001; /* which is no period of pages */
	EXPECT_EQ(count_reasons(&files, 0), 0);
	last->period = 51;
	expect_reason(&files, OBSTACLE_RATE,
		      "pages between faults differ by more than 10 times: 5 in \"a\", 51 in \"c\"");
	last->period = 0;
	EXPECT_NEAR(recording__period(last), 0, 0);
	last->ledger.lost[LOSS_THROTTLED] = 15;
	expect_reason(&files, OBSTACLE_LOSSES, "\"c\" lost 1.5 % of its faults or stacks");
	files__fini(&files);
}

int main(void)
{
	static const struct test tests[] = {
		{"alike", test_alike},
		{"facts", test_facts},
		{"rates, durations, losses, no samples", test_numbers},
		{"types", test_types},
		{"counts of different things are refused", test_refused},
		{"units", test_units},
		{"frequencies", test_frequencies},
		{"periods that changed", test_mean_period},
		{0},
	};

	return run_tests("comparable", tests);
}
