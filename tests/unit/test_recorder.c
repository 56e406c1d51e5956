// SPDX-License-Identifier: GPL-2.0-only
/* Batches to intervals, from a feed that the test is: no kernel, no rights. */
#include "run/recorder.h"

#include <errno.h>

#include "capture/batch.h"
#include "capture/raw_stacks.h"
#include "capture/session.h"
#include "expect.h"
#include "profile/profile.h"
#include "raw_samples.h"

#define MS     1000000ULL
#define SECOND (1000 * MS)

static const char *const kernel_names[] = {"do_idle+0x8/0x10", "vfs_read+0x8/0x10"};

struct fake_feed {
	struct capture capture;
	struct batch_queue queue;
	uint64_t cut_ns, cut_number;
	bool cut_is_last;
	double rate_hz;	     /* of the last drain that changed it */
	uint64_t program_ns; /* that the program in the kernel took so far */
	unsigned int nr_drains;
	bool is_stopped;
};

static int start(void *context, struct batch_queue **queue, struct error *err)
{
	(void)err;
	*queue = &((struct fake_feed *)context)->queue;
	return 0;
}

static void fail(struct fake_feed *feed)
{
	struct error err;

	error__set(&err, EXIT_INTERNAL, -EIO, "cannot drain");
	batch_queue__fail(&feed->queue, &err);
}

static int drain(void *context, double rate_hz, uint64_t *number, struct error *err)
{
	struct fake_feed *feed = context;
	struct batch *batch;

	feed->nr_drains++;
	if (rate_hz > 0)
		feed->rate_hz = rate_hz;
	if (feed->queue.failure.code)
		return batch_queue__failure(&feed->queue, err);
	batch = batch__new(&feed->capture);
	batch->end_ns = monotonic_ns();
	*number = batch_queue__push(&feed->queue, batch);
	return 0;
}

static void cut_at(void *context, uint64_t then_ns, bool is_last)
{
	struct fake_feed *feed = context;

	feed->cut_ns = then_ns;
	feed->cut_is_last = is_last;
}

static bool was_cut(void *context, uint64_t *number)
{
	*number = ((struct fake_feed *)context)->cut_number;
	return *number != 0;
}

static void stop(void *context)
{
	((struct fake_feed *)context)->is_stopped = true;
}

static void facts(void *context, struct capture_facts *facts)
{
	static const struct metrics metrics = {
		.of = {{"samples", "count", .is_events = true}, {"cpu", "nanoseconds"}}};

	(void)context;
	*facts = (struct capture_facts){.event = "fake", .metrics = &metrics, .nr_cpus = 2};
}

static void program_time(void *context, uint64_t *nr_runs, uint64_t *run_ns)
{
	*nr_runs = 0;
	*run_ns = ((struct fake_feed *)context)->program_ns;
}

struct recorder_fixture {
	struct fake_feed feed;
	struct symbols *symbols;
	struct recorder *recorder;
	struct process process;
	struct error err;
};

static void open_fixture(struct recorder_fixture *fixture, size_t max_bytes, size_t nr_stacks)
{
	struct feed feed = {.context = &fixture->feed,
			    .max_depth = 127,
			    .start = start,
			    .drain = drain,
			    .cut_at = cut_at,
			    .was_cut = was_cut,
			    .stop = stop,
			    .facts = facts,
			    .program_time = program_time};
	const struct recorder_options options = {
		.rate_hz = 99, .max_share = 0.5, .max_bytes = max_bytes, .nr_stacks = nr_stacks};

	*fixture = (struct recorder_fixture){.symbols = symbols_with_kernel(kernel_names),
					     .process = own_process()};
	feed.symbols = fixture->symbols;
	EXPECT_EQ(batch_queue__open(&fixture->feed.queue, &fixture->err), 0);
	fixture->feed.capture.generations.raw_stacks = raw_stacks__new();
	EXPECT_EQ(recorder__open(&fixture->recorder, &feed, &options, &fixture->err), 0);
	EXPECT_EQ(recorder__start(fixture->recorder, &fixture->err), 0);
}

static void close_fixture(struct recorder_fixture *fixture)
{
	recorder__close(fixture->recorder);
	symbols__free(fixture->symbols);
	batch_queue__close(&fixture->feed.queue);
	raw_stacks__free(fixture->feed.capture.generations.raw_stacks);
}

