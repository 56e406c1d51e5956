// SPDX-License-Identifier: GPL-2.0-only
#include "expect.h"

#include <errno.h>
#include <poll.h>

#include "capture/batch.h"

static bool is_readable(const struct batch_queue *queue)
{
	struct pollfd wanted = {.fd = queue->fd, .events = POLLIN};

	return poll(&wanted, 1, 0) == 1;
}

static void test_order(void)
{
	struct batch_queue queue;
	struct error err = {0};
	struct batch *first;

	EXPECT_EQ(batch_queue__open(&queue, &err), 0);
	EXPECT(!is_readable(&queue));
	EXPECT_EQ(batch_queue__push(&queue, batch__new(NULL)), 1);
	EXPECT_EQ(batch_queue__push(&queue, batch__new(NULL)), 2);
	EXPECT(queue.bytes > 0);
	first = batch_queue__take(&queue);
	EXPECT_EQ(first->number, 1);
	EXPECT(is_readable(&queue));
	batch__free(first);
	batch__free(batch_queue__take(&queue));
	EXPECT(!is_readable(&queue));
	EXPECT_EQ(queue.bytes, 0);
	EXPECT(batch_queue__take(&queue) == NULL);
	EXPECT_EQ(batch_queue__push(&queue, batch__new(NULL)), 3);
	batch_queue__close(&queue);
}

/* Both rang before anybody listened: who takes the batch has not heard of the failure. */
static void test_failure_behind_a_batch(void)
{
	struct error failure = {.code = -EIO, .text = "cannot read"}, err = {0};
	struct batch_queue queue;

	batch_queue__open(&queue, &err);
	batch_queue__push(&queue, batch__new(NULL));
	batch_queue__fail(&queue, &failure);
	batch__free(batch_queue__take(&queue));
	EXPECT(is_readable(&queue));
	EXPECT(batch_queue__take(&queue) == NULL);
	EXPECT_EQ(batch_queue__failure(&queue, &err), -EIO);
	EXPECT_STR(err.text, "cannot read");
	batch_queue__take(&queue);
	EXPECT(!is_readable(&queue)); /* it was told */
	batch_queue__close(&queue);
}

static void test_over(void)
{
	struct batch_queue queue;
	struct error err = {0};

	batch_queue__open(&queue, &err);
	batch_queue__set_over(&queue, false);
	EXPECT(!is_readable(&queue) && !queue.is_over);
	batch_queue__set_over(&queue, true);
	EXPECT(is_readable(&queue) && queue.is_over);
	EXPECT_EQ(batch_queue__failure(&queue, &err), 0);
	batch_queue__close(&queue);
}

/* A sample counts from the time when it is pushed, also once its batch is taken. */
static void test_counts(void)
{
	static const uint64_t counts[] = {3, 40};
	struct batch_queue queue;
	struct error err = {0};

	batch_queue__open(&queue, &err);
	EXPECT_EQ(batch_queue__counted(&queue, 0), 0);
	for (int i = 0; i < 2; i++) {
		struct batch *batch = batch__new(NULL);

		batch->ledgers[0].counted = counts[i];
		batch->ledgers[1].counted = 5;
		batch_queue__push(&queue, batch);
	}
	EXPECT_EQ(batch_queue__counted(&queue, 0), 43);
	EXPECT_EQ(batch_queue__counted(&queue, 1), 10);
	batch__free(batch_queue__take(&queue));
	EXPECT_EQ(batch_queue__counted(&queue, 0), 43);
	batch_queue__close(&queue);
}

int main(void)
{
	static const struct test tests[] = {
		{"batches come in order", test_order},
		{"a failure behind a batch is heard", test_failure_behind_a_batch},
		{"the end is told", test_over},
		{"samples are counted as they are pushed", test_counts},
		{0},
	};

	return run_tests("batch_queue", tests);
}
