// SPDX-License-Identifier: GPL-2.0-only
/*
 * Only strings that a frame shows are interned: a function or module when it is first met. So
 * tables, files and images may be freed while frames stay valid.
 */
#include "base/strings.h"

#include <libiberty/ansidecl.h>
#include <libiberty/objalloc.h>

struct interned {
	struct map_item item;
	uint32_t length;
	const char *text;
};

struct strings {
	struct map map;
	struct objalloc *memory;
	size_t allocated_bytes;
};

static int equal_interned(const void *item, const void *key)
{
	const struct interned *a = item, *b = key;

	return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

struct strings *strings__new(void)
{
	struct strings *strings = xcalloc(1, sizeof(*strings));

	map__init(&strings->map, equal_interned, NULL);
	return strings;
}

void strings__free(struct strings *strings)
{
	if (!strings)
		return;
	map__fini(&strings->map);
	if (strings->memory)
		objalloc_free(strings->memory);
	free(strings);
}

void *strings__allocate(struct strings *strings, size_t bytes)
{
	strings->allocated_bytes += bytes;
	return xobjalloc(&strings->memory, bytes);
}

const char *strings__intern(struct strings *strings, const char *text, size_t length)
{
	struct interned key = {.length = (uint32_t)length, .text = text}, *string;
	char *copy;

	key.item.hash = map__hash(&strings->map, text, length);
	string = map__find(&strings->map, &key.item);
	if (string)
		return string->text;
	string = strings__allocate(strings, sizeof(*string) + length + 1);
	copy = (char *)(string + 1);
	memcpy(copy, text, length);
	copy[length] = '\0';
	*string = key;
	string->text = copy;
	map__add(&strings->map, &string->item);
	return copy;
}

size_t strings__memory_bytes(const struct strings *strings)
{
	return strings->allocated_bytes + map__memory_bytes(&strings->map);
}
