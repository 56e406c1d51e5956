// SPDX-License-Identifier: GPL-2.0-only
#include "capture/kernel/live_blocks.h"

#include <bpf/bpf.h>

#include "base/system/rights.h"
#include "capture/events/sample.h"
#include "capture/kernel/sets.h"
#include "processes/process.h"
#include "profile/ledger.h"
#include "topstacks/abi.h"

#define BATCH 4096 /* blocks read in one call; no bucket of the map has more */

/* An image of a process that has blocks. */
struct live_image {
	struct map_number instance;
	struct process process;
	bool has_ended;
};

/* The end of an image: the process exited or executed another program. */
struct image_end {
	int32_t pid;
	uint64_t time_ns;
};

struct live_blocks {
	int map;
	unsigned int event;
	struct map images;
	struct image_end *ends; /* since the last drain */
	size_t nr_ends, ends_capacity;
	struct live_key *keys; /* the blocks last read */
	struct live_block *blocks;
	size_t nr, capacity;
};

struct live_blocks *live_blocks__new(int map, unsigned int event)
{
	struct live_blocks *blocks = xcalloc(1, sizeof(*blocks));

	blocks->map = map;
	blocks->event = event;
	map__init_numbers(&blocks->images, free);
	return blocks;
}

void live_blocks__free(struct live_blocks *blocks)
{
	if (!blocks)
		return;
	map__fini(&blocks->images);
	free(blocks->ends);
	free(blocks->keys);
	free(blocks->blocks);
	free(blocks);
}

/* ---- images ---- */

void live_blocks__observe(struct live_blocks *blocks, const struct process_event *event)
{
	if (event->type != PROCESS_EXECED && event->type != PROCESS_EXITED)
		return;
	array__reserve(&blocks->ends, &blocks->ends_capacity, blocks->nr_ends + 1);
	blocks->ends[blocks->nr_ends++] = (struct image_end){event->pid, event->time_ns};
}

/* Returns the image of an instance. NULL: not known yet. */
static const struct live_image *find_image(struct live_blocks *blocks, struct set *set,
					   uint64_t instance)
{
	struct live_image *image = map__find_number(&blocks->images, instance);
	const struct process *process;

	if (image)
		return image;
	process = set__find_process(set, instance);
	if (!process)
		return NULL;
	image = map__add_number(&blocks->images, instance, sizeof(*image));
	image->process = *process;
	return image;
}

static bool note_end(void *item, void *context)
{
	const struct image_end *end = context;
	struct live_image *image = item;

	image->has_ended |= image->process.pid == end->pid && image->process.seen_ns < end->time_ns;
	return false;
}

static bool has_ended(void *item, void *context)
{
	(void)context;
	return ((struct live_image *)item)->has_ended;
}

/* ---- reading ---- */

/* Reads the next batch; token is the kernel's position. -ENOENT: that was the last. */
static int read_batch(struct live_blocks *blocks, uint32_t *token, bool is_first)
{
	const size_t capacity = 2 * (blocks->nr + BATCH);
	struct live_block *values;
	struct live_key *keys;
	uint32_t nr = BATCH;
	int code;

	if (blocks->nr + BATCH > blocks->capacity) {
		keys = reallocarray(blocks->keys, capacity, sizeof(*keys));
		if (keys)
			blocks->keys = keys;
		values = reallocarray(blocks->blocks, capacity, sizeof(*values));
		if (values)
			blocks->blocks = values;
		if (!keys || !values)
			return -ENOMEM;
		blocks->capacity = capacity;
	}
	code = bpf_map_lookup_batch(blocks->map, is_first ? NULL : token, token,
				    blocks->keys + blocks->nr, blocks->blocks + blocks->nr, &nr,
				    NULL);
	if (!code || code == -ENOENT)
		blocks->nr += nr;
	return code;
}

/* ---- reporting ---- */

/*
 * Keeps the blocks that can be named. Process and stack of a block are looked up in each drain, so
 * that the next one still knows them. A block that came after the end of the generation has a stack
 * that is not drained yet: it waits for the next drain. Returns the number of blocks kept.
 */
