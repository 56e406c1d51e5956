// SPDX-License-Identifier: GPL-2.0-only
/*
 * A profiler in the design of the tutorials: take each sample out of the ring buffer as it comes,
 * count equal ones in a hash table, symbolize and print at the end.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/baseline/streaming.skel.h"
#include "names.h"
#include "records.h"
#include "sampler.h"

struct streamed_stack {
	char comm[COMM_SIZE];
	pid_t pid;
	size_t nr_user, nr_kernel;
	uint64_t count;
	hashval_t hash;
	uint64_t frames[]; /* user, then kernel */
};

struct consumer {
	htab_t stacks;
	struct names *names;
	uint64_t bytes_moved;
};

static hashval_t hash_stack(const void *entry)
{
	return ((const struct streamed_stack *)entry)->hash;
}

static int same_stack(const void *entry, const void *wanted)
{
	const struct streamed_stack *a = entry, *b = wanted;

	return a->pid == b->pid && a->nr_user == b->nr_user && a->nr_kernel == b->nr_kernel &&
	       !memcmp(a->frames, b->frames, (a->nr_user + a->nr_kernel) * sizeof(a->frames[0]));
}

static size_t frames_in(int32_t size)
{
	return size > 0 ? size / sizeof(uint64_t) : 0;
}

static struct streamed_stack *copy_record(const struct sample_record *record)
{
	size_t nr_user = frames_in(record->user_size), nr_kernel = frames_in(record->kernel_size);
	size_t frames_size = (nr_user + nr_kernel) * sizeof(uint64_t);
	struct streamed_stack *stack = malloc(sizeof(*stack) + frames_size);

	if (!stack)
		abort();
	memcpy(stack->comm, record->comm, sizeof(stack->comm));
	stack->pid = record->pid;
	stack->nr_user = nr_user;
	stack->nr_kernel = nr_kernel;
	stack->count = 0;
	memcpy(stack->frames, record->user, nr_user * sizeof(uint64_t));
	memcpy(stack->frames + nr_user, record->kernel, nr_kernel * sizeof(uint64_t));
	stack->hash = iterative_hash(stack->frames, frames_size, record->pid);
	return stack;
}

static int count_record(void *context, void *data, size_t size)
{
	struct consumer *consumer = context;
	struct streamed_stack *stack = copy_record(data);
	void **slot = htab_find_slot(consumer->stacks, stack, INSERT);

	if (!slot)
		abort();
	if (!*slot)
		*slot = stack;
	else
		free(stack);
	((struct streamed_stack *)*slot)->count++;
	consumer->bytes_moved += size;
	return 0;
}

static int print_stack(void **slot, void *context)
{
	const struct streamed_stack *stack = *slot;
	struct consumer *consumer = context;
	struct folded_stack folded = {
		.comm = stack->comm,
		.pid = stack->pid,
		.user = stack->frames,
		.nr_user = stack->nr_user,
		.kernel = stack->frames + stack->nr_user,
		.nr_kernel = stack->nr_kernel,
		.count = stack->count,
	};

	names__print_folded(consumer->names, stdout, &folded);
	return 1;
}

static struct streaming_bpf *load(const struct sampler_options *options)
{
	struct streaming_bpf *skeleton = streaming_bpf__open();

	sampler__check(skeleton ? 0 : -errno, "cannot open");
	skeleton->rodata->cfg_by_pid = options->nr_pids > 0;
	sampler__check(bpf_map__set_max_entries(skeleton->maps.ring, options->ring_bytes),
		       "cannot size the ring");
	sampler__check(streaming_bpf__load(skeleton), "cannot load");
	sampler__fill_pids(options, skeleton->maps.pids);
	return skeleton;
}

static void consume(struct ring_buffer *ring, double duration_s)
{
	double end = sampler__now() + duration_s;

	while (sampler__now() < end)
		ring_buffer__poll(ring, 100);
}

int main(int argc, char **argv)
{
	struct consumer consumer = {0};
	struct sampler_options options;
	struct streaming_bpf *skeleton;
	struct ring_buffer *ring;
	struct perf_sampler sampler;

	sampler__parse(&options, argc, argv);
	consumer.stacks = htab_try_create(1024, hash_stack, same_stack, free);
	sampler__check(consumer.stacks ? 0 : -ENOMEM, "stacks");
	skeleton = load(&options);
	ring = ring_buffer__new(bpf_map__fd(skeleton->maps.ring), count_record, &consumer, NULL);
	sampler__check(ring ? 0 : -errno, "cannot open the ring");
	sampler__start(&sampler, &options, skeleton->progs.on_streaming);
	consume(ring, options.duration_s);
	sampler__stop(&sampler);
	ring_buffer__consume(ring);

	consumer.names = names__new();
	htab_traverse(consumer.stacks, print_stack, &consumer);
	sampler__report(skeleton->maps.account, consumer.bytes_moved);
	names__free(consumer.names);
	htab_delete(consumer.stacks);
	ring_buffer__free(ring);
	streaming_bpf__destroy(skeleton);
	return 0;
}
