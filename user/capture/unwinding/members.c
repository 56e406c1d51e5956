// SPDX-License-Identifier: GPL-2.0-only
#include "capture/unwinding/internal.h"

#include <poll.h>
#include <unistd.h>

#include "processes/opener.h"

/* ---- members ---- */

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

struct unwind_member *unwind_members__add(struct unwind_members *members, int32_t pid)
{
	struct unwind_member *member = map__find_number(&members->by_pid, (uint32_t)pid);

	return member ? member : map__add_number(&members->by_pid, (uint32_t)pid, sizeof(*member));
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

struct unwind_member **unwind_members__queue(struct unwind_members *members, size_t *nr_queued)
{
	struct queue queue = {xcalloc(members->nr_wanted + 1, sizeof(*queue.members)), 0};

	map__visit(&members->by_pid, enqueue, &queue);
	qsort(queue.members, queue.nr_members, sizeof(*queue.members), by_heat);
	*nr_queued = queue.nr_members;
	return queue.members;
}

/* ---- loading ---- */

void unwind_loadings__end(struct unwind_loadings *loadings, struct unwind_member *member)
{
	struct unwind_loading *loading = member->loading, **link = &loadings->first;

	if (!loading)
		return;
	while (*link != loading)
		link = &(*link)->next;
	*link = loading->next;
	member->loading = NULL;
	unwind_parts__put(&loading->parts);
	free(loading);
}

/* Ends the loading; the member's mappings will be read again later. */
static void load_later(struct unwind_loadings *loadings, struct unwind_member *member)
{
	member->heat += member->loading->heat;
	unwind_loadings__end(loadings, member);
	unwind_members__set_wanted(loadings->members, member, true);
}

/* Takes the mappings of a loading. text: a descriptor of the maps file, or negative errno. */
static int take_text(struct unwind_loadings *loadings, struct unwind_loading *loading, int text,
		     const struct unwind_timeout *patience)
{
	struct unwind_member *member = loading->member;
	const bool is_same = member->listing.instance == loading->instance;
	const struct unwind_reading reading = {.text = text,
					       .pid = unwind_member__pid(member),
					       .before = is_same ? &member->listing.parts : NULL,
					       .patience = patience};
	int code = text;

	if (text >= 0) {
		code = unwind_parts__read(&loading->parts, loadings->loader, &reading);
		close(text);
	}
	loading->has_maps = !code;
	if (code == -EAGAIN || code == -ECANCELED)
		load_later(loadings, member);
	else if (code)
		unwind_loadings__end(loadings, member);
	return code == -ENOMEM ? code : 0;
}

int unwind_loadings__begin(struct unwind_loadings *loadings, struct unwind_member *member,
			   uint64_t instance, const struct unwind_timeout *patience)
{
	const struct mapped_by by = {.pid = unwind_member__pid(member)};
	const struct opening opening = {.kind = OPENING_PROCESS, .by = &by, .path = "maps"};
	struct unwind_loading *loading = xmalloc(sizeof(*loading));
	int code;

	*loading = (struct unwind_loading){.next = loadings->first,
					   .member = member,
					   .instance = instance,
					   .heat = member->heat};
	loadings->first = member->loading = loading;
	member->heat = 0;
	member->loaded_ns = monotonic_ns();
	unwind_members__set_wanted(loadings->members, member, false);
	if (!loadings->opener)
		return take_text(loadings, loading, opener__open(NULL, &opening, NULL), patience);
	code = opener__ask(loadings->opener, &opening, &loading->ticket);
	if (code == -EAGAIN)
		load_later(loadings, member);
	else if (code)
		unwind_loadings__end(loadings, member);
	return code == -EAGAIN;
}

int unwind_loadings__take_maps(struct unwind_loadings *loadings,
			       const struct unwind_timeout *patience)
{
	struct unwind_loading *loading;
	struct opened opened;
	int code = 0;

	while (!code && loadings->opener && opener__take(loadings->opener, 0, &opened)) {
		loading = loadings->first;
		while (loading && (loading->has_maps || loading->ticket != opened.ticket))
			loading = loading->next;
		if (loading)
			code = take_text(loadings, loading, opened.fd, patience);
		else if (opened.fd >= 0)
			close(opened.fd);
	}
	return code;
}

size_t unwind_loadings__watch(const struct unwind_loadings *loadings, struct pollfd *watched)
{
	const struct unwind_loading *loading = loadings->first;

	while (loading && loading->has_maps)
		loading = loading->next;
	if (!loading)
		return 0;
	*watched = (struct pollfd){opener__fd(loadings->opener), POLLIN, 0};
	return 1;
}