static size_t name_all(struct live_blocks *blocks, struct set *set, uint32_t generation)
{
	size_t nr = 0, i;

	for (i = 0; i < blocks->nr; i++) {
		const struct live_block *block = &blocks->blocks[i];
		int missing = -1;

		if ((!find_image(blocks, set, block->process) ||
		     (!set__find_stack(set, block->user, &missing) && missing >= 0)) &&
		    block->generation != generation)
			continue;
		blocks->keys[nr] = blocks->keys[i];
		blocks->blocks[nr++] = *block;
	}
	return nr;
}

static int compare(const void *a, const void *b)
{
	const struct live_block *one = a, *other = b;

	if (one->process != other->process)
		return one->process < other->process ? -1 : 1;
	return (one->user > other->user) - (one->user < other->user);
}

static void tell(struct live_blocks *blocks, struct set *set, const struct live_block *sum,
		 const struct capture_sink *sink, struct ledger *ledger)
{
	const struct live_image *image = find_image(blocks, set, sum->process);
	struct raw_sample sample = {
		.event = blocks->event,
		.process = image ? &image->process : NULL,
		.missing = -1,
		.count = sum->blocks,
		.weight = sum->bytes,
	};

	sample.user = set__find_stack(set, sum->user, &sample.missing);
	if (sample.missing >= 0)
		ledger->missing[sample.missing] += sample.count;
	if (!sample.process)
		ledger->processes_unnamed += sample.count;
	ledger->events += sample.count;
	ledger->counted += sample.count;
	ledger->sampled_ns = sum_of(ledger->sampled_ns, sample.weight);
	sink->on_sample(sink->context, &sample);
}

/* Reports the sum of the blocks of each stack. */
static void tell_all(struct live_blocks *blocks, struct set *set, const struct capture_sink *sink,
		     struct ledger *ledger)
{
	size_t i, end;

	if (blocks->nr)
		qsort(blocks->blocks, blocks->nr, sizeof(*blocks->blocks), compare);
	for (i = 0; i < blocks->nr; i = end) {
		struct live_block sum = blocks->blocks[i];

		for (end = i + 1; end < blocks->nr && !compare(&sum, &blocks->blocks[end]); end++) {
			sum.blocks = sum_of(sum.blocks, blocks->blocks[end].blocks);
			sum.bytes = sum_of(sum.bytes, blocks->blocks[end].bytes);
		}
		tell(blocks, set, &sum, sink, ledger);
	}
}

static bool is_of_ended(const struct live_blocks *blocks, const struct live_block *block)
{
	const struct live_image *image = map__find_number(&blocks->images, block->process);

	return image && image->has_ended;
}

int live_blocks__hand_over(struct live_blocks *blocks, struct set *set, uint32_t generation,
			   enum drain_moment moment, const struct capture_sink *sink,
			   struct ledger *ledger)
{
	uint64_t before;
	uint32_t token = 0;
	size_t nr = 0, i;
	int code;

	if (!set__is_open(set))
		return 0;
	before = rights__raise(RIGHTS_TO_SAMPLE);
	blocks->nr = 0;
	code = read_batch(blocks, &token, true);
	while (!code)
		code = read_batch(blocks, &token, false);
	rights__restore(before);
	if (code != -ENOENT)
		return code;
	blocks->nr = name_all(blocks, set, generation);
	if (moment == DRAIN_AFTER_END)
		return 0;

	for (i = 0; i < blocks->nr_ends; i++)
		map__visit(&blocks->images, note_end, &blocks->ends[i]);
	blocks->nr_ends = 0;

	/* Blocks of ended processes leave the map; they are told now, while they have names. */
	before = rights__raise(RIGHTS_TO_SAMPLE);
	for (i = 0; i < blocks->nr; i++)
		if (is_of_ended(blocks, &blocks->blocks[i]))
			bpf_map_delete_elem(blocks->map, &blocks->keys[i]);
	rights__restore(before);
	if (moment == DRAIN_MIDDLE) {
		for (i = 0; i < blocks->nr; i++)
			if (is_of_ended(blocks, &blocks->blocks[i]))
				blocks->blocks[nr++] = blocks->blocks[i];
		blocks->nr = nr;
	}
	tell_all(blocks, set, sink, ledger);
	map__visit(&blocks->images, has_ended, NULL);
	return 0;
}
