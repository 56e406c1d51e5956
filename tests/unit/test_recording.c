// SPDX-License-Identifier: GPL-2.0-only
/*
 * A run loses no fact of an interval on the way to the reader of its file: one with every fact set
 * is added to a run, written, read, added up, copied and shown.
 */
#include "profile/recording.h"

#include <errno.h>
#include <string.h>

#include "events_model.h"
#include "expect.h"
#include "formats/formats.h"
#include "model.h"
#include "profile/select/choice.h"
#include "views/views.h"

/* Frames of which everything is known. */
static void add_located(struct model *model, uint64_t count)
{
	static const struct frame frames[] = {
		{"copy", "dict", "/usr/bin/dict", "abcd", "/src/copy.h", 0x20, 0, 7,
		 .kind = FRAME_USER, .inlined = true},
		{"find", "dict", "/usr/bin/dict", "abcd", "/src/dict.c", 0x20, 0, 123,
		 .kind = FRAME_USER},
		{"_start", "dict", "/usr/bin/dict", "abcd", NULL, 0x60, 0, 0, .kind = FRAME_USER,
		 .root = true},
	};
	uint32_t ids[3];
	struct sample sample = {.process = model__process(model, "dict", 45),
				.tid = 45,
				.values = {count, 10000000 * count}};

	for (size_t i = 0; i < 3; i++)
		ids[i] = dictionary__add_frame(model->dictionary, &frames[i]);
	sample.stack = dictionary__add_stack(model->dictionary, ids, 3);
	profile__add(model->profile, &sample);
}

static void add_samples(struct model *model, uint64_t factor)
{
	add_thread(model, "redis", 42, 42, 7 * factor, "epoll_wait@libc.so.6 serve@redis");
	add_thread(model, "redis", 42, 43, 5 * factor, "read@[kernel] read@libc.so.6 serve@redis");
	add_thread(model, "node", 44, 44, 3 * factor, "@ loop@perf.map serve@node");
	add_thread(model, "node", 44, 44, 2 * factor, "loop@perf.map+20 serve@node");
	add_located(model, factor);
}

/* Each fact has a number or a word of its own. */
static struct recording full(struct model *model)
{
	struct recording interval = {
		.has_ledger = true,
		.asked_hz = 99,
		.delivered_hz = 98.5,
		.nr_cpus = 3,
		.whole_system = true,
		.start_realtime_ns = 1769862896000000000,
		.duration_ns = 5000000000,
		.period = 10101010,
		.ledger = {.idle_excluded = true, .ran_unmeasured = true},
	};
	uint64_t *costs = (uint64_t *)&interval.cost;

	*model = model__new();
	add_samples(model, 1);
	interval.profile = model->profile;
	for (int fact = 0; fact < FACTS; fact++)
		interval.facts[fact] = fact__name((enum fact)fact);
	for (size_t i = 0; i < sizeof(interval.cost) / sizeof(*costs); i++)
		costs[i] = 1000 + i;
	for (size_t i = 0; ledger__field_name(i); i++)
		*ledger__field(&interval.ledger, i) = 2000 + i;
	interval.lost_abilities[0] =
		(struct lost_ability){"unwind tables", "frame pointers", "why"};
	interval.lost_abilities[1] = (struct lost_ability){"probes", NULL, "because"};
	interval.quality.frames = 14;
	interval.quality.samples = 7;
	interval.quality.nr_causes = 1;
	interval.quality.causes[0] = (struct quality_cause){.module = "libc.so.6",
							    .path = "/lib/libc.so.6",
							    .build_id = "ab",
							    .package = "dbg"};
	return interval;
}

static void expect_words(const struct recording *actual, const struct recording *expected)
{
	for (int fact = 0; fact < FACTS; fact++)
		EXPECT_STR(actual->facts[fact], expected->facts[fact]);
	for (size_t i = 0; i < MOST_LOST_ABILITIES; i++) {
		const struct lost_ability *lost = &actual->lost_abilities[i];

		EXPECT_STR(lost->name, expected->lost_abilities[i].name);
		EXPECT_STR(lost->instead, expected->lost_abilities[i].instead);
		EXPECT_STR(lost->why, expected->lost_abilities[i].why);
	}
	for (int value = 0; value < VALUES; value++)
		EXPECT(metric__equal(&profile__metrics(actual->profile)->of[value],
				     &profile__metrics(expected->profile)->of[value]));
}

