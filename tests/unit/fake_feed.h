/* SPDX-License-Identifier: GPL-2.0-only */
/* A feed of the recorder's that the test is: no kernel, no rights. */
#ifndef TOPSTACKS_TESTS_FAKE_FEED_H
#define TOPSTACKS_TESTS_FAKE_FEED_H

#include <errno.h>

#include "capture/batch.h"
#include "capture/events/source.h"
#include "capture/kernel/raw_stacks.h"
#include "capture/session.h"
#include "expect.h"
#include "raw_samples.h"
#include "run/recorder.h"

#define MS     1000000ULL
#define SECOND (1000 * MS)

struct fake_feed {
	struct events events; /* one; a test may add others */
	struct capture capture;
	struct batch_queue queue;
	uint64_t started_ns, cut_ns, cut_number;
	bool cut_is_last;
	struct pace pace;    /* of the last drain that changed it */
	uint64_t program_ns; /* that the program in the kernel took so far */
	unsigned int nr_drains;
	void (*on_drain)(struct fake_feed *feed, struct batch *batch); /* what it finds, or NULL */
	bool is_stopped;
};

static const struct source fake_source;

static inline void fake_feed__open(struct fake_feed *feed)
{
	*feed = (struct fake_feed){
		.events = {.nr = 1,
			   .list = {{.source = &fake_source,
				     .name = (char *)"fake",
				     .has_rate = true,
				     .metrics.of = {{"samples", "count", .is_events = true},
						    {"cpu", "nanoseconds"}}}}}};
	EXPECT_EQ(batch_queue__open(&feed->queue, NULL), 0);
	feed->capture.generations.tables.raw_stacks = raw_stacks__new(NULL);
}

/* Whoever takes from it is closed before. */
static inline void fake_feed__close(struct fake_feed *feed)
{
	batch_queue__close(&feed->queue);
	raw_stacks__free(feed->capture.generations.tables.raw_stacks);
}

/* Adds samples of a stack, leaf first and ended by 0, and counts them. */
static inline void fake_feed__add(struct fake_feed *feed, struct batch *batch,
				  const struct raw_sample *like, const uint64_t *words,
				  enum stack_end end)
{
	struct capture_sink sink = batch__sink(batch);
	struct raw_stacks *stacks = feed->capture.generations.tables.raw_stacks;
	const bool in_kernel = words[0] >= KERNEL_BASE;
	struct raw_sample raw = *like;
	struct ledger *ledger = &batch->ledgers[like->event];
	struct raw_stack *stack;
	uint32_t nr_words = 0;

	while (words[nr_words])
		nr_words++;
	stack = raw_stacks__get(stacks, words, nr_words, end);
	raw.user = in_kernel || raw.missing >= 0 ? NULL : stack;
	raw.kernel = in_kernel ? stack : NULL;
	raw.weight = raw.count * MS;
	sink.on_sample(sink.context, &raw);
	raw_stacks__put(stacks, stack);
	ledger->events += raw.count;
	ledger->counted += raw.count;
	ledger->due += raw.count;
	ledger->sampled_ns += raw.weight;
	if (raw.missing >= 0)
		ledger->missing[raw.missing] += raw.count;
}

static inline void fake_feed__fail(struct fake_feed *feed)
{
	struct error err;

	error__set(&err, EXIT_INTERNAL, -EIO, "cannot drain");
	batch_queue__fail(&feed->queue, &err);
}

/* ---- the verbs ---- */

static inline int fake_feed__start(void *context, struct batch_queue **queue, uint64_t *begin_ns,
				   struct error *err)
{
	struct fake_feed *feed = context;

	(void)err;
	*begin_ns = feed->started_ns = monotonic_ns();
	*queue = &feed->queue;
	return 0;
}

static inline int fake_feed__drain(void *context, enum drain_moment moment, const struct pace *pace,
				   uint64_t *number, struct error *err)
{
	struct fake_feed *feed = context;
	struct batch *batch;

	(void)moment;

	feed->nr_drains++;
	if (pace)
		feed->pace = *pace;
	if (feed->queue.failure.code)
		return batch_queue__failure(&feed->queue, err);
	batch = batch__new(&feed->capture);
	batch->end_ns = monotonic_ns();
	if (feed->on_drain)
		feed->on_drain(feed, batch);
	*number = batch_queue__push(&feed->queue, batch);
	return 0;
}

static inline void fake_feed__cut_at(void *context, uint64_t then_ns, bool is_last)
{
	struct fake_feed *feed = context;

	feed->cut_ns = then_ns;
	feed->cut_is_last = is_last;
}

static inline bool fake_feed__was_cut(void *context, uint64_t *number)
{
	*number = ((struct fake_feed *)context)->cut_number;
	return *number != 0;
}

static inline void fake_feed__stop(void *context)
{
	((struct fake_feed *)context)->is_stopped = true;
}

static inline void fake_feed__facts(void *context, struct capture_facts *facts)
{
	const struct fake_feed *feed = context;

	*facts = (struct capture_facts){
		.events = &feed->events, .unwinding = "by heart", .nr_cpus = 2};
}

static inline size_t fake_feed__kernel_bytes(void *context)
{
	(void)context;
	return 4096;
}

static inline void fake_feed__program_time(void *context, uint64_t *nr_runs, uint64_t *run_ns)
{
	*nr_runs = 0;
	*run_ns = ((struct fake_feed *)context)->program_ns;
}

static inline struct feed fake_feed__feed(struct fake_feed *feed, struct symbols *symbols)
{
	return (struct feed){.context = feed,
			     .symbols = symbols,
			     .max_depth = 127,
			     .start = fake_feed__start,
			     .drain = fake_feed__drain,
			     .cut_at = fake_feed__cut_at,
			     .was_cut = fake_feed__was_cut,
			     .stop = fake_feed__stop,
			     .facts = fake_feed__facts,
			     .kernel_bytes = fake_feed__kernel_bytes,
			     .program_time = fake_feed__program_time};
}

#endif
