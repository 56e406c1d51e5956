// SPDX-License-Identifier: GPL-2.0-only
/* Interned strings: one pointer and one id a content, so that equality is a comparison of either.
 */
#include <string.h>

#include "profile/dictionary.h"
#include "profile/interned.h"

struct interned_string {
	struct pool_item item;
	const char *text;
};

int string__equal(const void *left, const void *right)
{
	const struct interned_string *a = left, *b = right;

	return a->item.hash == b->item.hash && !strcmp(a->text, b->text);
}

uint32_t dictionary__add_string(struct dictionary *dictionary, const char *string)
{
	size_t size = strlen(string) + 1;
	struct interned_string key = {.item.hash = map__hash_more(dictionary->seed, string, size),
				      .text = string};
	const struct pool_item *known = pool__find(&dictionary->strings, &key.item);

	if (known)
		return known->id;
	key.text = pool__copy(&dictionary->strings, string, size);
	return key.text ? pool__intern(&dictionary->strings, &key.item, sizeof(key)) : ID_NONE;
}

const char *dictionary__string(const struct dictionary *dictionary, uint32_t string)
{
	return ((const struct interned_string *)dictionary->strings.items[string])->text;
}

const char *dictionary__keep(struct dictionary *dictionary, const char *string, bool *failed)
{
	uint32_t id;

	if (!string)
		return NULL;
	id = dictionary__add_string(dictionary, string);
	if (id != ID_NONE)
		return dictionary__string(dictionary, id);
	*failed = true;
	return NULL;
}
