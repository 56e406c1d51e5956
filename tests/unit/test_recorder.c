// SPDX-License-Identifier: GPL-2.0-only
/* Batches to intervals, from a sampler that the test is: no kernel, no rights. */
#include "run/recorder.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include "expect.h"
#include "fake_sampler.h"
#include "lines/lines.h"
#include "long_maps.h"
#include "profile/profile.h"

static const char *const kernel_names[] = {"do_idle+0x8/0x10", "vfs_read+0x8/0x10"};

/* The recorder sees no more than this of a reader of debug information. */
struct fake_reader {
	uint64_t reading_ns; /* CPU time of the reader that is at work */
};

uint64_t lines__reading_ns(const struct lines *lines)
{
	return ((const struct fake_reader *)lines)->reading_ns;
}

struct recorder_fixture {
	struct fake_sampler sampler;
	struct fake_reader reader;
	struct symbols *symbols;
	struct recorder *recorder;
	struct process process;
	struct error err;
};

static const struct event faults = {
	.source = &fake_source,
	.name = (char *)"faults",
	.metrics.of = {{"faults", "count", .is_events = true}, {"faults", "events"}},
};

/* other: a second event, or NULL. */
static void open_with(struct recorder_fixture *fixture, const struct event *other, size_t max_bytes,
		      size_t nr_stacks)
{
	const struct recorder_options options = {.pace = {.rate_hz = 99, .one_in = 1},
						 .max_share = 0.5,
						 .helpers.lines =
							 (const struct lines *)&fixture->reader,
						 .max_bytes = max_bytes,
						 .nr_stacks = nr_stacks};

	*fixture = (struct recorder_fixture){.symbols = symbols_with_kernel(kernel_names, NULL),
					     .process = own_process()};
	fake_sampler__open(&fixture->sampler, fixture->symbols);
	if (other)
		fixture->sampler.events.list[fixture->sampler.events.nr++] = *other;
	fixture->recorder = recorder__open((struct sampler *)&fixture->sampler, &options);
	EXPECT_EQ(recorder__start(fixture->recorder, &fixture->err), 0);
}

static void open_fixture(struct recorder_fixture *fixture, size_t max_bytes, size_t nr_stacks)
{
	open_with(fixture, NULL, max_bytes, nr_stacks);
}

static void close_fixture(struct recorder_fixture *fixture)
{
	recorder__close(fixture->recorder);
	symbols__free(fixture->symbols);
	fake_sampler__close(&fixture->sampler);
}

/* A batch of count samples of a stack, of the time until end_ns. Its number. */
static uint64_t sample_stack(struct recorder_fixture *fixture, uint64_t end_ns,
			     const uint64_t *words, enum stack_end end, int missing, uint64_t count)
{
	struct batch *batch = batch__new(&fixture->sampler.capture);
	const struct raw_sample like = {
		.process = &fixture->process, .missing = missing, .count = count};

	fake_sampler__add(&fixture->sampler, batch, &like, words, end);
	batch->end_ns = end_ns;
	return batch_queue__push(&fixture->sampler.queue, batch);
}

static uint64_t sample_until(struct recorder_fixture *fixture, uint64_t end_ns, uint64_t address,
			     uint64_t count)
{
	const uint64_t words[] = {address, 0};

	return sample_stack(fixture, end_ns, words, END_EARLY, -1, count);
}

/* A batch of samples of the second event, and so many of the first. */
static uint64_t sample_both(struct recorder_fixture *fixture, uint64_t of_first, uint64_t count)
{
	const uint64_t words[] = {0x1000, 0};
	struct raw_sample like = {.process = &fixture->process, .missing = -1, .count = of_first};
	struct batch *batch = batch__new(&fixture->sampler.capture);

	if (of_first)
		fake_sampler__add(&fixture->sampler, batch, &like, words, END_EARLY);
	like.event = 1;
	like.count = count;
	fake_sampler__add(&fixture->sampler, batch, &like, words, END_EARLY);
	batch->end_ns = monotonic_ns();
	return batch_queue__push(&fixture->sampler.queue, batch);
}