/* A batch of count samples at this address, of the time until end_ns. Its number. */
static uint64_t sample_until(struct recorder_fixture *fixture, uint64_t end_ns, uint64_t address,
			     uint64_t count)
{
	struct batch *batch = batch__new(&fixture->feed.capture);
	struct capture_sink sink = batch__sink(batch);
	struct raw_stacks *stacks = fixture->feed.capture.generations.raw_stacks;
	struct raw_stack *stack = raw_stacks__get(stacks, &address, 1, END_EARLY);
	const bool in_kernel = address >= KERNEL_BASE;
	const struct raw_sample raw = {.process = &fixture->process,
				       .user = in_kernel ? NULL : stack,
				       .kernel = in_kernel ? stack : NULL,
				       .missing = -1,
				       .count = count,
				       .weight = count * MS};

	sink.on_sample(sink.context, &raw);
	raw_stacks__put(stacks, stack);
	batch->end_ns = end_ns;
	batch->ledger = (struct ledger){
		.events = count, .counted = count, .due = count, .sampled_ns = count * MS};
	return batch_queue__push(&fixture->feed.queue, batch);
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
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_EQ(count_of(&interval), 7);
	EXPECT_EQ(interval.ledger.unverified, 7);
	EXPECT_EQ(interval.ledger.early, 7);
	EXPECT(ledger__balances(&interval.ledger));
	EXPECT_STR(interval.facts[FACT_EVENT], "fake");
	EXPECT_EQ(recorder__begin(fixture.recorder, &fixture.err), 0);
	sample(&fixture, 5);
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_EQ(count_of(&interval), 5);
	EXPECT_EQ(recorder__begin(fixture.recorder, &fixture.err), 0);
	EXPECT_EQ(recorder__sum(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_EQ(count_of(&interval), 12);
	close_fixture(&fixture);
}

/* Whoever names is so late that the feed cut the interval, and the next one is under way. */
static void test_ends_on_time_with_naming_behind(void)
{
	uint64_t start_ns = monotonic_ns();
	struct recording interval;
	struct recorder_fixture fixture;

	open_fixture(&fixture, 0, 0);
	recorder__cut_at(fixture.recorder, start_ns + 1000 * SECOND, true);
	EXPECT_EQ(fixture.feed.cut_ns, start_ns + 1000 * SECOND);
	EXPECT_EQ(fixture.feed.cut_is_last, true);
	sample_until(&fixture, start_ns + 500 * SECOND, 0x1000, 5);
	fixture.feed.cut_number = sample_until(&fixture, start_ns + 1000 * SECOND, 0x1000, 10);
	sample_until(&fixture, start_ns + 1500 * SECOND, 0x1000, 20);
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_EQ(count_of(&interval), 15);
	EXPECT_NEAR((double)interval.duration_ns, 1000e9, 100e9);
	EXPECT_EQ(fixture.feed.nr_drains, 0);
	EXPECT_EQ(fixture.feed.cut_ns, 0);
	EXPECT_EQ(recorder__begin(fixture.recorder, &fixture.err), 0);
	fixture.feed.cut_number = fixture.feed.queue.number;
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_EQ(count_of(&interval), 20);
	EXPECT_EQ(interval.duration_ns, 500 * SECOND);
	close_fixture(&fixture);
}

static void test_failure_keeps_what_was_sampled(void)
{
	struct recording interval;
	struct error other = {0};
	struct recorder_fixture fixture;

	open_fixture(&fixture, 0, 0);
	sample(&fixture, 3);
	sample(&fixture, 4);
	fail(&fixture.feed);
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), -EIO);
	EXPECT_STR(fixture.err.text, "cannot drain: input/output error");
	EXPECT_EQ(recorder__salvage(fixture.recorder, &interval, &other), 0);
	EXPECT(fixture.feed.is_stopped);
	EXPECT_EQ(count_of(&interval), 7);
	EXPECT(ledger__balances(&interval.ledger));
	close_fixture(&fixture);
}

