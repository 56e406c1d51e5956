// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups samples by a property. The group of each frame, or of each process, is looked up once;
 * after that, adding up uses numbers only.
 */
#include <limits.h>

#include "profile/interned.h"
#include "profile/owner.h"
#include "profile/profile.h"

/*
 * Totals are not in the groups, so that the counters of the inner loop are close together in
 * memory.
 */
struct group_total {
	size_t last_sample; /* its index + 1, so that recursion counts once; 0: none */
	uint64_t total;
	double squares;
};

struct grouping {
	struct dictionary *dictionary;
	enum group_by by;
	enum value value;
	struct pool buckets; /* keys of groups: name and module, both interned */
	struct group_row *groups;
	struct group_total *totals;
	size_t groups_capacity, totals_capacity;
};

static uint32_t find_bucket(struct grouping *grouping, const char *name, const char *module,
			    enum frame_kind kind)
{
	const char *const key[] = {name, module};
	const size_t nr_groups = grouping->buckets.nr_items;
	const uint32_t id = pool__number(&grouping->buckets, key, sizeof(key));

	if (id == nr_groups) {
		array__reserve(&grouping->groups, &grouping->groups_capacity, nr_groups + 1);
		array__reserve(&grouping->totals, &grouping->totals_capacity, nr_groups + 1);
		grouping->groups[id] =
			(struct group_row){.name = name, .module = module, .kind = kind};
		grouping->totals[id] = (struct group_total){0};
	}
	return id;
}

/* ---- the group of a frame ---- */

static uint32_t group_of_frame(struct grouping *grouping, uint32_t id)
{
	struct dictionary *dictionary = grouping->dictionary;
	const struct frame *frame = dictionary__frame(dictionary, id);
	const uint32_t name_id = grouping->by == GROUP_BY_SYMBOL
					 ? dictionary__frame_name_id(dictionary, id)
					 : dictionary__frame_function_id(dictionary, id);
	const char *name = dictionary__name(dictionary, name_id)->text;
	char *line;

	if (grouping->by == GROUP_BY_MODULE) {
		name = frame->module ? frame->module : dictionary__keep(dictionary, "[unknown]");
		return find_bucket(grouping, name, NULL, frame->kind);
	}
	if (grouping->by == GROUP_BY_LINE && frame->file && frame->line) {
		line = xasprintf("%.*s:%" PRIu32, PATH_MAX, frame->file, frame->line);
		name = dictionary__keep(dictionary, line);
		free(line);
	}
	return find_bucket(grouping, name, frame->module, frame->kind);
}

static void add_self(struct group_row *group, uint64_t value, double squares)
{
	group->self = sum_of(group->self, value);
	group->self_squares += squares;
}

static void count_frames(struct grouping *grouping, const struct profile *profile)
{
	uint32_t *ids = ids__new(dictionary__nr_frames(grouping->dictionary)); /* of groups */
	size_t nr_samples, nr_frames;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		uint64_t count = samples[i].values[grouping->value];
		const uint32_t *frames =
			dictionary__stack(grouping->dictionary, samples[i].stack, &nr_frames);

		for (size_t j = 0; j < nr_frames; j++) {
			uint32_t *id = &ids[frames[j]];
			struct group_total *total;

			if (*id == ID_NONE)
				*id = group_of_frame(grouping, frames[j]);
			if (j == 0)
				add_self(&grouping->groups[*id], count, samples[i].squares);
			total = &grouping->totals[*id];
			if (total->last_sample == i + 1)
				continue;
			total->last_sample = i + 1;
			total->total = sum_of(total->total, count);
			total->squares += samples[i].squares;
		}
	}
	for (size_t id = 0; id < grouping->buckets.nr_items; id++) {
		grouping->groups[id].total = grouping->totals[id].total;
		grouping->groups[id].total_squares = grouping->totals[id].squares;
	}
	free(ids);
}

/* ---- the group of a sample: by owner or by wait ---- */

#define NAME_SIZE 128 /* of names that are not interned yet; more than any that is made here */