static uint64_t sample_other(struct recorder_fixture *fixture, uint64_t count)
{
	return sample_both(fixture, 0, count);
}

static uint64_t sample(struct recorder_fixture *fixture, uint64_t count)
{
	return sample_until(fixture, monotonic_ns(), 0x1000, count);
}

static uint64_t count_of(const struct recording *interval)
{
	return profile__total(interval->profile, VALUE_COUNT);
}

static void test_intervals_and_their_sum(void)
{
	struct recording interval;
	struct recorder_fixture fixture;

	open_fixture(&fixture, 0, 0);
	sample(&fixture, 3);
	EXPECT_EQ(recorder__run(fixture.recorder, monotonic_ns(), -1, &fixture.err), RECORDER_TIME);
	sample(&fixture, 4);
	fixture.reader.reading_ns = 1000 * SECOND;
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_EQ(count_of(&interval), 7);
	EXPECT_NEAR((double)interval.cost.user_ns, 1000e9, 100e9);
	EXPECT_EQ(interval.ledger.unverified, 7);
	EXPECT_EQ(interval.ledger.early, 7);
	EXPECT(ledger__balances(&interval.ledger));
	EXPECT_STR(interval.facts[FACT_EVENT], "fake");
	EXPECT_STR(interval.facts[FACT_UNWINDING], "by heart");
	recorder__begin(fixture.recorder);
	sample(&fixture, 5);
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_EQ(count_of(&interval), 5);
	EXPECT_NEAR((double)interval.cost.user_ns, 0, 100e9);
	recorder__begin(fixture.recorder);
	recorder__sum(fixture.recorder, &interval);
	EXPECT_EQ(count_of(&interval), 12);
	EXPECT_NEAR((double)interval.cost.user_ns, 1000e9, 100e9);
	close_fixture(&fixture);
}

static const char *comm_of(const struct recording *interval, uint32_t process)
{
	return dictionary__process(profile__dictionary(interval->profile), process)->comm;
}

static const char *leaf_module(const struct recording *interval, const struct sample *sample)
{
	const struct dictionary *dictionary = profile__dictionary(interval->profile);
	size_t nr_frames;

	return dictionary__frame(dictionary,
				 dictionary__stack(dictionary, sample->stack, &nr_frames)[0])
		->module;
}

/*
 * A process with a long list of mappings is named after all others, though its samples come first,
 * so that they need not wait for it: processes have numbers in the order in which they are named.
 */
static void test_who_comes_last(void)
{
	const uint64_t in_crowd[] = {LONG_MAPS_AT, 0}, in_us[] = {(uintptr_t)leaf_module, 0};
	const pid_t pid = start_long_maps();
	const struct process crowd = {.instance = 8,
				      .pid = pid,
				      .comm = "crowd",
				      .start_ns = process_start_ns(pid),
				      .seen_ns = monotonic_ns()};
	struct raw_sample like = {.process = &crowd, .missing = -1, .count = 1};
	struct recorder_fixture fixture;
	struct recording interval;
	struct batch *batch;
	const struct sample *samples;
	size_t nr_samples;

	open_fixture(&fixture, 0, 0);
	batch = batch__new(&fixture.sampler.capture);
	fake_sampler__add(&fixture.sampler, batch, &like, in_crowd, END_EARLY);
	like.process = &fixture.process;
	fake_sampler__add(&fixture.sampler, batch, &like, in_us, END_EARLY);
	batch->end_ns = monotonic_ns();
	batch_queue__push(&fixture.sampler.queue, batch);
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	samples = profile__samples(interval.profile, &nr_samples);
	EXPECT_EQ(nr_samples, 2);
	EXPECT_STR(comm_of(&interval, 0), "test");
	EXPECT_STR(comm_of(&interval, 1), "crowd");
	for (size_t i = 0; i < nr_samples; i++)
		EXPECT(leaf_module(&interval, &samples[i]) != NULL);
	close_fixture(&fixture);
	stop_long_maps(pid);
}

/*
 * The clock of the run and its ledger count from one moment, before the sampler does what takes
 * long.
 */
