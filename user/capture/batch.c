// SPDX-License-Identifier: GPL-2.0-only
#include "capture/batch.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include "capture/capture.h"

struct kept_sample {
	struct raw_sample raw; /* holds its stacks; its process is copied to the members below */
	struct process process, waker;
	char thread[PROCESS_COMM_SIZE];
	bool has_process, has_thread, has_waker;
};

struct batch *batch__new(struct capture *capture)
{
	struct batch *batch = xcalloc(1, sizeof(*batch));

	batch->capture = capture;
	batch->start_ns = monotonic_ns();
	batch->bytes = sizeof(*batch);
	return batch;
}

void batch__free(struct batch *batch)
{
	size_t i;

	if (!batch)
		return;
	for (i = 0; i < batch->nr_events; i++)
		free((char *)batch->events[i].mapping.path);
	for (i = 0; i < batch->nr_samples; i++) {
		capture__release_stack(batch->capture, batch->samples[i].raw.user);
		capture__release_stack(batch->capture, batch->samples[i].raw.kernel);
		capture__release_stack(batch->capture, batch->samples[i].raw.waker.user);
		capture__release_stack(batch->capture, batch->samples[i].raw.waker.kernel);
	}
	free(batch->events);
	free(batch->samples);
	free(batch);
}

static void keep_event(void *context, const struct process_event *event)
{
	struct batch *batch = context;
	char *path = event->type == PROCESS_MAPPED ? xstrdup(event->mapping.path) : NULL;
	struct process_event *kept;

	array__reserve(&batch->events, &batch->events_capacity, batch->nr_events + 1);
	kept = &batch->events[batch->nr_events++];
	*kept = *event;
	kept->mapping.path = path;
	batch->bytes += sizeof(*kept) + (path ? strlen(path) : 0);
}

static size_t stack_bytes(const struct raw_stack *stack)
{
	return stack ? sizeof(*stack) + stack->nr_frames * sizeof(stack->words[0]) : 0;
}

static void keep_sample(void *context, const struct raw_sample *sample)
{
	struct batch *batch = context;
	struct kept_sample *kept;

	array__reserve(&batch->samples, &batch->samples_capacity, batch->nr_samples + 1);
	kept = &batch->samples[batch->nr_samples++];
	*kept = (struct kept_sample){.raw = *sample,
				     .has_process = sample->process != NULL,
				     .has_thread = sample->thread != NULL,
				     .has_waker = sample->waker.process != NULL};
	if (sample->process)
		kept->process = *sample->process;
	if (sample->thread)
		snprintf(kept->thread, sizeof(kept->thread), "%s", sample->thread);
	kept->raw.user = capture__hold_stack(batch->capture, sample->user);
	kept->raw.kernel = capture__hold_stack(batch->capture, sample->kernel);
	if (sample->waker.process)
		kept->waker = *sample->waker.process;
	kept->raw.waker.user = capture__hold_stack(batch->capture, sample->waker.user);
	kept->raw.waker.kernel = capture__hold_stack(batch->capture, sample->waker.kernel);
	batch->nr_drained[sample->event] += sample->count;
	batch->bytes += sizeof(*kept) + stack_bytes(sample->user) + stack_bytes(sample->kernel);
}

struct capture_sink batch__sink(struct batch *batch)
{
	return (struct capture_sink){
		.context = batch, .on_event = keep_event, .on_sample = keep_sample};
}

void batch__replay(const struct batch *batch, const struct capture_sink *sink)
{
	size_t i;

	for (i = 0; i < batch->nr_events; i++)
		sink->on_event(sink->context, &batch->events[i]);
	for (i = 0; i < batch->nr_samples; i++) {
		const struct kept_sample *kept = &batch->samples[i];
		struct raw_sample raw = kept->raw;

		raw.process = kept->has_process ? &kept->process : NULL;
		raw.thread = kept->has_thread ? kept->thread : NULL;
		raw.waker.process = kept->has_waker ? &kept->waker : NULL;
		sink->on_sample(sink->context, &raw);
	}
}

/* ---- the queue: its lock is held for no longer than it takes to link a batch ---- */

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
	size_t i;

	pthread_mutex_lock(&queue->lock);
	number = batch->number = ++queue->number;
	*queue->last = batch;
	queue->last = &batch->next;
	queue->bytes += batch->bytes;
	for (i = 0; i < ABI_MAX_EVENTS; i++)
		queue->counted[i] += batch->ledgers[i].counted;
	pthread_mutex_unlock(&queue->lock);
	eventfd_write(queue->fd, 1);
	return number;
}

uint64_t batch_queue__counted(struct batch_queue *queue, size_t event)
{
	uint64_t counted;

	pthread_mutex_lock(&queue->lock);
	counted = queue->counted[event];
	pthread_mutex_unlock(&queue->lock);
	return counted;
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
	queue->is_over = is_over;
	if (is_over)
		eventfd_write(queue->fd, 1);
}
