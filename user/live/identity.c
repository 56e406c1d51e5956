// SPDX-License-Identifier: GPL-2.0-only
#include "live/identity.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

uint64_t identity__of_frame(const struct dictionary *dictionary, uint32_t frame)
{
	return identity__of(dictionary__frame_name(dictionary, frame),
			    dictionary__frame(dictionary, frame)->module);
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

uint64_t identity__of_stack(const struct dictionary *dictionary, uint64_t owner, uint32_t stack)
{
	uint64_t identity = identity__join(owner, 0);
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(dictionary, stack, &nr_frames);

	for (size_t i = 0; i < nr_frames; i++)
		identity = identity__join(identity, identity__of_frame(dictionary, frames[i]));
	return identity;
}