static void test_begins_before_the_sampler(void)
{
	struct recording interval;
	struct recorder_fixture fixture;
	uint64_t start_ns;

	open_fixture(&fixture, 0, 0);
	start_ns = recorder__start_ns(fixture.recorder);
	EXPECT(start_ns <= fixture.sampler.started_ns);
	fixture.sampler.cut_number = sample_until(&fixture, start_ns + 5 * SECOND, 0x1000, 1);
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_EQ(interval.duration_ns, 5 * SECOND);
	close_fixture(&fixture);
}

/* Naming is so late that the sampler has cut the interval, and the next one is under way. */
static void test_ends_on_time_with_naming_behind(void)
{
	uint64_t start_ns = monotonic_ns();
	struct recording interval;
	struct recorder_fixture fixture;

	open_fixture(&fixture, 0, 0);
	recorder__cut_at(fixture.recorder, start_ns + 1000 * SECOND);
	EXPECT_EQ(fixture.sampler.cut_ns, start_ns + 1000 * SECOND);
	sample_until(&fixture, start_ns + 500 * SECOND, 0x1000, 5);
	fixture.sampler.cut_number = sample_until(&fixture, start_ns + 1000 * SECOND, 0x1000, 10);
	sample_until(&fixture, start_ns + 1500 * SECOND, 0x1000, 20);
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_EQ(count_of(&interval), 15);
	EXPECT_NEAR((double)interval.duration_ns, 1000e9, 100e9);
	EXPECT_EQ(fixture.sampler.nr_drains, 0);
	EXPECT_EQ(fixture.sampler.cut_ns, 0);
	recorder__begin(fixture.recorder);
	fixture.sampler.cut_number = fixture.sampler.queue.number;
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_EQ(count_of(&interval), 20);
	EXPECT_EQ(interval.duration_ns, 500 * SECOND);
	close_fixture(&fixture);
}

/* The sampler ends sampling at the planned time, however late the recorder comes. */
static void test_ends_by_itself(void)
{
	uint64_t start_ns = monotonic_ns();
	struct recording interval;
	struct recorder_fixture fixture;

	open_fixture(&fixture, 0, 0);
	recorder__cut_at(fixture.recorder, 0);
	recorder__end_at(fixture.recorder, start_ns + 1);
	EXPECT_EQ(fixture.sampler.end_ns, start_ns + 1);
	sample_until(&fixture, start_ns + 500 * SECOND, 0x1000, 5);
	fixture.sampler.last_number = sample_until(&fixture, start_ns + 1000 * SECOND, 0x1000, 10);
	recorder__want_rate(fixture.recorder, 499); /* too late */
	recorder__stop(fixture.recorder);
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_EQ(count_of(&interval), 15);
	EXPECT_NEAR((double)interval.duration_ns, 1000e9, 100e9);
	EXPECT_EQ(fixture.sampler.nr_drains, 0);
	EXPECT_NEAR(recorder__pace(fixture.recorder).rate_hz, 99, 0);
	close_fixture(&fixture);
}

/* The time between a cut and an end that were both missed is an interval of its own. */
static void test_misses_a_cut_and_the_end(void)
{
	uint64_t start_ns = monotonic_ns();
	struct recording interval;
	struct recorder_fixture fixture;

	open_fixture(&fixture, 0, 0);
	recorder__end_at(fixture.recorder, start_ns + 2);
	recorder__cut_at(fixture.recorder, start_ns + 1);
	EXPECT(!recorder__was_cut(fixture.recorder));
	fixture.sampler.cut_number = sample_until(&fixture, start_ns + 1000 * SECOND, 0x1000, 10);
	sample_until(&fixture, start_ns + 1200 * SECOND, 0x1000, 20);
	fixture.sampler.last_number = sample_until(&fixture, start_ns + 1500 * SECOND, 0x1000, 30);
	EXPECT(recorder__was_cut(fixture.recorder));
	recorder__want_rate(fixture.recorder, 499); /* too late: no drain for its sake */
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_EQ(count_of(&interval), 10);
	recorder__begin(fixture.recorder);
	EXPECT(!recorder__was_cut(fixture.recorder));
	recorder__stop(fixture.recorder);
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_EQ(count_of(&interval), 50);
	EXPECT_EQ(interval.duration_ns, 500 * SECOND);
	EXPECT_EQ(fixture.sampler.nr_drains, 0);
	close_fixture(&fixture);
}