/* A line of all that is told of a frame; valid until the next call. */
static const char *describe_frame(const struct frame *frame)
{
	static char text[512];

	snprintf(text, sizeof(text), "%s|%s|%s|%s|%s:%u|%d|%d%d|%#llx", frame->function,
		 frame->module, frame->path, frame->build_id, frame->file, frame->line, frame->kind,
		 frame->root, frame->inlined, (unsigned long long)frame->address);
	return text;
}

/* All that is told of a sample, a frame each line; free() it. */
static char *describe_sample(const struct profile *profile, const struct sample *sample)
{
	const struct dictionary *dictionary = profile__dictionary(profile);
	const struct process *process = dictionary__process(dictionary, sample->process);
	size_t nr_frames, nr_bytes;
	const uint32_t *frames = dictionary__stack(dictionary, sample->stack, &nr_frames);
	char *text;
	FILE *out = open_memstream(&text, &nr_bytes);

	fprintf(out, "%s %d/%d %llu %llu", process->comm, process->pid, sample->tid,
		(unsigned long long)sample->values[VALUE_COUNT],
		(unsigned long long)sample->values[VALUE_WEIGHT]);
	for (size_t i = 0; i < nr_frames; i++)
		fprintf(out, "\n%s", describe_frame(dictionary__frame(dictionary, frames[i])));
	fclose(out);
	return text;
}

