// SPDX-License-Identifier: GPL-2.0-only
#include "commands/namer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/hashtab.h>

#include "base/clock.h"
#include "symbols/interrupts.h"
#include "topstacks/capture.h"
#include "topstacks/profile.h"
#include "topstacks/symbols.h"

/* Beyond so many the cache begins anew: names are found again, nothing is lost. */
#define MAX_CACHED 65536

/* One side (user or kernel) of a stack, named. */
struct side {
	uint64_t instance; /* 0 for the kernel side, which is the same for everyone */
	uint64_t image_version;
	uint64_t raw_id;
	enum stack_quality quality;
	bool in_interrupt; /* passes an entry from an interrupt, or softirq work */
	uint32_t nr_frames;
	uint32_t frames[]; /* in the dictionary, leaf first */
};

struct namer {
	struct symbols *symbols;
	struct dictionary *dictionary;
	unsigned int max_depth;
	htab_t sides;
	uint64_t time_ns; /* spent in the symbols module */
	uint32_t *joined; /* room for both sides */
};

static hashval_t hash_side(uint64_t instance, uint64_t raw_id)
{
	return (hashval_t)(instance ^ (instance >> 32) ^ (raw_id * 0x9e3779b1U));
}

static hashval_t hash_of(const void *entry)
{
	const struct side *side = entry;

	return hash_side(side->instance, side->raw_id);
}

static int is_same(const void *entry, const void *key)
{
	const struct side *side = entry, *wanted = key;

	return side->instance == wanted->instance && side->raw_id == wanted->raw_id &&
	       side->image_version == wanted->image_version;
}

struct namer *namer__new(struct symbols *symbols, struct dictionary *dictionary,
			 unsigned int max_depth)
{
	struct namer *namer = calloc(1, sizeof(*namer));

	if (!namer)
		return NULL;
	namer->symbols = symbols;
	namer->dictionary = dictionary;
	namer->max_depth = max_depth;
	namer->joined = calloc(2 * (size_t)max_depth + 1, sizeof(*namer->joined));
	namer->sides = htab_try_create(1024, hash_of, is_same, free);
	if (!namer->joined || !namer->sides) {
		namer__free(namer);
		return NULL;
	}
	return namer;
}

void namer__free(struct namer *namer)
{
	if (!namer)
		return;
	if (namer->sides)
		htab_delete(namer->sides);
	free(namer->joined);
	free(namer);
}

void namer__use(struct namer *namer, struct dictionary *dictionary)
{
	htab_empty(namer->sides);
	namer->dictionary = dictionary;
}

static int name_frames(struct namer *namer, struct side *side, const struct raw_stack *raw,
		       struct image *image, bool kernel)
{
	struct frame frame = {0};
	uint32_t i;

	for (i = 0; i < raw->nr_frames; i++) {
		if (kernel)
			symbols__resolve_kernel(namer->symbols, raw->addresses[i], i > 0, &frame);
		else
			symbols__resolve(namer->symbols, image, raw->addresses[i], i > 0, &frame);
		if (!kernel && image && i > 0 && !frame.module)
			break; /* no code is there: what the frame pointer led to was no caller */
		side->frames[i] = dictionary__add_frame(namer->dictionary, &frame);
		if (side->frames[i] == ID_NONE)
			return -ENOMEM;
		side->in_interrupt |= kernel && interrupt__is_entry(frame.function);
	}
	side->nr_frames = i;
	if (frame.root)
		side->quality = STACK_WHOLE;
	else
		side->quality = i >= namer->max_depth ? STACK_TRUNCATED : STACK_UNVERIFIED;
	return 0;
}

static const struct side *name_side(struct namer *namer, const struct raw_stack *raw,
				    const struct process *process, bool kernel)
{
	struct side key = {.raw_id = raw->id};
	struct image *image = NULL;
	uint64_t start_ns;
	struct side *side;
	void **slot;
	int failed;

	if (!kernel && process) {
		key.instance = process->instance;
		image = symbols__image(namer->symbols, process);
		key.image_version = symbols__image_version(image);
	}
	slot = htab_find_slot_with_hash(namer->sides, &key, hash_side(key.instance, key.raw_id),
					INSERT);
	if (!slot || *slot)
		return slot ? *slot : NULL;
	side = malloc(sizeof(*side) + raw->nr_frames * sizeof(*side->frames));
	if (!side)
		return NULL;
	*side = key;
	side->nr_frames = raw->nr_frames;
	start_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	failed = name_frames(namer, side, raw, image, kernel);
	namer->time_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns;
	if (failed) {
		free(side);
		return NULL;
	}
	*slot = side;
	return side;
}

static size_t join(struct namer *namer, size_t nr_frames, const struct side *side,
		   struct named_stack *named)
{
	memcpy(namer->joined + nr_frames, side->frames, side->nr_frames * sizeof(*side->frames));
	if (side->quality > named->quality)
		named->quality = side->quality;
	return nr_frames + side->nr_frames;
}

static uint32_t intern_process(struct namer *namer, const struct process *process)
{
	static const struct process unnamed = {.comm = "[unknown]"};

	return dictionary__add_process(namer->dictionary, process ? process : &unnamed);
}

uint64_t namer__time_ns(const struct namer *namer)
{
	return namer->time_ns;
}

int namer__name(struct namer *namer, const struct raw_sample *raw, struct named_stack *named)
{
	const struct side *side;
	size_t nr_frames = 0;

	*named = (struct named_stack){.quality = STACK_WHOLE};
	if (htab_elements(namer->sides) > MAX_CACHED)
		htab_empty(namer->sides);
	if (raw->kernel) {
		side = name_side(namer, raw->kernel, NULL, true);
		if (!side)
			return -ENOMEM;
		named->is_idle = raw->process && raw->process->instance == 0 && !side->in_interrupt;
		nr_frames = join(namer, nr_frames, side, named);
	}
	if (raw->user) {
		side = name_side(namer, raw->user, raw->process, false);
		if (!side)
			return -ENOMEM;
		nr_frames = join(namer, nr_frames, side, named);
	}
	if (named->is_idle)
		return 0;
	named->process = intern_process(namer, raw->process);
	named->stack = dictionary__add_stack(namer->dictionary, namer->joined, nr_frames);
	return named->process == ID_NONE || named->stack == ID_NONE ? -ENOMEM : 0;
}