/* The last interval has the samples between a cut that the recorder missed and the end. */
static void test_stopped_while_late(void)
{
	uint64_t start_ns = monotonic_ns();
	struct recording interval;
	struct recorder_fixture fixture;

	open_fixture(&fixture, 0, 0);
	recorder__cut_at(fixture.recorder, start_ns + 1000 * SECOND);
	fixture.sampler.cut_number = sample_until(&fixture, start_ns + 1000 * SECOND, 0x1000, 10);
	sample_until(&fixture, start_ns + 1200 * SECOND, 0x1000, 20);
	recorder__stop(fixture.recorder);
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_EQ(count_of(&interval), 30);
	EXPECT_EQ(fixture.sampler.nr_drains, 1);
	close_fixture(&fixture);
}

static void test_failure_keeps_what_was_sampled(void)
{
	struct recording interval;
	struct recorder_fixture fixture;

	open_fixture(&fixture, 0, 0);
	sample(&fixture, 3);
	sample(&fixture, 4);
	fake_sampler__fail(&fixture.sampler);
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), -EIO);
	EXPECT_STR(fixture.err.text, "cannot drain: input/output error");
	recorder__salvage(fixture.recorder, &interval);
	EXPECT(fixture.sampler.is_stopped);
	EXPECT_EQ(count_of(&interval), 7);
	EXPECT(ledger__balances(&interval.ledger));
	close_fixture(&fixture);
}

/* The recorder returns the failure itself, after the samples before it are taken. */
static void test_failure_while_it_runs(void)
{
	struct recorder_fixture fixture;
	uint64_t then_ns = monotonic_ns() + 100 * SECOND;

	open_fixture(&fixture, 0, 0);
	fake_sampler__fail(&fixture.sampler);
	EXPECT_EQ(recorder__run(fixture.recorder, then_ns, -1, &fixture.err), -EIO);
	EXPECT(monotonic_ns() < then_ns);
	close_fixture(&fixture);
}

static void test_targets_are_gone(void)
{
	struct recorder_fixture fixture;

	open_fixture(&fixture, 0, 0);
	batch_queue__set_over(&fixture.sampler.queue, true);
	EXPECT_EQ(recorder__run(fixture.recorder, monotonic_ns() + 100 * SECOND, -1, &fixture.err),
		  RECORDER_GONE);
	close_fixture(&fixture);
}

/* The old rate goes on until the next drain, which is the interval's last. */
static void test_rates(void)
{
	struct recording interval;
	struct recorder_fixture fixture;

	open_fixture(&fixture, 0, 0);
	EXPECT_NEAR(recorder__pace(fixture.recorder).rate_hz, 99, 0);
	recorder__want_rate(fixture.recorder, 499);
	EXPECT_NEAR(recorder__pace(fixture.recorder).rate_hz, 99, 0);
	/* a cut would leave the rate as it is */
	fixture.sampler.cut_number = sample(&fixture, 1);
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_NEAR(fixture.sampler.pace.rate_hz, 499, 0);
	EXPECT_NEAR(recorder__pace(fixture.recorder).rate_hz, 499, 0);
	recorder__begin(fixture.recorder);
	/* nothing is changed any more once sampling is over */
	recorder__want_rate(fixture.recorder, 999);
	recorder__stop(fixture.recorder);
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_NEAR(fixture.sampler.pace.rate_hz, 499, 0);
	close_fixture(&fixture);
}