static int order(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

/* All samples, in the order of their texts; free() it. */
static char *describe_profile(const struct profile *profile)
{
	size_t nr_samples = 0, nr_bytes;
	const struct sample *samples = profile ? profile__samples(profile, &nr_samples) : NULL;
	char **texts = calloc(nr_samples + 1, sizeof(*texts)), *text;
	FILE *out = open_memstream(&text, &nr_bytes);

	for (size_t i = 0; i < nr_samples; i++)
		texts[i] = describe_sample(profile, &samples[i]);
	qsort(texts, nr_samples, sizeof(*texts), order);
	for (size_t i = 0; i < nr_samples; i++) {
		fprintf(out, "%s\n", texts[i]);
		free(texts[i]);
	}
	free(texts);
	fclose(out);
	return text;
}

static void expect_same_samples(const struct profile *actual, const struct profile *expected)
{
	char *is = describe_profile(actual), *should_be = describe_profile(expected);

	EXPECT_STR(is, should_be);
	free(is);
	free(should_be);
}

static void expect_same(const struct recording *actual, const struct recording *expected)
{
	expect_words(actual, expected);
	EXPECT_EQ(memcmp(&actual->ledger, &expected->ledger, sizeof(actual->ledger)), 0);
	EXPECT_EQ(memcmp(&actual->cost, &expected->cost, sizeof(actual->cost)), 0);
	EXPECT_EQ(actual->has_ledger, expected->has_ledger);
	EXPECT_NEAR(actual->asked_hz, expected->asked_hz, 1e-9);
	EXPECT_NEAR(actual->delivered_hz, expected->delivered_hz, 1e-9);
	EXPECT_NEAR(actual->first_hz, expected->first_hz, 1e-9);
	EXPECT_NEAR(actual->lowered_hz, expected->lowered_hz, 1e-9);
	EXPECT_EQ(actual->nr_cpus, expected->nr_cpus);
	EXPECT_EQ(actual->whole_system, expected->whole_system);
	EXPECT_EQ(actual->start_realtime_ns, expected->start_realtime_ns);
	EXPECT_EQ(actual->duration_ns, expected->duration_ns);
	EXPECT_EQ(actual->period, expected->period);
	expect_same_samples(actual->profile, expected->profile);
}

static void write_and_read(const struct recording *recording, struct recording *again)
{
	static const struct write_options plain;
	static const struct read_options any;
	size_t nr_bytes;
	char *bytes;
	FILE *out = open_memstream(&bytes, &nr_bytes);

	EXPECT_EQ(pprof__write(out, recording, &plain), 0);
	fclose(out);
	EXPECT_EQ(formats__read(again, bytes, nr_bytes, &any, NULL), 0);
	free(bytes);
}

/* Two intervals, which stay apart as slices. */
static void test_saved(void)
{
	struct model model, next_model;
	struct recording interval = full(&model), next = full(&next_model), run, again;

	add_samples(&next_model, 2);
	recording__init(&run);
	run.slice_ns = interval.duration_ns;
	EXPECT_EQ(recording__append(&run, &interval, true), 0);
	expect_same(&run, &interval);
	next.thinned = (struct thinned){4, 1000};
	next.asked_hz = 299;
	next.lowered_hz = 74.5;
	EXPECT_EQ(recording__append(&run, &next, true), 0);
	EXPECT_EQ(run.thinned.since_ns, interval.duration_ns + 1000);
	EXPECT_NEAR(run.first_hz, 99, 0);
	EXPECT_NEAR(run.asked_hz, 299, 0);
	EXPECT_NEAR(run.lowered_hz, 74.5, 0);
	write_and_read(&run, &again);
	expect_same(&again, &run);
	EXPECT_EQ(again.thinned.one_in, 4);
	EXPECT_EQ(again.thinned.since_ns, run.thinned.since_ns);
	EXPECT_EQ(again.slice_ns, run.slice_ns);
	EXPECT_EQ(again.nr_slices, 2);
	expect_same_samples(again.slices[0], interval.profile);
	expect_same_samples(again.slices[1], next.profile);
	recording__fini(&run);
	recording__fini(&again);
	model__free(&model);
	model__free(&next_model);
}

static void test_merged(void)
{
	struct model model;
	struct recording interval = full(&model), first, second;

	write_and_read(&interval, &first);
	write_and_read(&interval, &second);
	EXPECT_EQ(recording__merge(&first, &second, NULL), 0);
	expect_words(&first, &interval);
	EXPECT_EQ(first.duration_ns, 2 * interval.duration_ns);
	EXPECT_EQ(first.cost.user_ns, 2 * interval.cost.user_ns);
	EXPECT_EQ(first.cost.kernel_bytes, interval.cost.kernel_bytes);
	EXPECT_EQ(first.ledger.counted, 2 * interval.ledger.counted);
	EXPECT_NEAR(first.delivered_hz, interval.delivered_hz, 1e-9);
	EXPECT_EQ(first.period, interval.period);
	EXPECT(first.whole_system && first.ledger.idle_excluded);
	/* Facts on which they do not agree are unknown for the sum. */
	second.facts[FACT_UNWINDING] = "otherwise";
	second.lost_abilities[1].name = NULL;
	second.period++;
	second.thinned = (struct thinned){8, 1000};
	EXPECT_EQ(recording__merge(&first, &second, NULL), 0);
	EXPECT_EQ(first.thinned.one_in, 8);
	EXPECT_EQ(first.thinned.since_ns, 0);
	EXPECT(!first.facts[FACT_UNWINDING]);
	EXPECT(!first.lost_abilities[0].name);
	EXPECT_STR(first.facts[FACT_EVENT], interval.facts[FACT_EVENT]);
	EXPECT_EQ(first.period, 0);
	recording__fini(&first);
	recording__fini(&second);
	model__free(&model);
}

/* A copy lends nothing: it stays whole when the other is gone. */
static void test_copied(void)
{
	struct dictionary *dictionary = dictionary__new();
	struct model model, other;
	struct recording interval = full(&model), expected = full(&other), copy;
	char target[] = "target";

	interval.facts[FACT_TARGET] = target;
	recording__copy(&copy, &interval, dictionary);
	dictionary__free(dictionary);
	memset(target, 'x', sizeof(target) - 1);
	model__free(&model);
	expect_same(&copy, &expected);
	EXPECT_EQ(copy.quality.frames, expected.quality.frames);
	EXPECT_EQ(copy.quality.nr_causes, 1);
	EXPECT_STR(copy.quality.causes[0].package, "dbg");
	recording__fini(&copy);
	model__free(&other);
}

static void test_shown(void)
{
	static const struct view_options options = {.nr_rows = 1};
	struct model model;
	struct recording interval = full(&model), again;
	char text[8192] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	interval.facts[FACT_UNWINDING] = "unwind tables";
	write_and_read(&interval, &again);
	EXPECT_EQ(view__write_header(out, &again, &options), 0);
	fclose(out);
	EXPECT(strstr(text, "; by unwind tables\n"));
	EXPECT(strstr(text, " unwind tables are not used: why; probes are not used: because\n"));
	recording__fini(&again);
	model__free(&model);
}

/* ---- several events of a run ---- */

/*
 * The event has so many samples at f, one at g, and a ledger that says so as often as it was added.
 */
static void expect_event(const struct recording *event, const char *name, uint64_t count,
			 uint64_t times)
{
	EXPECT_STR(event->facts[FACT_EVENT], name);
	EXPECT_EQ(profile__total(event->profile, VALUE_COUNT), count + times);
	EXPECT_EQ(event->ledger.counted, count + times);
	EXPECT_EQ(event->duration_ns, times * 1000000000);
}

static void test_events_appended(void)
{
	struct recording run, interval = two_events(10, 3, false);

	recording__init(&run);
	run.slice_ns = interval.duration_ns;
	EXPECT_EQ(recording__append(&run, &interval, true), 0);
	EXPECT_EQ(recording__append(&run, &interval, true), 0);
	EXPECT_EQ(recording__nr_events(&run), 2);
	expect_event(&run, "cpu-clock", 20, 2);
	expect_event(run.more, "page-faults", 6, 2);
	EXPECT(metric__equal(&profile__metrics(run.more->profile)->of[VALUE_WEIGHT],
			     &fault_metrics.of[VALUE_WEIGHT]));
	EXPECT(profile__dictionary(run.profile) == profile__dictionary(run.more->profile));
	EXPECT_EQ(run.more->nr_slices, 2);
	EXPECT_EQ(profile__total(run.more->slices[1], VALUE_COUNT), 4);
	recording__fini(&run);
	recording__fini(&interval);
}

/* Events of any order are added to their like. */
static void test_events_merged(void)
{
	struct recording sum = two_events(10, 3, false), more = two_events(20, 5, true);

	EXPECT_EQ(recording__merge(&sum, &more, NULL), 0);
	expect_event(&sum, "cpu-clock", 30, 2);
	expect_event(sum.more, "page-faults", 8, 2);
	EXPECT_EQ(recording__join(&sum, &more, NULL), 0);
	expect_event(sum.more, "page-faults", 13, 3);
	EXPECT_EQ(sum.nr_slices, 2);
	EXPECT_EQ(sum.more->nr_slices, 2);
	recording__fini(&sum);
	recording__fini(&more);
}

/* Samples of several periods are no count of events: the sum shows their weight. */
static void test_periods_merged(void)
{
	struct recording sum = two_events(10, 3, false), more = two_events(20, 5, false);
	const struct sample of_another_period = {.values = {2, 2}};

	EXPECT_EQ(recording__merge(&sum, &more, NULL), 0);
	EXPECT_EQ(profile__metrics(sum.more->profile)->shown, VALUE_COUNT);
	profile__add(more.more->profile, &of_another_period);
	EXPECT_EQ(recording__merge(&sum, &more, NULL), 0);
	EXPECT_EQ(profile__metrics(sum.more->profile)->shown, VALUE_WEIGHT);
	EXPECT_EQ(recording__merge(&sum, &more, NULL), 0); /* and more of them */
	EXPECT_EQ(profile__metrics(sum.profile)->shown, VALUE_COUNT);
	recording__fini(&sum);
	recording__fini(&more);
}

static void test_events_refused(void)
{
	struct recording sum = two_events(10, 3, false), more = two_events(20, 5, true), one;
	struct error err = {0};

	recording__init(&one);
	add_event(&one, "cpu-clock", &cpu_metrics, 7);
	EXPECT_EQ(recording__merge(&sum, &one, &err), -EINVAL);
	EXPECT_STR(err.text, "files of different events cannot be added up: \"cpu-clock, "
			     "page-faults\", and \"cpu-clock\"");
	EXPECT_EQ(recording__merge(&one, &sum, &err), -EINVAL);
	/* The same events with other values are not added, either. */
	profile__set_metrics(more.profile, &cpu_metrics);
	EXPECT_EQ(recording__merge(&sum, &more, &err), -EINVAL);
	expect_event(&sum, "cpu-clock", 10, 1);
	expect_event(sum.more, "page-faults", 3, 1);
	recording__fini(&sum);
	recording__fini(&more);
	recording__fini(&one);
}

static void test_events_copied(void)
{
	struct recording interval = two_events(10, 3, false), copy;
	struct dictionary *dictionary = dictionary__new();

	recording__copy(&copy, &interval, dictionary);
	recording__fini(&interval);
	expect_event(&copy, "cpu-clock", 10, 1);
	expect_event(copy.more, "page-faults", 3, 1);
	EXPECT(profile__dictionary(copy.more->profile) == dictionary);
	EXPECT(!copy.more->more);
	EXPECT(recording__memory_bytes(&copy) >
	       dictionary__memory_bytes(dictionary) + profile__memory_bytes(copy.profile));
	dictionary__free(dictionary);
	recording__fini(&copy);
}

static long double_frame(void *context, const struct frame *frame, bool is_caller,
			 struct frame frames[MAX_EXPANSION])
{
	(void)context;
	(void)is_caller;
	frames[0] = frames[1] = *frame;
	return 2;
}

/* A change of stacks changes those of all events, and their dictionary stays one. */
static void test_events_changed(void)
{
	struct recording recording = two_events(10, 3, false);
	const struct choice only_f = {.focus = "^f$"};

	recording__expand(&recording, &(struct expander){double_frame, NULL});
	recording__drop_unused(&recording);
	EXPECT(profile__dictionary(recording.profile) ==
	       profile__dictionary(recording.more->profile));
	EXPECT_EQ(dictionary__nr_stacks(profile__dictionary(recording.profile)), 2);
	EXPECT_STR(recording.more->facts[FACT_EVENT], "page-faults");
	EXPECT_EQ(recording__choose(&recording, &only_f, NULL), 0);
	EXPECT_EQ(profile__total(recording.profile, VALUE_COUNT), 10);
	EXPECT_EQ(profile__total(recording.more->profile, VALUE_COUNT), 3);
	recording__fini(&recording);
}

static void test_event_shown(void)
{
	struct recording recording = two_events(10, 3, false);

	add_event(&recording, "major-faults", &fault_metrics, 2);
	recording__show_event(&recording, recording.more->more);
	expect_event(&recording, "major-faults", 2, 1);
	expect_event(recording.more, "cpu-clock", 10, 1);
	expect_event(recording.more->more, "page-faults", 3, 1);
	recording__show_event(&recording, recording.more);
	expect_event(&recording, "cpu-clock", 10, 1);
	expect_event(recording.more, "page-faults", 3, 1);
	expect_event(recording.more->more, "major-faults", 2, 1);
	recording__show_event(&recording, recording.more->more);
	recording__show_event(&recording, recording.more->more);
	expect_event(&recording, "page-faults", 3, 1);
	expect_event(recording.more, "major-faults", 2, 1);
	expect_event(recording.more->more, "cpu-clock", 10, 1);
	EXPECT_EQ(recording__nr_events(&recording), 3);
	recording__fini(&recording);
}

int main(void)
{
	static const struct test tests[] = {
		{"saved and read", test_saved},
		{"added up", test_merged},
		{"copied", test_copied},
		{"how stacks were unwound is told of a file too", test_shown},
		{"parts of a run, each event to its own", test_events_appended},
		{"runs, each event to its own", test_events_merged},
		{"runs of several periods", test_periods_merged},
		{"runs of different events are refused", test_events_refused},
		{"all events are copied", test_events_copied},
		{"stacks of all events are changed", test_events_changed},
		{"another event is the first", test_event_shown},
		{0},
	};

	return run_tests("recording", tests);
}
