// SPDX-License-Identifier: GPL-2.0-only
#include "live/rows/row_ids.h"

#include <sys/auxv.h>

#include "profile/interned.h"

#define MOST_BYTES 4096 /* of a name; the rest is ignored */

static uint64_t hash_text(uint64_t hash, const char *text)
{
	const size_t length = strnlen(text, MOST_BYTES);

	return (uint64_t)map__hash_more((uint32_t)(hash >> 32), text, length) << 32 |
	       map__hash_more((uint32_t)hash, text, length);
}

/* The finalizer of splitmix64: every bit of the result depends on every bit of the argument. */
static uint64_t mix(uint64_t hash)
{
	hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9ULL;
	hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebULL;
	hash ^= hash >> 31;
	return hash ? hash : 1;
}

uint64_t row_id__of(const char *name, const char *module)
{
	const char *random = (const char *)getauxval(AT_RANDOM);
	uint64_t hash = 0;

	/*
	 * Names are chosen by strangers, who must not be able to foresee ids: they begin with 64
	 * random bits from the kernel. Neither order nor colours depend on them.
	 */
	if (random)
		memcpy(&hash, random + 8, sizeof(hash));
	hash = hash_text(hash, name);
	return mix(module ? hash_text(hash, module) : hash);
}

uint64_t row_id__join(uint64_t path, uint64_t step)
{
	return mix(path * 0x9e3779b97f4a7c15ULL ^ step);
}

uint64_t row_id__of_node(const struct tree *tree, uint64_t parent, uint32_t name)
{
	const struct tree_name *text = tree__name(tree, name);

	return row_id__join(parent, row_id__of(text->text, text->module));
}

void row_ids__clear(struct row_ids *ids)
{
	free(ids->frames);
	free(ids->functions);
	ids->frames = ids->functions = NULL;
	ids->nr_frames = 0;
	ids->dictionary = NULL;
}

void row_ids__prepare(struct row_ids *ids, const struct dictionary *dictionary)
{
	const size_t nr_frames = dictionary__nr_frames(dictionary);
	const size_t capacity = nr_frames + nr_frames / 4;
	size_t nr_new;

	if (ids->dictionary != dictionary)
		row_ids__clear(ids);
	ids->dictionary = dictionary;
	if (nr_frames <= ids->nr_frames)
		return;
	nr_new = capacity - ids->nr_frames;
	ids->frames = xrealloc(ids->frames, capacity * sizeof(*ids->frames));
	ids->functions = xrealloc(ids->functions, capacity * sizeof(*ids->functions));
	memset(ids->frames + ids->nr_frames, 0, nr_new * sizeof(*ids->frames));
	memset(ids->functions + ids->nr_frames, 0, nr_new * sizeof(*ids->functions));
	ids->nr_frames = capacity;
}

uint64_t row_ids__frame(struct row_ids *ids, uint32_t frame)
{
	const struct dictionary *dictionary = ids->dictionary;
	uint64_t *known = &ids->frames[frame];

	if (*known == ROW_ID_NONE)
		*known = row_id__of(dictionary__frame_name(dictionary, frame),
				    dictionary__frame(dictionary, frame)->module);
	return *known;
}

uint64_t row_ids__function(struct row_ids *ids, uint32_t frame)
{
	const struct dictionary *dictionary = ids->dictionary;
	uint64_t *known = &ids->functions[frame];
	uint32_t function;

	if (*known == ROW_ID_NONE) {
		function = dictionary__frame_function_id(dictionary, frame);
		*known = row_id__of(dictionary__name(dictionary, function)->text,
				    dictionary__frame(dictionary, frame)->module);
	}
	return *known;
}

uint64_t row_id__of_owner(const struct dictionary *dictionary, uint32_t process, int32_t tid,
			  enum merge merge)
{
	const struct process *owner = dictionary__process(dictionary, process);
	char text[PROCESS_COMM_SIZE + 32];

	if (merge == MERGE_BY_COMM)
		snprintf(text, sizeof(text), "%.*s", PROCESS_COMM_SIZE, owner->comm);
	else if (merge == MERGE_BY_PROCESS)
		snprintf(text, sizeof(text), "%.*s-%" PRId32, PROCESS_COMM_SIZE, owner->comm,
			 owner->pid);
	else
		snprintf(text, sizeof(text), "%.*s-%" PRId32 "/%" PRId32, PROCESS_COMM_SIZE,
			 owner->comm, owner->pid, tid);
	return row_id__of(text, NULL);
}

uint64_t row_ids__stack(struct row_ids *ids, uint64_t owner, uint32_t stack)
{
	uint64_t id = row_id__join(owner, 0);
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(ids->dictionary, stack, &nr_frames);

	for (size_t i = 0; i < nr_frames; i++)
		id = row_id__join(id, row_ids__frame(ids, frames[i]));
	return id;
}