/* An interval of a counted event says since when fewer are sampled, and so does the sum. */
static void check_thinned(struct recorder_fixture *fixture)
{
	struct recording interval;
	uint64_t since_ns;

	sample(fixture, 1);
	EXPECT_EQ(recorder__end(fixture->recorder, &interval, &fixture->err), 0);
	EXPECT_EQ(interval.thinned.one_in, 0); /* it has a rate */
	EXPECT_EQ(interval.more->thinned.one_in, 4);
	since_ns = interval.more->thinned.since_ns;
	EXPECT(since_ns >= 4 * SECOND && since_ns <= interval.duration_ns);
	recorder__begin(fixture->recorder);
	sample(fixture, 1);
	recorder__stop(fixture->recorder);
	EXPECT_EQ(recorder__end(fixture->recorder, &interval, &fixture->err), 0);
	EXPECT_EQ(interval.more->thinned.one_in, 4);
	EXPECT_EQ(interval.more->thinned.since_ns, 0);
	recorder__begin(fixture->recorder);
	recorder__sum(fixture->recorder, &interval);
	EXPECT_EQ(interval.more->thinned.since_ns, since_ns);
}

/*
 * Windows have 2 s, and the first does not count. The kernel's programs, or else the reader of
 * debug information, take thousands of CPUs.
 */
static void test_governed_rate(void)
{
	struct recorder_fixture fixtures[3];

	for (size_t n = 0; n < 3; n++)
		open_with(&fixtures[n], n == 1 ? &faults : NULL, 0, 0);
	for (int i = 0; i < 3; i++) {
		for (size_t n = 0; n < 3; n++) {
			EXPECT_NEAR(recorder__pace(fixtures[n].recorder).rate_hz, 99, 0);
			if (n == 1)
				sample_both(&fixtures[n], 10, 10);
			else
				sample(&fixtures[n], 10);
			EXPECT_EQ(recorder__run(fixtures[n].recorder, monotonic_ns(), -1,
						&fixtures[n].err),
				  RECORDER_TIME);
		}
		usleep(i < 2 ? 2050000 : 0);
		fixtures[1].sampler.program_ns += 4000 * SECOND;
		fixtures[2].reader.reading_ns += 4000 * SECOND;
	}
	EXPECT_NEAR(recorder__pace(fixtures[0].recorder).rate_hz, 99, 0);
	for (size_t n = 1; n < 3; n++) { /* to a quarter at once, at most */
		EXPECT_NEAR(recorder__pace(fixtures[n].recorder).rate_hz, 24, 0);
		EXPECT_NEAR(fixtures[n].sampler.pace.rate_hz, 24, 0);
	}
	EXPECT_EQ(fixtures[1].sampler.pace.one_in, 4);
	EXPECT_EQ(fixtures[2].sampler.pace.one_in, 0); /* nothing is counted */
	check_thinned(&fixtures[1]);
	for (size_t n = 0; n < 3; n++)
		close_fixture(&fixtures[n]);
}

/*
 * The rate falls while a batch is named for long: such a batch brings no drain, so that the pace is
 * not looked at after one.
 */
static void test_governed_while_naming(void)
{
	static const uint64_t words[] = {0x1000, 0};
	struct raw_sample like = {.missing = -1, .count = 1};
	struct recorder_fixture fixture;
	struct batch *batch;

	open_fixture(&fixture, 0, 0);
	sample(&fixture, 1000000);
	EXPECT_EQ(recorder__run(fixture.recorder, monotonic_ns(), -1, &fixture.err), RECORDER_TIME);
	usleep(550000);
	fixture.sampler.program_ns += 4000 * SECOND;
	batch = batch__new(&fixture.sampler.capture);
	like.process = &fixture.process;
	for (int i = 0; i < 3000; i++) {
		like.count = 1000000 / 3000;
		fake_sampler__add(&fixture.sampler, batch, &like, words, END_WHOLE);
	}
	batch_queue__push(&fixture.sampler.queue, batch);
	EXPECT_EQ(recorder__run(fixture.recorder, monotonic_ns() + SECOND, -1, &fixture.err),
		  RECORDER_TIME);
	EXPECT_NEAR(recorder__pace(fixture.recorder).rate_hz, 24, 0);
	EXPECT_NEAR(fixture.sampler.pace.rate_hz, 24, 0);
	close_fixture(&fixture);
}