/* The failure itself is told, once what was there before it is taken. */
static void test_failure_while_it_runs(void)
{
	struct recorder_fixture fixture;
	uint64_t then_ns = monotonic_ns() + 100 * SECOND;

	open_fixture(&fixture, 0, 0);
	fail(&fixture.feed);
	EXPECT_EQ(recorder__run(fixture.recorder, then_ns, -1, &fixture.err), -EIO);
	EXPECT(monotonic_ns() < then_ns);
	close_fixture(&fixture);
}

static void test_targets_are_gone(void)
{
	struct recorder_fixture fixture;

	open_fixture(&fixture, 0, 0);
	batch_queue__set_over(&fixture.feed.queue, true);
	EXPECT_EQ(recorder__run(fixture.recorder, monotonic_ns() + 100 * SECOND, -1, &fixture.err),
		  RECORDER_GONE);
	close_fixture(&fixture);
}

/* What was asked for goes on until the next drain, which is the interval's last. */
static void test_rates(void)
{
	struct recording interval;
	struct recorder_fixture fixture;

	open_fixture(&fixture, 0, 0);
	EXPECT_NEAR(recorder__rate_hz(fixture.recorder), 99, 0);
	recorder__want_rate(fixture.recorder, 499);
	EXPECT_NEAR(recorder__rate_hz(fixture.recorder), 99, 0);
	/* a cut would leave the rate as it is */
	fixture.feed.cut_number = sample(&fixture, 1);
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_NEAR(fixture.feed.rate_hz, 499, 0);
	EXPECT_NEAR(recorder__rate_hz(fixture.recorder), 499, 0);
	EXPECT_EQ(recorder__begin(fixture.recorder, &fixture.err), 0);
	/* nothing is changed any more once sampling is over */
	recorder__want_rate(fixture.recorder, 999);
	recorder__stop(fixture.recorder);
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_NEAR(fixture.feed.rate_hz, 499, 0);
	close_fixture(&fixture);
}

/* Windows of 2 s, of which the first does not count; the kernel's programs take hundreds of CPUs. */
static void test_governed_rate(void)
{
	struct recorder_fixture fixture;

	open_fixture(&fixture, 0, 0);
	for (int i = 0; i < 3; i++) {
		EXPECT_NEAR(recorder__rate_hz(fixture.recorder), 99, 0);
		sample(&fixture, 1);
		EXPECT_EQ(recorder__run(fixture.recorder, monotonic_ns() + (i < 2 ? 2050 : 0) * MS,
					-1, &fixture.err),
			  RECORDER_TIME);
		fixture.feed.program_ns += 4000 * SECOND;
	}
	EXPECT_NEAR(recorder__rate_hz(fixture.recorder), 24, 0); /* a quarter at once, at most */
	EXPECT_NEAR(fixture.feed.rate_hz, 24, 0);
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
			EXPECT_EQ(recorder__begin(fixture.recorder, &fixture.err), 0);
		}
	}
	EXPECT_EQ(recorder__end(fixture.recorder, &interval, &fixture.err), 0);
	nr_stacks = dictionary__nr_stacks(profile__dictionary(interval.profile));
	EXPECT(nr_stacks < 10);
	EXPECT_EQ(count_of(&interval), interval.ledger.counted);
	EXPECT_EQ(recorder__begin(fixture.recorder, &fixture.err), 0);
	EXPECT_EQ(recorder__sum(fixture.recorder, &interval, &fixture.err), 0);
	EXPECT_EQ(count_of(&interval), 7 * 28 + 1); /* 50 samples of 1 to 7, and 1 */
	EXPECT_EQ(count_of(&interval), interval.ledger.counted);
	close_fixture(&fixture);
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

int main(int argc, char **argv)
{
	static const struct test tests[] = {
		{"intervals, and the sum of them", test_intervals_and_their_sum},
		{"an interval ends on time although naming is behind",
		 test_ends_on_time_with_naming_behind},
		{"a failure keeps what was sampled", test_failure_keeps_what_was_sampled},
		{"a failure ends a wait", test_failure_while_it_runs},
		{"targets that are gone end a wait", test_targets_are_gone},
		{"rates change with a drain", test_rates},
		{"the rate is lowered to stay below a share", test_governed_rate},
		{"bounds of memory keep the totals", test_memory_is_bounded},
		{"idling is not counted", test_idle_is_not_counted},
		{0},
	};

	(void)argc;
	(void)argv;
	return run_tests("recorder", tests);
}