/* The name of a sample's group, which may be in text; text has NAME_SIZE bytes. */
static const char *name_owner(const struct grouping *grouping, const struct sample *sample,
			      char *text)
{
	const struct process *process = dictionary__process(grouping->dictionary, sample->process);
	struct owner_text owner;
	const char *word;

	switch (grouping->by) {
	case GROUP_BY_COMM:
		return process->comm;
	case GROUP_BY_CGROUP:
		if (process->cgroup_path)
			return process->cgroup_path;
		if (!process->cgroup)
			return "[unknown]";
		snprintf(text, NAME_SIZE, "cgroup %" PRIu64, process->cgroup);
		return text;
	case GROUP_BY_CONTAINER:
		if (!process->cgroup_path)
			return "[unknown]";
		return container__name(process->cgroup_path, text, CONTAINER_NAME_SIZE)
			       ? text
			       : "[no container]";
	case GROUP_BY_WAIT:
	case GROUP_BY_STATE:
		word = grouping->by == GROUP_BY_WAIT ? wait__describe(sample->wait)
						     : wait_state__word(wait__state(sample->wait));
		return *word ? word : "[no wait]";
	default:
		owner__format(&owner, process, grouping->by == GROUP_BY_THREAD ? sample->tid : 0,
			      sample__thread(sample, grouping->dictionary));
		snprintf(text, NAME_SIZE, "%s", owner.text);
		return text;
	}
}

static void count_owners(struct grouping *grouping, const struct profile *profile)
{
	const enum group_by by = grouping->by;
	/* all samples of one process are in one group */
	const bool is_by_process =
		by != GROUP_BY_THREAD && by != GROUP_BY_WAIT && by != GROUP_BY_STATE;
	uint32_t *ids = ids__new(dictionary__nr_processes(grouping->dictionary));
	char text[NAME_SIZE];
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		uint64_t count = samples[i].values[grouping->value];
		uint32_t *id = &ids[samples[i].process];
		struct group_row *group;

		if (*id == ID_NONE || !is_by_process)
			*id = find_bucket(grouping,
					  dictionary__keep(grouping->dictionary,
							   name_owner(grouping, &samples[i], text)),
					  NULL, FRAME_USER);
		group = &grouping->groups[*id];
		group->process = dictionary__process(grouping->dictionary, samples[i].process);
		add_self(group, count, samples[i].squares);
		group->total = group->self;
		group->total_squares = group->self_squares;
		/* the wait was over, and the thread only waited for a CPU */
		if (by == GROUP_BY_WAIT && wait__kind(samples[i].wait) &&
		    wait__state(samples[i].wait) == WAIT_WOKEN)
			group->woken = sum_of(group->woken, count);
	}
	free(ids);
}

/* ---- order ---- */

static int order_names(const struct group_row *a, const struct group_row *b)
{
	int order = strcmp(a->name, b->name);

	return order ? order : strcmp(a->module ? a->module : "", b->module ? b->module : "");
}

static int order_numbers(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

static int by_self(const void *left, const void *right)
{
	const struct group_row *a = left, *b = right;
	int order = order_numbers(a->self, b->self);

	if (!order)
		order = order_numbers(a->total, b->total);
	return order ? order : order_names(a, b);
}

static int by_total(const void *left, const void *right)
{
	const struct group_row *a = left, *b = right;
	int order = order_numbers(a->total, b->total);

	return order ? order : by_self(left, right);
}

static int by_name(const void *left, const void *right)
{
	return order_names(left, right);
}

long profile__group(const struct profile *profile, enum group_by by, enum sort sort,
		    struct group_row **groups)
{
	static int (*const orders[])(const void *, const void *) = {
		[SORT_BY_SELF] = by_self, [SORT_BY_TOTAL] = by_total, [SORT_BY_NAME] = by_name};
	struct grouping grouping = {.dictionary = profile__dictionary(profile),
				    .by = by,
				    .value = profile__metrics(profile)->shown};
	long nr;

	/* the caller gets an array even if there is no group */
	array__reserve(&grouping.groups, &grouping.groups_capacity, 1);
	if (by >= GROUP_BY_COMM)
		count_owners(&grouping, profile);
	else
		count_frames(&grouping, profile);
	*groups = grouping.groups;
	nr = (long)grouping.buckets.nr_items;
	qsort(*groups, (size_t)nr, sizeof(**groups), orders[sort]);
	free(grouping.totals);
	pool__clear(&grouping.buckets);
	return nr;
}
