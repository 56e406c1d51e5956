// SPDX-License-Identifier: GPL-2.0-only
#include "expect.h"

#include <stdio.h>
#include <string.h>

#include "capture/batch.h"
#include "capture/kernel/raw_stacks.h"
#include "capture/session.h"

static const uint64_t words[] = {1, 2, 3};

/* A replay's events, in one line, and its samples. */
struct heard {
	char words[256];
	uint64_t count;
	uint64_t stack_id;
};

static void hear_event(void *context, const struct process_event *event)
{
	struct heard *heard = context;
	size_t length = strlen(heard->words);

	snprintf(heard->words + length, sizeof(heard->words) - length, "%d:%d%s ", event->pid,
		 event->type, event->type == PROCESS_MAPPED ? event->mapping.path : "");
}

static void hear_sample(void *context, const struct raw_sample *sample)
{
	struct heard *heard = context;
	size_t length = strlen(heard->words);

	snprintf(heard->words + length, sizeof(heard->words) - length, "%s%s%s*%d ",
		 sample->process ? sample->process->comm : "?", sample->thread ? "/" : "",
		 sample->thread ? sample->thread : "", (int)sample->count);
	heard->count += sample->count;
	if (sample->user)
		heard->stack_id = sample->user->id;
}

static struct heard replay(const struct batch *batch)
{
	struct heard heard = {0};
	struct capture_sink sink = {&heard, hear_event, hear_sample};

	batch__replay(batch, &sink);
	return heard;
}

/* The events and samples are local: the batch uses nothing of them after the call. */
static void fill(struct batch *batch, const struct raw_stack *stack)
{
	struct capture_sink sink = batch__sink(batch);
	char path[] = "/lib/a.so";
	struct process_event forked = {.type = PROCESS_FORKED, .pid = 7};
	struct process_event mapped = {.type = PROCESS_MAPPED, .pid = 8, .mapping = {.path = path}};
	char thread[] = "bio_lazy_free";
	struct process process = {.comm = "redis"};
	struct raw_sample named = {.process = &process,
				   .tid = 9,
				   .thread = thread,
				   .user = stack,
				   .missing = -1,
				   .count = 3};
	struct raw_sample unnamed = {.missing = MISSING_SPILL_FULL, .count = 2};

	sink.on_event(sink.context, &forked);
	sink.on_event(sink.context, &mapped);
	sink.on_sample(sink.context, &named);
	sink.on_sample(sink.context, &unnamed);
	memset(path, 'x', sizeof(path) - 1);
	memset(&process, 'x', sizeof(process));
	memset(thread, 'x', sizeof(thread) - 1);
}

/*
 * A full batch: whatever comes, it takes no more, and all counts are there. The idle task keeps the
 * stack that tells idling from work.
 */
static void test_full(void)
{
	struct capture capture = {.generations.tables.raw_stacks = raw_stacks__new(NULL)};
	struct raw_stacks *stacks = capture.generations.tables.raw_stacks;
	struct batch *batch = batch__new(&capture);
	struct capture_sink sink = batch__sink(batch);
	const struct process_event exited = {.type = PROCESS_EXITED, .pid = 9};
	uint64_t ids[4] = {1, 2, 3, 4};
	struct process process = {.instance = 5, .comm = "many"}, idle = {.comm = "swapper"};
	struct raw_stack *idling = raw_stacks__get(stacks, words, 3, END_WHOLE);
	size_t nr_bytes = 0;

	fill(batch, NULL);
	batch->max_bytes = batch->bytes - 1;
	for (uint64_t i = 0; i < 10000; i++) {
		struct raw_stack *stack = raw_stacks__get(stacks, ids, 4, END_WHOLE);
		const struct raw_sample new = {.process = &process,
					       .user = stack,
					       .tid = (int)i,
					       .wait = i % 2,
					       .missing = -1,
					       .count = 1,
					       .weight = 3};
		const struct raw_sample rest = {
			.process = &idle, .kernel = idling, .missing = -1, .count = 2, .weight = 2};
		const struct raw_sample lost = {
			.process = &process, .missing = MISSING_BUSY, .count = 4};

		sink.on_event(sink.context, &exited);
		sink.on_sample(sink.context, &new);
		sink.on_sample(sink.context, &rest);
		sink.on_sample(sink.context, &lost);
		raw_stacks__put(stacks, stack);
		process.instance = 5 + ++ids[0];
		idle.seen_ns++;
		if (i == 10)
			nr_bytes = batch->bytes;
	}
	EXPECT_STR(replay(batch).words, "7:0 8:2/lib/a.so 0:4 redis/bio_lazy_free*3 ?*2 "
					"?*5000 swapper*20000 ?*40000 ?*5000 ");
	EXPECT_EQ(replay(batch).count, 70005);
	EXPECT_EQ(batch->nr_drained[0], 70005);
	EXPECT_EQ(batch->bytes, nr_bytes);
	EXPECT_EQ(batch->ledgers[0].missing[MISSING_UNNAMED], 10000);
	EXPECT_EQ(batch->ledgers[0].records_lost, 10000);
	raw_stacks__put(stacks, idling);
	batch__free(batch);
	raw_stacks__free(stacks);
}

