/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sampler that the test is: no kernel, no rights. Its functions stand in for those of
 * run/sampler.c.
 */
#ifndef TOPSTACKS_TESTS_FAKE_SAMPLER_H
#define TOPSTACKS_TESTS_FAKE_SAMPLER_H

#include <errno.h>

#include "capture/batch.h"
#include "capture/events/source.h"
#include "capture/kernel/raw_stacks.h"
#include "capture/session.h"
#include "expect.h"
#include "raw_samples.h"
#include "run/recorder.h"
#include "run/sampler.h"

#define MS     1000000ULL
#define SECOND (1000 * MS)

struct fake_sampler {
	struct symbols *symbols; /* borrowed */
	struct events events;	 /* one; a test may add others */
	struct capture capture;
	struct batch_queue queue;
	uint64_t started_ns, cut_ns, cut_number, end_ns;
	uint64_t last_number; /* of the batch that ended sampling; 0: it goes on */
	struct pace pace;     /* of the last drain that changed it */
	uint64_t program_ns;  /* that the program in the kernel took so far */
	unsigned int nr_drains;
	void (*on_drain)(struct fake_sampler *sampler,
			 struct batch *batch); /* the test's samples of this drain, or NULL */
	bool is_stopped;
};

static const struct source fake_source;

static inline void fake_sampler__open(struct fake_sampler *sampler, struct symbols *symbols)
{
	*sampler = (struct fake_sampler){
		.symbols = symbols,
		.events = {.nr = 1,
			   .list = {{.source = &fake_source,
				     .name = (char *)"fake",
				     .has_rate = true,
				     .metrics.of = {{"samples", "count", .is_events = true},
						    {"cpu", "nanoseconds"}}}}}};
	EXPECT_EQ(batch_queue__open(&sampler->queue, NULL), 0);
	sampler->capture.generations.tables.raw_stacks = raw_stacks__new(NULL);
}

/* The consumer of the queue has to be closed before. */
static inline void fake_sampler__close(struct fake_sampler *sampler)
{
	batch_queue__close(&sampler->queue);
	raw_stacks__free(sampler->capture.generations.tables.raw_stacks);
}

/* Adds samples of a stack, leaf first and ended by 0, and counts them. */
static inline void fake_sampler__add(struct fake_sampler *sampler, struct batch *batch,
				     const struct raw_sample *like, const uint64_t *words,
				     enum stack_end end)
{
	struct capture_sink sink = batch__sink(batch);
	struct raw_stacks *stacks = sampler->capture.generations.tables.raw_stacks;
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

static inline void fake_sampler__fail(struct fake_sampler *sampler)
{
	struct error err;

	error__set(&err, EXIT_INTERNAL, -EIO, "cannot drain");
	batch_queue__fail(&sampler->queue, &err);
}

/* ---- what the recorder calls ---- */

static struct fake_sampler *fake(const struct sampler *sampler)
{
	return (struct fake_sampler *)sampler;
}

int sampler__start(struct sampler *sampler, struct batch_queue **queue, uint64_t *begin_ns,
		   struct error *err)
{
	(void)err;
	*begin_ns = fake(sampler)->started_ns = monotonic_ns();
	*queue = &fake(sampler)->queue;
	return 0;
}

int sampler__drain(struct sampler *sampler, enum drain_moment moment, const struct pace *pace,
		   uint64_t *number, struct error *err)
{
	struct batch *batch;

	(void)moment;
	if (fake(sampler)->last_number) {
		*number = fake(sampler)->last_number;
		return 0;
	}
	fake(sampler)->nr_drains++;
	if (pace)
		fake(sampler)->pace = *pace;
	if (fake(sampler)->queue.failure.code)
		return batch_queue__failure(&fake(sampler)->queue, err);
	batch = batch__new(&fake(sampler)->capture);
	batch->end_ns = monotonic_ns();
	if (fake(sampler)->on_drain)
		fake(sampler)->on_drain(fake(sampler), batch);
	*number = batch_queue__push(&fake(sampler)->queue, batch);
	return 0;
}

void sampler__cut_at(struct sampler *sampler, uint64_t then_ns)
{
	fake(sampler)->cut_ns = then_ns;
	fake(sampler)->cut_number = 0;
}

void sampler__end_at(struct sampler *sampler, uint64_t end_ns)
{
	fake(sampler)->end_ns = end_ns;
}

bool sampler__was_cut(struct sampler *sampler, uint64_t *number)
{
	*number = fake(sampler)->cut_number;
	return *number != 0;
}

void sampler__stop(struct sampler *sampler)
{
	fake(sampler)->is_stopped = true;
}

void sampler__facts(struct sampler *sampler, struct capture_facts *facts)
{
	*facts = (struct capture_facts){
		.events = &fake(sampler)->events, .unwinding = "by heart", .nr_cpus = 2};
}

const struct events *sampler__events(const struct sampler *sampler)
{
	return &fake(sampler)->events;
}

size_t sampler__kernel_bytes(struct sampler *sampler)
{
	(void)sampler;
	return 4096;
}

void sampler__program_time(struct sampler *sampler, uint64_t *nr_runs, uint64_t *run_ns)
{
	*nr_runs = 0;
	*run_ns = fake(sampler)->program_ns;
}

struct symbols *sampler__symbols(struct sampler *sampler)
{
	return fake(sampler)->symbols;
}

unsigned int sampler__max_depth(const struct sampler *sampler)
{
	(void)sampler;
	return 127;
}

#endif
