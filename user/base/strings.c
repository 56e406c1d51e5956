// SPDX-License-Identifier: GPL-2.0-only
/*
 * Only what a frame shows gets here: a function when it is first met, a module when it is first
 * named. So tables, files and images may come and go while frames stay valid.
 */
#include "base/strings.h"

#include <libiberty/ansidecl.h>
#include <libiberty/hashtab.h>
#include <libiberty/objalloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

struct string {
	size_t length;
	hashval_t hash;
	char text[];
};

struct wanted {
	const char *text;
	size_t length;
};

struct strings {
	htab_t table;
	struct objalloc *memory;
	size_t allocated_bytes;
	hashval_t seed;
};

static hashval_t hash_of(const void *entry)
{
	return ((const struct string *)entry)->hash;
}

static int equals_wanted(const void *entry, const void *key)
{
	const struct string *string = entry;
	const struct wanted *wanted = key;

	return string->length == wanted->length &&
	       !memcmp(string->text, wanted->text, wanted->length);
}

struct strings *strings__new(void)
{
	struct strings *strings = calloc(1, sizeof(*strings));

	if (!strings)
		return NULL;
	strings->table = htab_try_create(256, hash_of, equals_wanted, NULL);
	strings->memory = objalloc_create();
	if (!strings->table || !strings->memory) {
		strings__free(strings);
		return NULL;
	}
	/* Whoever chooses the names must not be able to choose their hashes; 0 works as well. */
	if (getrandom(&strings->seed, sizeof(strings->seed), GRND_NONBLOCK) < 0)
		strings->seed = 0;
	return strings;
}

void strings__free(struct strings *strings)
{
	if (!strings)
		return;
	if (strings->table)
		htab_delete(strings->table);
	if (strings->memory)
		objalloc_free(strings->memory);
	free(strings);
}

void *strings__allocate(struct strings *strings, size_t bytes)
{
	void *memory = objalloc_alloc(strings->memory, bytes);

	if (memory)
		strings->allocated_bytes += bytes;
	return memory;
}

static struct string *new_string(struct strings *strings, const struct wanted *wanted,
				 hashval_t hash)
{
	struct string *string = strings__allocate(strings, sizeof(*string) + wanted->length + 1);

	if (!string)
		return NULL;
	string->length = wanted->length;
	string->hash = hash;
	memcpy(string->text, wanted->text, wanted->length);
	string->text[wanted->length] = '\0';
	return string;
}

const char *strings__intern(struct strings *strings, const char *text, size_t length)
{
	const struct wanted wanted = {text, length};
	hashval_t hash = iterative_hash(text, length, strings->seed);
	struct string *string = htab_find_with_hash(strings->table, &wanted, hash);
	void **slot;

	if (string)
		return string->text;
	string = new_string(strings, &wanted, hash);
	if (!string)
		return NULL;
	slot = htab_find_slot_with_hash(strings->table, &wanted, hash, INSERT);
	if (!slot)
		return NULL;
	*slot = string;
	return string->text;
}

size_t strings__memory_bytes(const struct strings *strings)
{
	return strings->allocated_bytes + htab_size(strings->table) * sizeof(void *);
}
