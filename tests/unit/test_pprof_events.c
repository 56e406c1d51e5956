// SPDX-License-Identifier: GPL-2.0-only
/* Files of several events: a pair of sample types each, and any of them is shown. */
#include <errno.h>
#include <string.h>

#include "events_model.h"
#include "expect.h"
#include "formats/formats.h"
#include "formats/gzip.h"
#include "formats/pprof/reader.h"
#include "model.h"

/* Returns the inflated file of the recording; free() it. */
static char *write_plain(const struct recording *recording, size_t *nr_bytes)
{
	static const struct write_options plain;
	char *bytes, *inflated = NULL;
	size_t nr;
	FILE *out = open_memstream(&bytes, &nr);

	EXPECT_EQ(pprof__write(out, recording, &plain), 0);
	fclose(out);
	EXPECT_EQ(gzip__inflate(bytes, nr, 1 << 20, &inflated, nr_bytes, NULL), 0);
	free(bytes);
	return inflated;
}

static int read_again(struct recording *again, const struct recording *recording, const char *type,
		      struct error *err)
{
	const struct read_options options = {.sample_type = type};
	size_t nr_bytes;
	char *bytes = write_plain(recording, &nr_bytes);
	const int code = formats__read(again, bytes, nr_bytes, &options, err);

	free(bytes);
	return code;
}

static void expect_event(const struct recording *event, const char *name, uint64_t count)
{
	EXPECT_STR(event->facts[FACT_EVENT], name);
	EXPECT_EQ(profile__total(event->profile, VALUE_COUNT), count);
	EXPECT_EQ(event->ledger.counted, count);
	EXPECT_EQ(event->duration_ns, 1000000000);
}

static void test_read_back(void)
{
	struct recording recording = two_events(10, 3, false), again;
	size_t nr;

	recording.asked_hz = 99;
	recording.nr_cpus = 2;
	recording.period = 10101010;
	recording.cost.user_ns = 77;
	recording.more->period = 1;
	EXPECT_EQ(read_again(&again, &recording, NULL, NULL), 0);
	EXPECT_EQ(recording__nr_events(&again), 2);
	expect_event(&again, "cpu-clock", 11);
	expect_event(again.more, "page-faults", 4);
	for (int value = 0; value < VALUES; value++)
		EXPECT(metric__equal(&profile__metrics(again.more->profile)->of[value],
				     &fault_metrics.of[value]));
	profile__samples(again.more->profile, &nr); /* it has no stack that its event did not see */
	EXPECT_EQ(nr, 2);
	EXPECT_NEAR(again.asked_hz, 99, 1e-9);
	EXPECT_NEAR(again.more->asked_hz, 0, 1e-9);
	EXPECT_EQ(again.period, 10101010);
	EXPECT_EQ(again.more->period, 1);
	EXPECT_EQ(again.more->nr_cpus, 2); /* of the run */
	EXPECT_EQ(again.more->cost.user_ns, 77);
	EXPECT(!again.left_out);
	EXPECT(profile__dictionary(again.profile) == profile__dictionary(again.more->profile));
	recording__fini(&again);
	recording__fini(&recording);
}

/* A stack that both have seen is written once. */
static void test_stacks_joined(void)
{
	struct recording recording = two_events(10, 3, false);
	size_t nr_bytes, nr_samples = 0;
	char *bytes = write_plain(&recording, &nr_bytes);
	struct wire wire = {(const uint8_t *)bytes, (const uint8_t *)bytes + nr_bytes};
	struct wire_field field;

	while (wire__next(&wire, &field) == 1)
		nr_samples += field.number == PROFILE_SAMPLE;
	EXPECT_EQ(nr_samples, 3);
	free(bytes);
	recording__fini(&recording);
}

static void test_chosen(void)
{
	static const struct {
		const char *wanted, *event;
		enum value shown;
	} choices[] = {
		{"page-faults", "page-faults", VALUE_COUNT},
		{"page-faults/events", "page-faults", VALUE_WEIGHT},
		{"page-faults/count", "page-faults", VALUE_COUNT},
		{"cpu", "cpu-clock", VALUE_WEIGHT},
		{"samples", "cpu-clock", VALUE_COUNT},
		{"cpu-clock", "cpu-clock", VALUE_COUNT},
	};
	struct recording recording = two_events(10, 3, false), again;

	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		EXPECT_EQ(read_again(&again, &recording, choices[i].wanted, NULL), 0);
		EXPECT_STR(again.facts[FACT_EVENT], choices[i].event);
		EXPECT_EQ(profile__metrics(again.profile)->shown, choices[i].shown);
		EXPECT_EQ(recording__nr_events(&again), 2);
		recording__fini(&again);
	}
	recording__fini(&recording);
}

static void test_not_there(void)
{
	struct recording recording = two_events(10, 3, false), again;
	struct error err = {0};

	EXPECT_EQ(read_again(&again, &recording, "pagefaults", &err), -EINVAL);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	EXPECT_STR(err.text,
		   "no sample type \"pagefaults\", there are samples, cpu, page-faults; do "
		   "you mean \"page-faults\"?");
	recording__fini(&recording);
}