static void test_replay(void)
{
	struct capture capture = {.generations.tables.raw_stacks = raw_stacks__new(NULL)};
	struct batch *batch = batch__new(&capture);
	struct heard heard;

	EXPECT_STR(replay(batch).words, "");
	fill(batch, NULL);
	heard = replay(batch);
	EXPECT_STR(heard.words, "7:0 8:2/lib/a.so redis/bio_lazy_free*3 ?*2 ");
	EXPECT_EQ(heard.count, 5);
	EXPECT_EQ(batch->nr_drained[0], 5);
	EXPECT_STR(replay(batch).words, heard.words);
	batch__free(batch);
	batch__free(NULL);
	raw_stacks__free(capture.generations.tables.raw_stacks);
}

/* The set that had the stack may be gone when its samples are named. */
static void test_stacks_are_held(void)
{
	struct raw_stacks *stacks = raw_stacks__new(NULL);
	struct capture capture = {.generations.tables.raw_stacks = stacks};
	struct batch *batch = batch__new(&capture);
	struct raw_stack *stack = raw_stacks__get(stacks, words, 3, END_WHOLE);
	uint64_t id = stack->id;

	fill(batch, stack);
	raw_stacks__put(stacks, stack);
	EXPECT_EQ(replay(batch).stack_id, id);
	EXPECT_EQ(raw_stacks__get(stacks, words, 3, END_WHOLE)->id, id);
	raw_stacks__put(stacks, stack);
	batch__free(batch);
	EXPECT(raw_stacks__get(stacks, words, 3, END_WHOLE)->id != id);
	raw_stacks__free(stacks);
}

/* A queue bounds the waiting batches by their bytes, so that a batch counts all of its bytes. */
static void test_bytes(void)
{
	struct capture capture = {.generations.tables.raw_stacks = raw_stacks__new(NULL)};
	struct raw_stack *stack =
		raw_stacks__get(capture.generations.tables.raw_stacks, words, 3, END_WHOLE);
	struct batch *batch = batch__new(&capture);
	size_t empty = batch->bytes, filled;
	int i;

	fill(batch, stack);
	filled = batch->bytes;
	EXPECT(filled - empty >= 2 * sizeof(struct raw_sample) + sizeof(words));
	for (i = 0; i < 99; i++)
		fill(batch, stack);
	/* the process of each sample is the same, and kept once */
	EXPECT(batch->bytes - empty >= 100 * (2 * sizeof(struct raw_sample) + sizeof(words)));
	EXPECT(batch->bytes - empty < 100 * (filled - empty));
	EXPECT_EQ(replay(batch).count, 500);
	batch__free(batch);
	raw_stacks__free(capture.generations.tables.raw_stacks);
}

int main(void)
{
	static const struct test tests[] = {
		{"what was kept comes back", test_replay},
		{"stacks are held", test_stacks_are_held},
		{"its bytes are known", test_bytes},
		{"beyond its bound it only counts", test_full},
		{0},
	};

	return run_tests("batch", tests);
}
