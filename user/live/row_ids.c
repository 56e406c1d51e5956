// SPDX-License-Identifier: GPL-2.0-only
#include "live/row_ids.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/dictionary.h"

#define MOST_BYTES 4096 /* of a name; what is longer differs by its length, or not at all */

/* FNV-1a. */
static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t nr_bytes)
{
	for (size_t i = 0; i < nr_bytes; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3ULL;
	return hash;
}

/* The finalizer of splitmix64: every bit of the result depends on every bit of the argument. */
static uint64_t mix(uint64_t hash)
{
	hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9ULL;
	hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebULL;
	hash ^= hash >> 31;
	return hash ? hash : 1;
}

uint64_t identity__of(const char *name, const char *module)
{
	uint64_t hash = hash_bytes(0xcbf29ce484222325ULL, name, strnlen(name, MOST_BYTES));

	if (module) {
		hash = hash_bytes(hash, "\n", 1);
		hash = hash_bytes(hash, module, strnlen(module, MOST_BYTES));
	}
	return mix(hash);
}

uint64_t identity__join(uint64_t path, uint64_t step)
{
	return mix(path * 0x9e3779b97f4a7c15ULL ^ step);
}

void identities__clear(struct identities *identities)
{
	free(identities->frames);
	free(identities->functions);
	identities->frames = identities->functions = NULL;
	identities->nr_frames = 0;
	identities->dictionary = NULL;
}

static int grow(uint64_t **known, size_t from, size_t to)
{
	uint64_t *grown = calloc(to, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	if (from)
		memcpy(grown, *known, from * sizeof(*grown));
	free(*known);
	*known = grown;
	return 0;
}

int identities__prepare(struct identities *identities, const struct dictionary *dictionary)
{
	size_t nr_frames = dictionary__nr_frames(dictionary), capacity = nr_frames + nr_frames / 4;

	if (identities->dictionary != dictionary)
		identities__clear(identities);
	identities->dictionary = dictionary;
	if (nr_frames <= identities->nr_frames)
		return 0;
	if (grow(&identities->frames, identities->nr_frames, capacity) ||
	    grow(&identities->functions, identities->nr_frames, capacity))
		return -ENOMEM;
	identities->nr_frames = capacity;
	return 0;
}

uint64_t identities__frame(struct identities *identities, uint32_t frame)
{
	const struct dictionary *dictionary = identities->dictionary;
	uint64_t *known = &identities->frames[frame];

	if (*known == IDENTITY_NONE)
		*known = identity__of(dictionary__frame_name(dictionary, frame),
				      dictionary__frame(dictionary, frame)->module);
	return *known;
}

uint64_t identities__function(struct identities *identities, uint32_t frame)
{
	const struct dictionary *dictionary = identities->dictionary;
	uint64_t *known = &identities->functions[frame];
	uint32_t function;

	if (*known == IDENTITY_NONE) {
		function = dictionary__frame_function_id(dictionary, frame);
		*known = identity__of(dictionary__name(dictionary, function)->text,
				      dictionary__frame(dictionary, frame)->module);
	}
	return *known;
}

uint64_t identity__of_owner(const struct dictionary *dictionary, uint32_t process, int32_t tid,
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
	return identity__of(text, NULL);
}

uint64_t identities__stack(struct identities *identities, uint64_t owner, uint32_t stack)
{
	uint64_t identity = identity__join(owner, 0);
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(identities->dictionary, stack, &nr_frames);

	for (size_t i = 0; i < nr_frames; i++)
		identity = identity__join(identity, identities__frame(identities, frames[i]));
	return identity;
}
