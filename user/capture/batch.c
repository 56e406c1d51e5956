// SPDX-License-Identifier: GPL-2.0-only
#include "capture/batch.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <libiberty/objalloc.h>

#include "capture/capture.h"
#include "capture/kernel/raw_stacks.h"

#define BLOCK_SAMPLES 128

/* Samples are in blocks, so that nothing moves when there are more. */
struct kept_samples {
	struct kept_samples *next;
	size_t nr;
	struct raw_sample samples[BLOCK_SAMPLES]; /* hold their stacks */
};

struct batch *batch__new(struct capture *capture)
{
	struct batch *batch = xcalloc(1, sizeof(*batch));

	batch->capture = capture;
	batch->bytes = sizeof(*batch);
	batch->max_bytes = SIZE_MAX;
	return batch;
}

void batch__free(struct batch *batch)
{
	if (!batch)
		return;
	for (const struct kept_samples *block = batch->samples; block; block = block->next)
		for (size_t i = 0; i < block->nr; i++) {
			const struct raw_sample *sample = &block->samples[i];

			capture__release_stack(batch->capture, sample->user);
			capture__release_stack(batch->capture, sample->kernel);
			capture__release_stack(batch->capture, sample->waker.user);
			capture__release_stack(batch->capture, sample->waker.kernel);
		}
	if (batch->arena)
		objalloc_free(batch->arena);
	free(batch->events);
	free(batch);
}

static void *keep(struct batch *batch, const void *bytes, size_t nr_bytes)
{
	batch->bytes += nr_bytes;
	return memcpy(xobjalloc(&batch->arena, nr_bytes), bytes, nr_bytes);
}

static void keep_event(void *context, const struct process_event *event)
{
	const struct process_event lost = {.type = PROCESS_RECORDS_LOST, .time_ns = event->time_ns};
	struct batch *batch = context;
	struct process_event *kept;

	if (batch__is_full(batch)) {
		for (size_t i = 0; i < ABI_MAX_EVENTS; i++)
			batch->ledgers[i].records_lost++;
		event = &lost;
		kept = batch->nr_events ? &batch->events[batch->nr_events - 1] : NULL;
		if (kept && kept->type == PROCESS_RECORDS_LOST) {
			*kept = lost;
			return;
		}
	}
	array__reserve(&batch->events, &batch->events_capacity, batch->nr_events + 1);
	kept = &batch->events[batch->nr_events++];
	*kept = *event;
	kept->mapping.path = NULL;
	if (event->type == PROCESS_MAPPED)
		kept->mapping.path =
			keep(batch, event->mapping.path, strlen(event->mapping.path) + 1);
	batch->bytes += sizeof(*kept);
}

static const struct process *keep_process(struct batch *batch, const struct process *process)
{
	const struct process **last;

	if (!process)
		return NULL;
	last = &batch->processes[process->instance % BATCH_PROCESSES];
	if (!*last || memcmp(*last, process, sizeof(*process)) != 0)
		*last = keep(batch, process, sizeof(*process));
	return *last;
}

/* Holds the stack. Returns the bytes that it takes. */
static size_t hold_stack(const struct raw_stack *stack)
{
	raw_stacks__hold(stack);
	return stack ? sizeof(*stack) + stack->nr_frames * sizeof(stack->words[0]) : 0;
}

/* The part of a sample that a full batch keeps: no memory of its own, but for the idle task. */
static struct raw_sample without_names(const struct raw_sample *sample)
{
	const bool is_idle = sample->process && sample->process->instance == 0;

	return (struct raw_sample){
		.event = sample->event,
		.process = is_idle ? sample->process : NULL,
		.kernel = is_idle ? sample->kernel : NULL,
		.wait = sample->wait,
		.slice = sample->slice,
		.missing = is_idle || sample->missing >= 0 ? sample->missing : MISSING_UNNAMED,
		.count = sample->count,
		.weight = sample->weight,
	};
}

static struct raw_sample *find_sum(const struct batch *batch, const struct raw_sample *like)
{
	for (struct kept_samples *block = batch->sums; block; block = block->next)
		for (size_t i = 0; i < block->nr; i++) {
			struct raw_sample *sum = &block->samples[i];

			if (sum->event == like->event && sum->wait == like->wait &&
			    sum->slice == like->slice && sum->missing == like->missing &&
			    sum->kernel == like->kernel && !sum->process == !like->process)
				return sum;
		}
	return NULL;
}

static void keep_sample(void *context, const struct raw_sample *sample)
{
	struct batch *batch = context;
	struct kept_samples *block = batch->last_samples;
	const bool begins_sums = batch__is_full(batch) && !batch->sums;
	struct raw_sample *kept, bare;

	batch->nr_drained[sample->event] += sample->count;
	if (batch__is_full(batch)) {
		bare = without_names(sample);
		if (bare.missing == MISSING_UNNAMED)
			batch->ledgers[bare.event].missing[MISSING_UNNAMED] += bare.count;
		kept = find_sum(batch, &bare);
		if (kept) {
			kept->count += bare.count;
			kept->weight += bare.weight;
			return;
		}
		sample = &bare;
	}
	if (!block || block->nr == BLOCK_SAMPLES || begins_sums) {
		block = xobjalloc(&batch->arena, sizeof(*block));
		block->next = NULL;
		block->nr = 0;
		*(batch->last_samples ? &batch->last_samples->next : &batch->samples) = block;
		batch->last_samples = block;
		if (begins_sums)
			batch->sums = block;
	}
	kept = &block->samples[block->nr++];
	*kept = *sample;
	kept->process = keep_process(batch, sample->process);
	kept->waker.process = keep_process(batch, sample->waker.process);
	if (sample->thread)
		kept->thread = keep(batch, sample->thread, strlen(sample->thread) + 1);
	batch->bytes += sizeof(*kept) + hold_stack(sample->user) + hold_stack(sample->kernel) +
			hold_stack(sample->waker.user) + hold_stack(sample->waker.kernel);
}

struct capture_sink batch__sink(struct batch *batch)
{
	return (struct capture_sink){
		.context = batch, .on_event = keep_event, .on_sample = keep_sample};
}

void batch__replay(const struct batch *batch, const struct capture_sink *sink)
{
	for (size_t i = 0; i < batch->nr_events; i++)
		sink->on_event(sink->context, &batch->events[i]);
	for (const struct kept_samples *block = batch->samples; block; block = block->next)
		for (size_t i = 0; i < block->nr; i++)
			sink->on_sample(sink->context, &block->samples[i]);
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
