// SPDX-License-Identifier: GPL-2.0-only
/* Interning by content: names are compared as strings, paths by the subjects they are made of. */
#include "diff/subjects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static bool equal_strings(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static int equal_subjects(const void *item, const void *key)
{
	const struct subject *a = item, *b = key;

	if (a->item.hash != b->item.hash || a->parent != b->parent || a->function != b->function)
		return 0;
	return equal_strings(a->name, b->name) && equal_strings(a->module, b->module);
}

static void free_subject(void *item)
{
	struct subject *subject = item;

	free((char *)subject->name);
	free((char *)subject->module);
	free(subject);
}

/* With its counts behind it, which are zero. */
static struct subject *copy_subject(const struct subject *key, size_t nr_runs)
{
	uint64_t *counts;
	struct subject *subject = calloc(1, sizeof(*subject) + 2 * nr_runs * sizeof(*counts));

	if (!subject)
		return NULL;
	counts = (uint64_t *)(subject + 1);
	*subject = *key;
	subject->name = key->name ? strdup(key->name) : NULL;
	subject->module = key->module ? strdup(key->module) : NULL;
	subject->self = counts;
	subject->total = counts + nr_runs;
	subject->self_unit = subject->total_unit = SIZE_MAX;
	if ((key->name && !subject->name) || (key->module && !subject->module)) {
		free_subject(subject);
		return NULL;
	}
	return subject;
}

/* The subject that is equal to key, which is copied if it is new. NULL: out of memory. */
static struct subject *intern_subject(struct subjects *subjects, const struct subject *key)
{
	struct subject *subject = map__find(&subjects->map, &key->item);

	if (subject)
		return subject;
	if (array__reserve(&subjects->list, &subjects->capacity, subjects->nr + 1))
		return NULL;
	subject = copy_subject(key, subjects->nr_runs);
	if (!subject)
		return NULL;
	if (map__add(&subjects->map, &subject->item)) {
		free_subject(subject);
		return NULL;
	}
	subjects->list[subjects->nr++] = subject;
	return subject;
}

int subjects__init(struct subjects *subjects, size_t nr_runs)
{
	*subjects = (struct subjects){.nr_runs = nr_runs};
	return map__init(&subjects->map, equal_subjects, free_subject);
}

void subjects__fini(struct subjects *subjects)
{
	map__fini(&subjects->map);
	free(subjects->list);
	*subjects = (struct subjects){0};
}

struct subject *subjects__name(struct subjects *subjects, const char *name, const char *module,
			       enum frame_kind kind, bool machine)
{
	struct subject key = {.name = name, .module = module, .kind = kind, .machine = machine};

	key.item.hash = map__hash(&subjects->map, name, strlen(name));
	if (module)
		key.item.hash = map__hash_more(key.item.hash, module, strlen(module));
	return intern_subject(subjects, &key);
}

struct subject *subjects__path(struct subjects *subjects, const struct subject *parent,
			       const struct subject *function)
{
	const void *hashed[] = {parent, function};
	struct subject key = {
		.item.hash = map__hash(&subjects->map, hashed, sizeof(hashed)),
		.parent = parent,
		.function = function,
		.kind = function->kind,
		.machine = function->machine,
	};

	return intern_subject(subjects, &key);
}
