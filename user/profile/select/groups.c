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

static int reserve_group(struct grouping *grouping)
{
	const size_t wanted = grouping->buckets.nr_items + 1;

	if (array__reserve(&grouping->groups, &grouping->groups_capacity, wanted))
		return -ENOMEM;
	return array__reserve(&grouping->totals, &grouping->totals_capacity, wanted);
}

/* ID_NONE: out of memory. */
static uint32_t find_bucket(struct grouping *grouping, const char *name, const char *module,
			    enum frame_kind kind)
{
	const char *const key[] = {name, module};
	size_t nr_groups = grouping->buckets.nr_items;
	uint32_t id;

	if (!name || reserve_group(grouping))
		return ID_NONE;
	id = pool__number(&grouping->buckets, key, sizeof(key));
	if (id == nr_groups) {
		grouping->groups[id] =
			(struct group_row){.name = name, .module = module, .kind = kind};
		grouping->totals[id] = (struct group_total){0};
	}
	return id;
}

/* ---- the group of a frame ---- */

static const char *keep_line(struct dictionary *dictionary, const struct frame *frame)
{
	bool failed = false;
	const char *kept;
	char *text;

	if (asprintf(&text, "%.*s:%" PRIu32, PATH_MAX, frame->file, frame->line) < 0)
		return NULL;
	kept = dictionary__keep(dictionary, text, &failed);
	free(text);
	return kept;
}

static uint32_t group_of_frame(struct grouping *grouping, uint32_t id)
{
	struct dictionary *dictionary = grouping->dictionary;
	const struct frame *frame = dictionary__frame(dictionary, id);
	const uint32_t name_id = grouping->by == GROUP_BY_SYMBOL
					 ? dictionary__frame_name_id(dictionary, id)
					 : dictionary__frame_function_id(dictionary, id);
	const char *name = dictionary__name(dictionary, name_id)->text;
	bool failed = false;

	if (grouping->by == GROUP_BY_MODULE)
		return find_bucket(grouping,
				   frame->module
					   ? frame->module
					   : dictionary__keep(dictionary, "[unknown]", &failed),
				   NULL, frame->kind);
	if (grouping->by == GROUP_BY_LINE && frame->file && frame->line)
		name = keep_line(dictionary, frame);
	return find_bucket(grouping, name, frame->module, frame->kind);
}

static void add_self(struct group_row *group, uint64_t value, double squares)
{
	group->self = sum_of(group->self, value);
	group->self_squares += squares;
}

/* ids[frame]: the group of each frame, filled on demand. */
static int count_frames(struct grouping *grouping, const struct profile *profile, uint32_t *ids)
{
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
			if (*id == ID_NONE)
				return -ENOMEM;
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
	return 0;
}

static int group_by_frames(struct grouping *grouping, const struct profile *profile)
{
	uint32_t *ids = ids__new(dictionary__nr_frames(grouping->dictionary));
	int code = ids ? count_frames(grouping, profile, ids) : -ENOMEM;

	free(ids);
	return code;
}

/* ---- the group of a sample: by owner or by wait ---- */

#define NAME_SIZE 128 /* of names that are not interned yet */

static const char *name_cgroup(const struct process *process, char *text)
{
	if (process->cgroup_path)
		return process->cgroup_path;
	if (!process->cgroup)
		return "[unknown]";
	snprintf(text, NAME_SIZE, "cgroup %" PRIu64, process->cgroup);
	return text;
}

static const char *name_container(const struct process *process, char *text)
{
	if (!process->cgroup_path)
		return "[unknown]";
	return container__name(process->cgroup_path, text, CONTAINER_NAME_SIZE) ? text
										: "[no container]";
}

static const char *name_wait(const char *word)
{
	return *word ? word : "[no wait]";
}

static const char *keep_owner(struct grouping *grouping, const struct sample *sample)
{
	const struct process *process = dictionary__process(grouping->dictionary, sample->process);
	struct owner_text owner;
	bool failed = false;
	char text[NAME_SIZE];
	const char *name = owner.text;

	if (grouping->by == GROUP_BY_COMM)
		name = process->comm;
	else if (grouping->by == GROUP_BY_CGROUP)
		name = name_cgroup(process, text);
	else if (grouping->by == GROUP_BY_CONTAINER)
		name = name_container(process, text);
	else if (grouping->by == GROUP_BY_WAIT)
		name = name_wait(wait__describe(sample->wait));
	else if (grouping->by == GROUP_BY_STATE)
		name = name_wait(wait_state__word(wait__state(sample->wait)));
	else
		owner__format(&owner, process, grouping->by == GROUP_BY_THREAD ? sample->tid : 0,
			      sample__thread(sample, grouping->dictionary));
	return dictionary__keep(grouping->dictionary, name, &failed);
}

static uint32_t group_of_owner(struct grouping *grouping, const struct sample *sample)
{
	return find_bucket(grouping, keep_owner(grouping, sample), NULL, FRAME_USER);
}

/* True if all samples of one process are in one group. */
static bool is_by_process(enum group_by by)
{
	return by != GROUP_BY_THREAD && by != GROUP_BY_WAIT && by != GROUP_BY_STATE;
}

/* True if the wait was over, and the thread only waited for a CPU. */
static bool is_woken(enum group_by by, const struct sample *sample)
{
	return by == GROUP_BY_WAIT && wait__kind(sample->wait) &&
	       wait__state(sample->wait) == WAIT_WOKEN;
}

static int count_owners(struct grouping *grouping, const struct profile *profile, uint32_t *ids)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		uint64_t count = samples[i].values[grouping->value];
		uint32_t *id = &ids[samples[i].process];
		struct group_row *group;

		if (*id == ID_NONE || !is_by_process(grouping->by))
			*id = group_of_owner(grouping, &samples[i]);
		if (*id == ID_NONE)
			return -ENOMEM;
		group = &grouping->groups[*id];
		group->process = dictionary__process(grouping->dictionary, samples[i].process);
		add_self(group, count, samples[i].squares);
		group->total = group->self;
		group->total_squares = group->self_squares;
		if (is_woken(grouping->by, &samples[i]))
			group->woken = sum_of(group->woken, count);
	}
	return 0;
}

static int group_by_owners(struct grouping *grouping, const struct profile *profile)
{
	uint32_t *ids = ids__new(dictionary__nr_processes(grouping->dictionary));
	int code = ids ? count_owners(grouping, profile, ids) : -ENOMEM;

	free(ids);
	return code;
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
	/* the caller frees *groups, even if there is no group */
	long result = reserve_group(&grouping);

	if (!result)
		result = by >= GROUP_BY_COMM ? group_by_owners(&grouping, profile)
					     : group_by_frames(&grouping, profile);
	if (!result) {
		result = (long)grouping.buckets.nr_items;
		qsort(grouping.groups, (size_t)result, sizeof(*grouping.groups), orders[sort]);
		*groups = grouping.groups;
	} else {
		*groups = NULL;
		free(grouping.groups);
	}
	free(grouping.totals);
	pool__clear(&grouping.buckets);
	return result;
}