static void test_memory_is_bounded(void)
{
	struct recording interval;
	struct recorder_fixture fixture;
	size_t nr_stacks;

	open_fixture(&fixture, 1, 2);
	for (uint64_t i = 0; i < 50; i++) {
		sample_until(&fixture, monotonic_ns(), 0x1000 + 16 * i, 1 + i % 7);
		if (i == 25) {
			EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
			recorder__begin(fixture.recorder);
		}
	}
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	nr_stacks = dictionary__nr_stacks(profile__dictionary(interval.profile));
	EXPECT(nr_stacks < 10);
	EXPECT_EQ(count_of(&interval), interval.ledger.counted);
	recorder__begin(fixture.recorder);
	recorder__sum(fixture.recorder, &interval);
	EXPECT_EQ(count_of(&interval), 7 * 28 + 1); /* 50 samples of 1 to 7, and 1 */
	EXPECT_EQ(count_of(&interval), interval.ledger.counted);
	close_fixture(&fixture);
}

#define LIMIT_BYTES (64UL << 20)

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

/* Allocated memory stays: the compiler must not leave it out. */
static void *volatile last;

/* Runs in a child, which has the limit to itself. Returns its exit code. */
static int run_short_of_memory(void)
{
	const struct rlimit limit = {LIMIT_BYTES, LIMIT_BYTES};
	struct recording interval;
	struct recorder_fixture fixture;
	int code;

	open_fixture(&fixture, 0, 0);
	sample(&fixture, 3);
	if (setrlimit(RLIMIT_DATA, &limit) || !memory__set_aside())
		return 1;
	while (memory__recover())
		last = xmalloc(64 << 10);
	code = recorder__run(fixture.recorder, monotonic_ns() + 100 * SECOND, -1, &fixture.err);
	if (code != -ENOMEM || fixture.err.exit_code != EXIT_INTERNAL)
		return 2;
	recorder__salvage(fixture.recorder, &interval);
	return count_of(&interval) == 3 ? 0 : 3;
}

/* The run ends at the next batch, with what there is. */
static void test_memory_is_short(void)
{
	const pid_t child = fork();
	int status;

	if (!child) /* a sanitizer maps more than any limit */
		_exit(IS_SANITIZED ? 0 : run_short_of_memory());
	EXPECT(child > 0 && waitpid(child, &status, 0) == child);
	EXPECT_EQ(status, 0);
}

static bool is_one_of(const char *word, const char *const *words)
{
	for (; *words; words++)
		if (!strcmp(word, *words))
			return true;
	return false;
}

/* How a stack ends is a row of the ledger, and of no other. */
static void test_ends(void)
{
	static const char *const from_sampler[] = {"events", "counted", "due", "sampled_ns", NULL};
	const uint64_t here = (uint64_t)(uintptr_t)test_rates + 1;
	const struct {
		uint64_t words[3];
		int end, missing;
		const char *rows[3];
	} samples[] = {
		{{here, here}, END_WHOLE, -1, {"whole"}},
		{{here, here}, END_OPEN, -1, {"unverified"}},
		{{here, 0x10}, END_OPEN, -1, {"unverified", "unmapped"}},
		{{here, here}, END_EARLY, -1, {"unverified", "early"}},
		{{here, here}, END_CUT + CUT_DEPTH, -1, {"truncated.depth"}},
		{{here, here}, END_CUT + CUT_BACKWARDS, -1, {"truncated.backwards"}},
		{{here, here}, END_WHOLE, MISSING_BUSY, {"missing.busy"}},
	};

	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		struct recording interval;
		struct recorder_fixture fixture;
		const char *name;

		open_fixture(&fixture, 0, 0);
		sample_stack(&fixture, monotonic_ns(), samples[i].words,
			     (enum stack_end)samples[i].end, samples[i].missing, 9);
		EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
		EXPECT(ledger__balances(&interval.ledger));
		for (size_t n = 0; (name = ledger__field_name(n)); n++)
			if (!is_one_of(name, from_sampler) &&
			    *ledger__field(&interval.ledger, n) !=
				    (is_one_of(name, samples[i].rows) ? 9 : 0))
				EXPECT_STR(name, samples[i].rows[0]);
		close_fixture(&fixture);
	}
}

