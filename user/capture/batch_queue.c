// SPDX-License-Identifier: GPL-2.0-only
/* The lock is held for no longer than it takes to link a batch. */
#include "capture/batch_queue.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "capture/batch.h"

int batch_queue__open(struct batch_queue *queue, struct error *err)
{
	*queue = (struct batch_queue){.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
	queue->last = &queue->first;
	pthread_mutex_init(&queue->lock, NULL);
	if (queue->fd < 0)
		return error__set(err, EXIT_INTERNAL, -errno, "cannot create an event descriptor");
	return 0;
}

void batch_queue__close(struct batch_queue *queue)
{
	struct batch *batch;

	while ((batch = batch_queue__take(queue)))
		batch__free(batch);
	if (queue->fd >= 0)
		close(queue->fd);
	pthread_mutex_destroy(&queue->lock);
}

uint64_t batch_queue__push(struct batch_queue *queue, struct batch *batch)
{
	uint64_t number;

	pthread_mutex_lock(&queue->lock);
	number = batch->number = ++queue->number;
	*queue->last = batch;
	queue->last = &batch->next;
	queue->bytes += batch->bytes;
	pthread_mutex_unlock(&queue->lock);
	eventfd_write(queue->fd, 1);
	return number;
}

struct batch *batch_queue__take(struct batch_queue *queue)
{
	struct batch *batch;
	eventfd_t count;

	eventfd_read(queue->fd, &count);
	pthread_mutex_lock(&queue->lock);
	batch = queue->first;
	if (batch) {
		queue->first = batch->next;
		queue->bytes -= batch->bytes;
	}
	if (!queue->first)
		queue->last = &queue->first;
	if (queue->first || (queue->failure.code && !queue->is_failure_told))
		eventfd_write(queue->fd, 1);
	pthread_mutex_unlock(&queue->lock);
	return batch;
}

size_t batch_queue__bytes(struct batch_queue *queue)
{
	size_t bytes;

	pthread_mutex_lock(&queue->lock);
	bytes = queue->bytes;
	pthread_mutex_unlock(&queue->lock);
	return bytes;
}

void batch_queue__fail(struct batch_queue *queue, const struct error *err)
{
	pthread_mutex_lock(&queue->lock);
	queue->failure = *err;
	pthread_mutex_unlock(&queue->lock);
	eventfd_write(queue->fd, 1);
}

int batch_queue__failure(struct batch_queue *queue, struct error *err)
{
	int code;

	pthread_mutex_lock(&queue->lock);
	code = queue->failure.code;
	if (code)
		*err = queue->failure;
	queue->is_failure_told = code != 0;
	pthread_mutex_unlock(&queue->lock);
	return code;
}

void batch_queue__set_over(struct batch_queue *queue, bool is_over)
{
	pthread_mutex_lock(&queue->lock);
	queue->is_over = is_over;
	pthread_mutex_unlock(&queue->lock);
	if (is_over)
		eventfd_write(queue->fd, 1);
}

bool batch_queue__is_over(struct batch_queue *queue)
{
	bool is_over;

	pthread_mutex_lock(&queue->lock);
	is_over = queue->is_over;
	pthread_mutex_unlock(&queue->lock);
	return is_over;
}