/* A weight is shown again with any name, alone or beside others. */
static void test_shown_weight(void)
{
	struct metrics bytes = {
		.of = {[VALUE_COUNT] = {.name = "block:rq", .unit = "count", .is_events = true},
		       [VALUE_WEIGHT] = {.name = "block:rq", .unit = "bytes"}},
		.shown = VALUE_WEIGHT,
	};
	struct recording recording, again;

	recording__init(&recording);
	add_event(&recording, "block:rq", &bytes, 5);
	EXPECT_EQ(read_again(&again, &recording, NULL, NULL), 0);
	EXPECT_EQ(profile__metrics(again.profile)->shown, VALUE_WEIGHT);
	recording__fini(&again);
	EXPECT_EQ(read_again(&again, &recording, "block:rq/count", NULL), 0);
	EXPECT_EQ(profile__metrics(again.profile)->shown, VALUE_COUNT);
	recording__fini(&again);
	add_event(&recording, "page-faults", &fault_metrics, 2);
	recording__show_event(&recording, recording.more);
	EXPECT_EQ(read_again(&again, &recording, "block:rq", NULL), 0);
	EXPECT_STR(again.facts[FACT_EVENT], "block:rq");
	EXPECT_EQ(profile__metrics(again.profile)->shown, VALUE_WEIGHT);
	EXPECT_EQ(profile__metrics(again.more->profile)->shown, VALUE_COUNT);
	recording__fini(&again);
	recording__fini(&recording);
}

static void test_slices(void)
{
	struct recording run, interval = two_events(10, 3, false), again;

	recording__init(&run);
	run.slice_ns = interval.duration_ns;
	for (int i = 0; i < 3; i++)
		EXPECT_EQ(recording__append(&run, &interval, true), 0);
	EXPECT_EQ(read_again(&again, &run, NULL, NULL), 0);
	EXPECT_EQ(again.nr_slices, 3);
	EXPECT_EQ(again.more->nr_slices, 3);
	EXPECT_EQ(profile__total(again.more->profile, VALUE_COUNT), 12);
	EXPECT_EQ(profile__total(again.more->slices[2], VALUE_COUNT), 4);
	EXPECT_EQ(profile__total(again.slices[1], VALUE_COUNT), 11);
	recording__fini(&again);
	recording__fini(&run);
	recording__fini(&interval);
}

/* Comments that do not fit the types are not believed: the file is read as one of others. */
static void test_false_comments(void)
{
	struct recording recording = two_events(10, 3, false), again;
	const struct read_options options = {0};
	size_t nr_bytes;
	char *bytes = write_plain(&recording, &nr_bytes), *at;

	at = memmem(bytes, nr_bytes, "run.1=", 6);
	EXPECT(at);
	at[4] = '2';
	EXPECT_EQ(formats__read(&again, bytes, nr_bytes, &options, NULL), 0);
	EXPECT_EQ(recording__nr_events(&again), 1);
	EXPECT_EQ(profile__total(again.profile, VALUE_COUNT), 11);
	EXPECT_STR(again.left_out, "page-faults, page-faults");
	recording__fini(&again);
	free(bytes);
	recording__fini(&recording);
}

/* A weight whose name differs from its count's: other tools find it by that name. */
static void test_weight_by_name(void)
{
	const struct metrics metrics = {
		.of = {[VALUE_COUNT] = {.name = "a:b", .unit = "count", .is_events = true},
		       [VALUE_WEIGHT] = {.name = "a:b/weight=len/", .unit = "bytes"}},
		.shown = VALUE_WEIGHT,
	};
	static const struct {
		const char *type;
		enum value shown;
	} asked[] = {{NULL, VALUE_WEIGHT},
		     {"a:b", VALUE_COUNT},
		     {"a:b/count", VALUE_COUNT},
		     {"a:b/weight=len/", VALUE_WEIGHT},
		     {"a:b/weight=len//bytes", VALUE_WEIGHT}};

	for (int more = 0; more < 2; more++) {
		struct recording recording;

		recording__init(&recording);
		add_event(&recording, "a:b/weight=len/", &metrics, 5);
		if (more)
			add_event(&recording, "page-faults", &fault_metrics, 7);
		for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
			struct recording again;

			EXPECT_EQ(read_again(&again, &recording, asked[i].type, NULL), 0);
			EXPECT_EQ(profile__metrics(again.profile)->shown, asked[i].shown);
			recording__fini(&again);
		}
		recording__fini(&recording);
	}
}

/* A file of one event has it by its name, too, as one of several has. */
static void test_single_by_event(void)
{
	struct recording recording, again;
	struct error err = {0};

	recording__init(&recording);
	add_event(&recording, "cpu-clock", &cpu_metrics, 5);
	EXPECT_EQ(read_again(&again, &recording, "cpu-clock", &err), 0);
	EXPECT_EQ(profile__shown_total(again.profile), profile__shown_total(recording.profile));
	recording__fini(&again);
	EXPECT_EQ(read_again(&again, &recording, "cycles", &err), -EINVAL);
	recording__fini(&recording);
}

int main(void)
{
	static const struct test tests[] = {
		{"written and read", test_read_back},
		{"a weight by its name", test_weight_by_name},
		{"the only event by its name", test_single_by_event},
		{"a stack of both is one", test_stacks_joined},
		{"which is shown", test_chosen},
		{"what is not there", test_not_there},
		{"what weighs is shown so", test_shown_weight},
		{"slices of time", test_slices},
		{"false comments", test_false_comments},
		{0},
	};

	return run_tests("pprof of several events", tests);
}