/* The kernel counted the idle task's samples: only their names tell what it did. */
static void test_idle_is_not_counted(void)
{
	struct recording interval;
	struct recorder_fixture fixture;

	open_fixture(&fixture, 0, 0);
	fixture.process = (struct process){.comm = "swapper"};
	sample_until(&fixture, monotonic_ns(), KERNEL_BASE + 8, 6);
	fixture.process = own_process();
	sample_until(&fixture, monotonic_ns(), KERNEL_BASE + 0x108, 2);
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_EQ(count_of(&interval), 2);
	EXPECT_EQ(interval.ledger.idle, 6);
	EXPECT_EQ(interval.ledger.counted, 2);
	EXPECT_EQ(interval.ledger.sampled_ns, 2 * MS);
	EXPECT(ledger__balances(&interval.ledger));
	close_fixture(&fixture);
}

static void expect_two(const struct recording *interval, uint64_t first, uint64_t second)
{
	const struct recording *other = interval->more;

	EXPECT(other && !other->more);
	EXPECT_EQ(count_of(interval), first);
	EXPECT_EQ(interval->ledger.counted, first);
	EXPECT_EQ(count_of(other), second);
	EXPECT_EQ(other->ledger.counted, second);
	EXPECT(ledger__balances(&interval->ledger) && ledger__balances(&other->ledger));
	EXPECT_STR(interval->facts[FACT_EVENT], "fake");
	EXPECT_STR(other->facts[FACT_EVENT], "faults");
	EXPECT_STR(profile__metrics(other->profile)->of[VALUE_COUNT].name, "faults");
	EXPECT(profile__dictionary(other->profile) == profile__dictionary(interval->profile));
	EXPECT_EQ(other->duration_ns, interval->duration_ns);
}

/* Also where the dictionary begins anew at each batch. One that is counted delivers no rate. */
static void test_two_events(void)
{
	static const size_t max_bytes[] = {0, 1};
	struct recording interval;
	struct recorder_fixture fixture;

	for (int i = 0; i < 2; i++) {
		open_with(&fixture, &faults, max_bytes[i], 0);
		sample(&fixture, 3);
		sample_other(&fixture, 40);
		EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
		expect_two(&interval, 3, 40);
		EXPECT(interval.delivered_hz > 0);
		EXPECT_NEAR(interval.more->delivered_hz, 0, 0);
		recorder__begin(fixture.recorder);
		sample_other(&fixture, 50);
		EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
		expect_two(&interval, 0, 50);
		recorder__begin(fixture.recorder);
		recorder__sum(fixture.recorder, &interval);
		expect_two(&interval, 3, 90);
		close_fixture(&fixture);
	}
}

int main(int argc, char **argv)
{
	static const struct test tests[] = {
		{"intervals, and the sum of them", test_intervals_and_their_sum},
		{"who comes last", test_who_comes_last},
		{"a run begins before its sampler does", test_begins_before_the_sampler},
		{"an interval ends on time although naming is behind",
		 test_ends_on_time_with_naming_behind},
		{"sampling ends on time by itself", test_ends_by_itself},
		{"a cut and the end that were missed make two intervals",
		 test_misses_a_cut_and_the_end},
		{"stopped while late, all is in the last interval", test_stopped_while_late},
		{"a failure keeps what was sampled", test_failure_keeps_what_was_sampled},
		{"a failure ends a wait", test_failure_while_it_runs},
		{"targets that are gone end a wait", test_targets_are_gone},
		{"rates change with a drain", test_rates},
		{"the rate is lowered to stay below a share", test_governed_rate},
		{"also while a batch is being named", test_governed_while_naming},
		{"bounds of memory keep the totals", test_memory_is_bounded},
		{"a run that is short of memory ends", test_memory_is_short},
		{"how a stack ends is a row of the ledger", test_ends},
		{"idling is not counted", test_idle_is_not_counted},
		{"each event has its own samples and ledger", test_two_events},
		{0},
	};

	(void)argc;
	(void)argv;
	return run_tests("recorder", tests);
}
