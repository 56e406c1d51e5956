// SPDX-License-Identifier: GPL-2.0-only
#include "diff/matching/renames.h"

/* Numbers of interned texts, so that keys are compared by their bytes. */
struct rename_key {
	uint32_t name, module; /* ID_NONE: none */
};

static uint32_t number_of(const struct renames *renames, const char *text)
{
	return text ? pool__find_number(&renames->texts, text, strlen(text) + 1) : ID_NONE;
}

/* NULL for NULL. */
static const char *keep_text(struct renames *renames, const char *text)
{
	return text ? pool__bytes(&renames->texts,
				  pool__number(&renames->texts, text, strlen(text) + 1))
		    : NULL;
}

void renames__add(struct renames *renames, const struct rename *rename)
{
	const struct rename kept = {
		.name = keep_text(renames, rename->name),
		.module = keep_text(renames, rename->module),
		.found_in = keep_text(renames, rename->found_in),
		.new_name = keep_text(renames, rename->new_name),
		.new_module = keep_text(renames, rename->new_module),
		.is_sure = rename->is_sure,
	};
	const struct rename_key key = {
		number_of(renames, rename->name),
		number_of(renames, rename->found_in ? rename->found_in : rename->module)};

	if (pool__number(&renames->keys, &key, sizeof(key)) < renames->nr)
		return;
	array__reserve(&renames->list, &renames->capacity, renames->nr + 1);
	renames->list[renames->nr] = xmalloc(sizeof(kept));
	*renames->list[renames->nr++] = kept;
}

const struct rename *renames__find(const struct renames *renames, const char *name,
				   const char *module)
{
	const struct rename_key key = {number_of(renames, name), number_of(renames, module)};
	uint32_t number;

	/* A text that was never interned is in no key. */
	if (!renames->nr || (name && key.name == ID_NONE) || (module && key.module == ID_NONE))
		return NULL;
	number = pool__find_number(&renames->keys, &key, sizeof(key));
	return number == ID_NONE ? NULL : renames->list[number];
}

void renames__fini(struct renames *renames)
{
	pool__clear(&renames->texts);
	pool__clear(&renames->keys);
	for (size_t i = 0; i < renames->nr; i++)
		free(renames->list[i]);
	free(renames->list);
	*renames = (struct renames){0};
}
