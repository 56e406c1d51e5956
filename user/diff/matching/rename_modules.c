// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module of base alone and one of new alone are one module if most samples of each are in
 * functions that the other has, too: bench-old and bench-new are the program under test,
 * libz.so.1.2 and libz.so.1.3 a library.
 */
#include <math.h>

#include "diff/matching/name_likeness.h"
#include "diff/matching/rename_units.h"

#define MOST_MODULES 64	 /* on each side: pairs are its square */
#define SAME_PART    0.5 /* of samples; a sample counts for all functions of its stack */

struct compared_module {
	const char *name;
	double samples[SIDES];	/* of all its functions */
	double nameless[SIDES]; /* of functions without names */
	uint32_t first;		/* index of its first function; ID_NONE: none */
	bool is_taken;
};

struct module_pair {
	struct compared_module *base, *fresh;
	double score;
};

struct module_search {
	const struct matched_frames *frames;
	struct pool numbers; /* of modules, by their interned names */
	struct compared_module *modules;
	size_t capacity;
	uint32_t *next;	       /* by function: the next one of its module, or ID_NONE */
	struct pool functions; /* by name and module, both interned */
	struct compared_module *of[SIDES][MOST_MODULES];
	size_t nr[SIDES];
	struct module_pair pairs[MOST_MODULES * MOST_MODULES];
	size_t nr_pairs;
};

/* True if the name is made from the module's: "libz.so.1@0x4970". */
static bool is_nameless(const struct subject *subject)
{
	const size_t length = strlen(subject->module);

	return !strncmp(subject->name, subject->module, length) &&
	       strchr("+@", subject->name[length]);
}

static void add_function(struct module_search *search, const struct subject *subject)
{
	const char *const key[] = {subject->name, subject->module};
	const size_t nr = search->numbers.nr_items;
	const uint32_t id =
		pool__number(&search->numbers, &subject->module, sizeof(subject->module));

	pool__number(&search->functions, key, sizeof(key));
	array__reserve(&search->modules, &search->capacity, nr + 1);
	if (id == nr)
		search->modules[id] =
			(struct compared_module){.name = subject->module, .first = ID_NONE};
	search->next[subject->item.id] = search->modules[id].first;
	search->modules[id].first = subject->item.id;
	for (enum side side = 0; side < SIDES; side++) {
		const double samples = sum_of_side(search->frames, subject->total, side);

		search->modules[id].samples[side] += samples;
		search->modules[id].nameless[side] += is_nameless(subject) ? samples : 0;
	}
}

static int by_samples(const void *left, const void *right)
{
	const struct compared_module *a = *(struct compared_module *const *)left,
				     *b = *(struct compared_module *const *)right;
	const double x = a->samples[SIDE_BASE] + a->samples[SIDE_NEW];
	const double y = b->samples[SIDE_BASE] + b->samples[SIDE_NEW];

	return x != y ? (x < y ? 1 : -1) : strcmp(a->name, b->name);
}

/* The module's samples in functions that the other module has, too. */
static double samples_in_both(const struct module_search *search,
			      const struct compared_module *module,
			      const struct compared_module *other, enum side side)
{
	double sum = 0;

	for (uint32_t i = module->first; i != ID_NONE; i = search->next[i]) {
		const struct subject *subject = subjects__at(&search->frames->subjects, i);
		const char *const key[] = {subject->name, other->name};

		if (pool__find_number(&search->functions, key, sizeof(key)) != ID_NONE)
			sum += sum_of_side(search->frames, subject->total, side);
	}
	return sum;
}

/*
 * Adds a pair if the two modules may be one. Functions without names match only if the names of the
 * modules are alike.
 */
static void compare_modules(struct module_search *search, struct compared_module *base,
			    struct compared_module *fresh)
{
	const enum name_likeness names = name_likeness__of(base->name, fresh->name);
	struct compared_module *const pair[SIDES] = {base, fresh};
	double least = 1;

	for (enum side side = 0; side < SIDES; side++) {
		const struct compared_module *module = pair[side], *other = pair[!side];
		double sum = samples_in_both(search, module, other, side);

		if (names != NAMES_DIFFER && other->nameless[!side] > 0)
			sum += module->nameless[side];
		least = fmin(least, sum / module->samples[side]);
	}
	if (least >= SAME_PART)
		search->pairs[search->nr_pairs++] =
			(struct module_pair){base, fresh, least + (double)names};
}

static int by_score(const void *left, const void *right)
{
	const struct module_pair *a = left, *b = right;

	return (a->score < b->score) - (a->score > b->score);
}

void find_renamed_modules(struct renames *renames, const struct matched_frames *frames)
{
	struct module_search *search = xcalloc(1, sizeof(*search));
	struct compared_module **sorted;
	size_t nr;

	search->frames = frames;
	search->next = ids__new(frames->subjects.all.nr_items + 1);
	for (size_t i = 0; i < frames->subjects.all.nr_items; i++) {
		const struct subject *subject = subjects__at(&frames->subjects, i);

		/* The kernel's module is never renamed. */
		if (subject->module && subject->kind != FRAME_KERNEL)
			add_function(search, subject);
	}
	/* Chooses the modules with most samples among those that only one side has. */
	nr = search->numbers.nr_items;
	sorted = xcalloc(nr, sizeof(*sorted));
	for (size_t i = 0; i < nr; i++)
		sorted[i] = &search->modules[i];
	qsort(sorted, nr, sizeof(*sorted), by_samples);
	for (size_t i = 0; i < nr; i++) {
		const bool is_in_base = sorted[i]->samples[SIDE_BASE] > 0;
		const enum side side = is_in_base ? SIDE_BASE : SIDE_NEW;

		if (is_in_base != (sorted[i]->samples[SIDE_NEW] > 0) &&
		    search->nr[side] < MOST_MODULES)
			search->of[side][search->nr[side]++] = sorted[i];
	}
	free(sorted);
	for (size_t i = 0; i < search->nr[SIDE_BASE]; i++)
		for (size_t j = 0; j < search->nr[SIDE_NEW]; j++)
			compare_modules(search, search->of[SIDE_BASE][i], search->of[SIDE_NEW][j]);

	qsort(search->pairs, search->nr_pairs, sizeof(search->pairs[0]), by_score);
	for (size_t i = 0; i < search->nr_pairs; i++) {
		struct module_pair *pair = &search->pairs[i];

		if (pair->base->is_taken || pair->fresh->is_taken)
			continue;
		pair->base->is_taken = pair->fresh->is_taken = true;
		renames__add(renames, &(struct rename){.module = pair->base->name,
						       .new_module = pair->fresh->name,
						       .is_sure = true});
	}
	pool__clear(&search->numbers);
	pool__clear(&search->functions);
	free(search->modules);
	free(search->next);
	free(search);
}
