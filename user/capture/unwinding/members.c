// SPDX-License-Identifier: GPL-2.0-only
#include "capture/unwinding/members.h"

int unwind_members__init(struct unwind_members *members)
{
	return map__init_numbers(&members->by_pid, free);
}

static bool put_parts(void *item, void *context)
{
	struct unwind_member *member = item;

	(void)context;
	unwind_parts__put(&member->listing.parts);
	return false;
}

void unwind_members__fini(struct unwind_members *members)
{
	map__visit(&members->by_pid, put_parts, NULL);
	map__fini(&members->by_pid);
}

struct unwind_member *unwind_members__find(const struct unwind_members *members, int32_t pid)
{
	return map__find_number(&members->by_pid, (uint32_t)pid);
}

struct unwind_member *unwind_members__add(struct unwind_members *members, int32_t pid)
{
	struct unwind_member *member = unwind_members__find(members, pid);

	return member ? member : map__add_number(&members->by_pid, (uint32_t)pid, sizeof(*member));
}

void unwind_members__remove(struct unwind_members *members, struct unwind_member *member)
{
	unwind_members__set_wanted(members, member, false);
	map__remove(&members->by_pid, &member->pid.item);
}

int32_t unwind_member__pid(const struct unwind_member *member)
{
	return (int32_t)member->pid.number;
}

/* ---- wanted members ---- */

void unwind_members__set_wanted(struct unwind_members *members, struct unwind_member *member,
				bool wanted)
{
	if (member->is_wanted == wanted)
		return;
	member->is_wanted = wanted;
	members->nr_wanted += wanted ? 1 : -(size_t)1;
}

static bool want(void *item, void *members)
{
	unwind_members__set_wanted(members, item, true);
	return false;
}

void unwind_members__want_all(struct unwind_members *members)
{
	map__visit(&members->by_pid, want, members);
}

static bool want_lacking(void *item, void *members)
{
	struct unwind_member *member = item;
	const struct unwind_listing *listing = &member->listing;

	if (listing->nr_late && unwind_parts__nr_late(&listing->parts) < listing->nr_late)
		unwind_members__set_wanted(members, member, true);
	return false;
}

void unwind_members__want_lacking(struct unwind_members *members)
{
	map__visit(&members->by_pid, want_lacking, members);
}

/* ---- the order of loading ---- */

struct queue {
	struct unwind_member **members;
	size_t nr_members;
};

static bool enqueue(void *item, void *context)
{
	struct unwind_member *member = item;
	struct queue *queue = context;

	if (member->is_wanted && !member->loading)
		queue->members[queue->nr_members++] = member;
	return false;
}

static int by_heat(const void *left, const void *right)
{
	const struct unwind_member *a = *(struct unwind_member *const *)left;
	const struct unwind_member *b = *(struct unwind_member *const *)right;

	return a->heat < b->heat ? 1 : -(a->heat > b->heat);
}

int unwind_members__queue(struct unwind_members *members, struct unwind_member ***out,
			  size_t *nr_queued)
{
	struct queue queue = {calloc(members->nr_wanted + 1, sizeof(*queue.members)), 0};

	if (!queue.members)
		return -ENOMEM;
	map__visit(&members->by_pid, enqueue, &queue);
	qsort(queue.members, queue.nr_members, sizeof(*queue.members), by_heat);
	*out = queue.members;
	*nr_queued = queue.nr_members;
	return 0;
}
