// SPDX-License-Identifier: GPL-2.0-only
/*
 * A search tree of the C library. Ranges in it never overlap, and two that overlap count as equal,
 * so whatever contains an address, or is in the way of a new function, is found as its equal.
 */
#include "symbols/jit_code.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "elf/symbol_table.h"

/* Of a node of the tree, and what malloc adds to it and to an entry. */
#define NODE_BYTES 64

struct stored {
	uint64_t start, last; /* addresses of its first and last byte */
	uint64_t index;
	const struct symbol_name *named;
	size_t name_bytes;
	char name[];
};

static int compare_ranges(const void *left, const void *right)
{
	const struct stored *a = left, *b = right;

	return (a->start > b->last) - (a->last < b->start);
}

static size_t memory_bytes(const struct stored *entry)
{
	return NODE_BYTES + sizeof(*entry) + entry->name_bytes;
}

static struct stored *find_overlap(const struct jit_code *code, const struct stored *key)
{
	struct stored *const *found = tfind(key, &code->tree, compare_ranges);

	return found ? *found : NULL;
}

static void remove_entry(struct jit_code *code, struct stored *entry)
{
	tdelete(entry, &code->tree, compare_ranges);
	code->bytes -= memory_bytes(entry);
	code->bounds->code_bytes -= memory_bytes(entry);
	free(entry);
}

void jit_code__clear(struct jit_code *code)
{
	tdestroy(code->tree, free);
	code->tree = NULL;
	code->bounds->code_bytes -= code->bytes;
	code->bytes = 0;
}

static int insert_entry(struct jit_code *code, const struct stored *key, const char *name)
{
	struct stored *entry;

	if (code->bounds->code_bytes + memory_bytes(key) > code->bounds->max_code_bytes)
		return -E2BIG;
	entry = malloc(sizeof(*entry) + key->name_bytes);
	if (!entry)
		return -ENOMEM;
	*entry = *key;
	memcpy(entry->name, name, key->name_bytes - 1);
	entry->name[key->name_bytes - 1] = '\0';
	if (!tsearch(entry, &code->tree, compare_ranges)) {
		free(entry);
		return -ENOMEM;
	}
	code->bytes += memory_bytes(entry);
	code->bounds->code_bytes += memory_bytes(entry);
	return 0;
}

int jit_code__add(struct jit_code *code, const struct jit_function *function)
{
	const size_t most = function->name_length < JIT_MAX_NAME_BYTES ? function->name_length
								       : JIT_MAX_NAME_BYTES;
	const struct stored key = {
		.start = function->start,
		.last = function->start + function->size - 1,
		.index = function->index,
		.name_bytes = strnlen(function->name, most) + 1,
	};
	struct stored *older;

	if (key.last < key.start || function->size == 0)
		return 0;
	while ((older = find_overlap(code, &key)))
		remove_entry(code, older);
	return key.name_bytes > 1 ? insert_entry(code, &key, function->name) : 0;
}

int jit_code__move(struct jit_code *code, uint64_t from, uint64_t to, uint64_t index)
{
	const struct stored key = {.start = from, .last = from};
	struct stored *entry = find_overlap(code, &key);
	struct jit_function function;
	char name[JIT_MAX_NAME_BYTES + 1];

	if (!entry || entry->start != from || entry->index != index)
		return 0;
	memcpy(name, entry->name, entry->name_bytes);
	function = (struct jit_function){
		.start = to,
		.size = entry->last - entry->start + 1,
		.index = index,
		.name = name,
		.name_length = entry->name_bytes - 1,
	};
	remove_entry(code, entry);
	return jit_code__add(code, &function);
}

bool jit_code__find(const struct jit_code *code, uint64_t address, struct found_symbol *found)
{
	const struct stored key = {.start = address, .last = address};
	struct stored *entry = find_overlap(code, &key);

	if (!entry)
		return false;
	*found = (struct found_symbol){
		.name = entry->name, .start = entry->start, .slot = &entry->named};
	return true;
}
