// SPDX-License-Identifier: GPL-2.0-only
/*
 * A dictionary's life, its strings and its processes. One thread at a time; dropping the last
 * reference frees it. A string has one pointer and one id: two strings are equal if either is.
 */
#include "profile/dictionary.h"
#include "profile/interned.h"

struct process_item {
	struct pool_item item;
	uint32_t comm;
	struct process process;
};

static int equal_processes(const void *left, const void *right)
{
	const struct process *a = &((const struct process_item *)left)->process;
	const struct process *b = &((const struct process_item *)right)->process;

	return a->pid == b->pid && a->start_ns == b->start_ns && a->exec_id == b->exec_id &&
	       a->owner == b->owner && a->uid == b->uid && !strcmp(a->comm, b->comm);
}

struct dictionary *dictionary__new(void)
{
	struct dictionary *dictionary = xcalloc(1, sizeof(*dictionary));

	dictionary->references = 1;
	dictionary->frames.equal = frame__equal;
	dictionary->names.equal = name__equal;
	dictionary->named_stacks.equal = named_stack__equal;
	dictionary->processes.equal = equal_processes;
	dictionary->seed = map__random_seed();
	return dictionary;
}

void dictionary__free(struct dictionary *dictionary)
{
	if (!dictionary || --dictionary->references)
		return;
	pool__clear(&dictionary->strings);
	pool__clear(&dictionary->frames);
	pool__clear(&dictionary->names);
	pool__clear(&dictionary->stacks);
	pool__clear(&dictionary->named_stacks);
	pool__clear(&dictionary->processes);
	free(dictionary->named);
	free(dictionary);
}

uint32_t dictionary__add_string(struct dictionary *dictionary, const char *string)
{
	return pool__number(&dictionary->strings, string, strlen(string) + 1);
}

const char *dictionary__string(const struct dictionary *dictionary, uint32_t string)
{
	return pool__bytes(&dictionary->strings, string);
}

uint32_t dictionary__string_id(const char *string)
{
	return pool__number_of(string);
}

size_t dictionary__nr_strings(const struct dictionary *dictionary)
{
	return dictionary->strings.nr_items;
}

const char *dictionary__keep(struct dictionary *dictionary, const char *string, bool *failed)
{
	(void)failed;
	if (!string)
		return NULL;
	return dictionary__string(dictionary, dictionary__add_string(dictionary, string));
}

uint32_t dictionary__add_kept_process(struct dictionary *dictionary, const struct process *process)
{
	struct process_item key = {.process = *process};
	uint64_t hashed[] = {(uint64_t)process->pid, process->start_ns, process->exec_id,
			     (uint64_t)process->owner << 32 | process->uid, 0};

	key.process.seen_ns = 0;
	memset(key.process.comm, 0, sizeof(key.process.comm));
	memcpy(key.process.comm, process->comm, strnlen(process->comm, PROCESS_COMM_SIZE - 1));
	hashed[4] = key.comm = dictionary__add_string(dictionary, key.process.comm);
	key.item.hash = map__hash_more(dictionary->seed, hashed, sizeof(hashed));
	return pool__intern(&dictionary->processes, &key.item, sizeof(key));
}

uint32_t dictionary__add_process(struct dictionary *dictionary, const struct process *process)
{
	struct process kept = *process;

	kept.cgroup_path = dictionary__keep(dictionary, process->cgroup_path, NULL);
	kept.command_line = dictionary__keep(dictionary, process->command_line, NULL);
	return dictionary__add_kept_process(dictionary, &kept);
}

const struct process *dictionary__process(const struct dictionary *dictionary, uint32_t process)
{
	return &((const struct process_item *)dictionary->processes.items[process])->process;
}

uint32_t dictionary__comm(const struct dictionary *dictionary, uint32_t process)
{
	return ((const struct process_item *)dictionary->processes.items[process])->comm;
}

size_t dictionary__nr_processes(const struct dictionary *dictionary)
{
	return dictionary->processes.nr_items;
}

size_t dictionary__memory_bytes(const struct dictionary *dictionary)
{
	return sizeof(*dictionary) + pool__memory_bytes(&dictionary->strings) +
	       pool__memory_bytes(&dictionary->frames) + pool__memory_bytes(&dictionary->names) +
	       pool__memory_bytes(&dictionary->stacks) +
	       pool__memory_bytes(&dictionary->named_stacks) +
	       dictionary->named_capacity * sizeof(*dictionary->named) +
	       pool__memory_bytes(&dictionary->processes);
}
