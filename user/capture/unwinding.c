// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events only say whose mappings changed; what they are now is read from /proc. So a process that
 * maps ten libraries is read once or twice, and what was lost is found again.
 *
 * The files behind them are asked for, and come when they come. The program gets a process's list
 * when all have come; those that take long are left out of it, and it gets another one then.
 *
 * The program finds a process by its instance, which an exec changes: a list of regions never meets
 * another image's samples. The kernel's list of tasks says which instance a pid is, and it is asked
 * before the mappings are read: if an exec comes between, the list is of an instance that has
 * ended.
 */
#include "capture/unwinding.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "base/clock.h"
#include "base/map.h"
#include "capture/features.h"
#include "capture/iterate.h"
#include "capture/map_calls.h"
#include "capture/skeleton.h"
#include "capture/unwind_arrivals.h"
#include "capture/unwind_files.h"
#include "capture/unwind_loader.h"
#include "capture/unwind_parts.h"
#include "capture/unwind_regions.h"
#include "processes/file.h"
#include "processes/opener.h"
#include "topstacks/hash.h"

#define LOAD_NS	     20000000ULL /* for so long at a time */
#define PAUSE_FACTOR 2		 /* then a pause of so many times */
#define MAX_PAUSE_NS 10000000ULL

#define MAX_QUEUED 64 /* mappings, so that what is sampled most does not wait behind many others */

/* A process that has tables, or that wants them. */
struct member {
	struct map_number pid;
	bool is_wanted; /* its mappings are to be read */
	uint64_t heat;	/* samples since it was last loaded, of another instance than that */
	uint64_t next_instance;	 /* of the kernel's list; 0: not in it */
	uint64_t instance;	 /* that has an entry in the map; 0: none */
	uint64_t loaded_ns;	 /* CLOCK_MONOTONIC */
	struct loading *loading; /* NULL: nothing is under way */
	struct unwind_regions list;
	struct unwind_parts parts; /* of that list */
	size_t nr_late;		   /* whose files had not arrived when it was made */
};

/* Mappings of a process were read; their files are opened and read. */
struct loading {
	struct loading *next;
	struct member *member;
	uint64_t instance;
	uint64_t heat;	 /* of the member, before */
	uint64_t ticket; /* of the opener that reads its mappings */
	bool has_maps;
	struct unwind_parts parts;
};

struct unwinding {
	struct map members; /* by pid */
	struct bpf_link *tasks;
	int processes;		     /* map: instance -> struct unwind_regions */
	struct map_calls *map_calls; /* borrowed */
	struct unwind_files *files;
	struct opener *opener; /* reads mappings; NULL: they are read here */
	struct unwind_loader *loader;
	struct unwind_lists *lists;
	struct loading *loadings;
	struct unwind_arrivals arrivals;
	uint64_t nr_unlisted; /* processes whose list found no room */
	bool everyone;
	size_t nr_wanted, nr_lacking; /* members; that have late files */
	uint64_t pause_until_ns;
	struct unwind_region regions[UNWIND_MAX_REGIONS]; /* of the process at hand */
};

/* ---- members ---- */

static struct member *find_member(const struct unwinding *unwinding, int32_t pid)
{
	return map__find_number(&unwinding->members, (uint32_t)pid);
}

static int32_t pid_of(const struct member *member)
{
	return (int32_t)member->pid.number;
}

static void set_wanted(struct unwinding *unwinding, struct member *member, bool wanted)
{
	if (member->is_wanted == wanted)
		return;
	member->is_wanted = wanted;
	unwinding->nr_wanted += wanted ? 1 : -(size_t)1;
}

static struct member *add_member(struct unwinding *unwinding, int32_t pid)
{
	struct member *member = find_member(unwinding, pid);

	return member ? member
		      : map__add_number(&unwinding->members, (uint32_t)pid, sizeof(*member));
}

int unwinding__want(struct unwinding *unwinding, int32_t pid)
{
	struct member *member = add_member(unwinding, pid);

	if (!member)
		return -ENOMEM;
	set_wanted(unwinding, member, true);
	return 0;
}

static void set_late(struct unwinding *unwinding, struct member *member, size_t nr_late)
{
	unwinding->nr_lacking -= member->nr_late > 0;
	unwinding->nr_lacking += nr_late > 0;
	member->nr_late = nr_late;
}

/* Takes from the program what it knows of the process. */
static void withdraw(struct unwinding *unwinding, struct member *member)
{
	if (!member->instance)
		return;
	map_calls__delete(unwinding->map_calls, unwinding->processes, &member->instance);
	unwind_lists__remove(unwinding->lists, &member->list);
	unwind_parts__put(&member->parts, unwinding->loader);
	set_late(unwinding, member, 0);
	member->instance = 0;
}

/* What was asked for arrives nevertheless. */
static void end_loading(struct unwinding *unwinding, struct loading *loading)
{
	struct loading **link = &unwinding->loadings;

	while (*link != loading)
		link = &(*link)->next;
	*link = loading->next;
	loading->member->loading = NULL;
	unwind_parts__put(&loading->parts, unwinding->loader);
	free(loading);
}

static void drop_member(struct unwinding *unwinding, struct member *member)
{
	if (member->loading)
		end_loading(unwinding, member->loading);
	withdraw(unwinding, member);
	set_wanted(unwinding, member, false);
	map__remove(&unwinding->members, &member->pid.item);
}

static bool want_member(void *item, void *context)
{
	set_wanted(context, item, true);
	return false;
}

static void want_known(struct unwinding *unwinding, const struct member *member, int32_t pid)
{
	if (member || !unwinding->everyone)
		unwinding__want(unwinding, pid);
}

void unwinding__observe(struct unwinding *unwinding, const struct process_event *event)
{
	struct member *member = find_member(unwinding, event->pid);

	switch (event->type) {
	case PROCESS_FORKED: /* it is walked by its parent's tables */
		break;
	case PROCESS_MAPPED:
		unwind_arrivals__note(&unwinding->arrivals, event->pid, &event->mapping);
		want_known(unwinding, member, event->pid);
		break;
	case PROCESS_EXECED: /* nobody waits for files of what it ran before */
		if (member && member->loading)
			end_loading(unwinding, member->loading);
		want_known(unwinding, member, event->pid);
		break;
	case PROCESS_EXITED:
		if (member)
			drop_member(unwinding, member);
		break;
	case PROCESS_RECORDS_LOST:
		map__visit(&unwinding->members, want_member, unwinding);
		break;
	}
}

void unwinding__sampled(struct unwinding *unwinding, const struct process *process, uint64_t count)
{
	struct member *member;

	if (process->kernel_thread || process->pid <= 0)
		return;
	member = add_member(unwinding, process->pid);
	if (!member || member->instance == process->instance ||
	    (member->loading && member->loading->instance == process->instance) ||
	    process->seen_ns < member->loaded_ns)
		return;
	member->heat += count;
	set_wanted(unwinding, member, true);
}

/* ---- loading one process ---- */

static struct loading *begin_loading(struct unwinding *unwinding, struct member *member)
{
	struct loading *loading = calloc(1, sizeof(*loading));

	if (!loading)
		return NULL;
	loading->next = unwinding->loadings;
	loading->member = member;
	loading->instance = member->next_instance;
	unwinding->loadings = member->loading = loading;
	return loading;
}

/* Its mappings are to be read once more. */
static void load_later(struct unwinding *unwinding, struct loading *loading)
{
	struct member *member = loading->member;

	member->heat += loading->heat;
	end_loading(unwinding, loading);
	set_wanted(unwinding, member, true);
}

/*
 * The text of a process's mappings has come, or why there is none. What cannot be loaded, because it
 * is gone or there is no room, is walked by frame pointers.
 */
static int take_maps(struct unwinding *unwinding, struct loading *loading, int text,
		     const struct unwind_patience *patience)
{
	const struct member *member = loading->member;
	const bool is_same = member->instance == loading->instance;
	const struct unwind_reading reading = {.text = text,
					       .pid = pid_of(member),
					       .before = is_same ? &member->parts : NULL,
					       .patience = patience};
	int code = text;

	if (text >= 0) {
		code = unwind_parts__read(&loading->parts, unwinding->loader, &reading);
		close(text);
	}
	loading->has_maps = !code;
	if (code == -EAGAIN || code == -ECANCELED)
		load_later(unwinding, loading);
	else if (code)
		end_loading(unwinding, loading);
	return code == -ENOMEM ? code : 0;
}

/* 1: no more can be asked for now. */
static int load(struct unwinding *unwinding, struct member *member,
		const struct unwind_patience *patience)
{
	const struct mapped_by by = {.pid = pid_of(member)};
	const struct opening opening = {.kind = OPENING_MAPS, .by = &by};
	struct loading *loading = begin_loading(unwinding, member);
	int code;

	if (!loading)
		return -ENOMEM;
	loading->heat = member->heat;
	member->heat = 0;
	member->loaded_ns = monotonic_ns();
	set_wanted(unwinding, member, false);
	if (!unwinding->opener)
		return take_maps(unwinding, loading, opener__open(NULL, &opening, NULL), patience);
	code = opener__ask(unwinding->opener, &opening, &loading->ticket);
	if (code == -EAGAIN)
		load_later(unwinding, loading);
	else if (code)
		end_loading(unwinding, loading);
	return code == -EAGAIN;
}

static struct loading *find_asked(const struct unwinding *unwinding, uint64_t ticket)
{
	struct loading *loading = unwinding->loadings;

	while (loading && (loading->has_maps || loading->ticket != ticket))
		loading = loading->next;
	return loading;
}

/* Takes texts that have come; waits for none. */
static int take_all_maps(struct unwinding *unwinding, const struct unwind_patience *patience)
{
	struct loading *loading;
	struct opened opened;
	int code = 0;

	while (!code && unwinding->opener && opener__take(unwinding->opener, 0, &opened)) {
		loading = find_asked(unwinding, opened.ticket);
		if (loading)
			code = take_maps(unwinding, loading, opened.fd, patience);
		else if (opened.fd >= 0)
			close(opened.fd);
	}
	return code;
}

/* ---- files arrive ---- */

static int give_list(struct unwinding *unwinding, struct loading *loading,
		     struct unwind_regions *list)
{
	const uint32_t nr = unwind_parts__regions(&loading->parts, unwinding->regions);
	int code = unwind_lists__add(unwinding->lists, unwinding->regions, nr, list);

	if (code)
		return code;
	list->is_partial = loading->parts.is_partial;
	code = map_calls__update(unwinding->map_calls, unwinding->processes, &loading->instance,
				 list);
	if (code)
		unwind_lists__remove(unwinding->lists, list);
	return code;
}

/* The program has a new list; the one before is given up, and an old image's with it. */
static int publish(struct unwinding *unwinding, struct loading *loading)
{
	struct member *member = loading->member;
	struct member before = *member;
	struct unwind_regions list;
	const int code = give_list(unwinding, loading, &list);

	if (code)
		return code;
	member->list = list;
	member->instance = loading->instance;
	member->parts = loading->parts;
	set_late(unwinding, member, unwind_parts__nr_late(&member->parts));
	loading->parts = (struct unwind_parts){0};
	if (!before.instance)
		return 0;
	if (before.instance != member->instance)
		map_calls__delete(unwinding->map_calls, unwinding->processes, &before.instance);
	unwind_lists__remove(unwinding->lists, &before.list);
	unwind_parts__put(&before.parts, unwinding->loader);
	return 0;
}

static int end_loadings(struct unwinding *unwinding)
{
	const uint64_t now_ns = monotonic_ns();
	struct loading *loading, *next;
	int code = 0;

	for (loading = unwinding->loadings; loading && code != -ENOMEM; loading = next) {
		next = loading->next;
		if (!loading->has_maps || !unwind_parts__are_ready(&loading->parts, now_ns))
			continue;
		code = publish(unwinding, loading);
		end_loading(unwinding, loading);
		if (code == -ENOSPC || code == -E2BIG) /* of lists, of the map that finds them */
			unwinding->nr_unlisted++;
	}
	return code == -ENOMEM ? code : 0;
}

static bool want_lacking(void *item, void *context)
{
	struct member *member = item;

	if (member->nr_late && unwind_parts__nr_late(&member->parts) < member->nr_late)
		set_wanted(context, member, true);
	return false;
}

/* Takes what has arrived; waits for nothing. */
static int take_files(struct unwinding *unwinding)
{
	if (unwind_loader__work(unwinding->loader) && unwinding->nr_lacking)
		map__visit(&unwinding->members, want_lacking, unwinding);
	return end_loadings(unwinding);
}

/* ---- whose turn it is ---- */

static int note_instance(void *context, const void *record)
{
	const struct task_record *task = record;
	struct member *member;

	if (task->tid != task->tgid)
		return 0;
	member = find_member(context, (int32_t)task->ns_tgid);
	if (member)
		member->next_instance = hash_process(task->tgid, task->start_ns, task->exec_id);
	return 0;
}

struct queue {
	struct member **members;
	size_t nr_members;
};

static bool enqueue(void *item, void *context)
{
	struct member *member = item;
	struct queue *queue = context;

	if (member->is_wanted && !member->loading)
		queue->members[queue->nr_members++] = member;
	member->next_instance = 0;
	return false;
}

static int by_heat(const void *left, const void *right)
{
	const struct member *a = *(struct member *const *)left;
	const struct member *b = *(struct member *const *)right;

	return a->heat < b->heat ? 1 : -(a->heat > b->heat);
}

struct learning {
	struct unwind_loader *loader;
	int32_t pid;
};

static void learn_file(void *context, const struct mapping *mapping)
{
	const struct learning *learning = context;
	unwind_loader__learn(learning->loader, mapping, learning->pid);
}

/* A process that has ended will not be sampled again, but its like may be. */
static void learn_from(struct unwinding *unwinding, struct member *member)
{
	struct learning learning = {unwinding->loader, pid_of(member)};

	unwind_arrivals__each(&unwinding->arrivals, pid_of(member), learn_file, &learning);
	drop_member(unwinding, member);
}

static int load_queue(struct unwinding *unwinding, const struct queue *queue,
		      const struct unwind_patience *patience)
{
	size_t i;
	int code = 0;

	for (i = 0; i < queue->nr_members && !code && !(i && unwind_patience__is_over(patience)) &&
		    unwind_loader__nr_queued(unwinding->loader) < MAX_QUEUED;
	     i++) {
		if (queue->members[i]->next_instance)
			code = load(unwinding, queue->members[i], patience);
		else
			learn_from(unwinding, queue->members[i]);
	}
	return code < 0 ? code : 0;
}

static int load_wanted(struct unwinding *unwinding, const struct unwind_patience *patience)
{
	struct queue queue = {calloc(unwinding->nr_wanted, sizeof(struct member *)), 0};
	int code = 0;

	if (!queue.members)
		return -ENOMEM;
	map__visit(&unwinding->members, enqueue, &queue);
	qsort(queue.members, queue.nr_members, sizeof(struct member *), by_heat);
	if (queue.nr_members)
		code = iterate__run(unwinding->tasks, sizeof(struct task_record), note_instance,
				    unwinding);
	if (!code)
		code = load_queue(unwinding, &queue, patience);
	free(queue.members);
	return code;
}

int unwinding__refresh(struct unwinding *unwinding, bool (*is_urgent)(void *context), void *context)
{
	const uint64_t start_ns = monotonic_ns();
	const struct unwind_patience patience = {start_ns + LOAD_NS, is_urgent, context};
	uint64_t now_ns, pause_ns;
	int code = take_all_maps(unwinding, &patience);

	if (!code)
		code = take_files(unwinding);
	if (code || !unwinding->nr_wanted || (start_ns < unwinding->pause_until_ns && is_urgent) ||
	    unwind_loader__nr_queued(unwinding->loader) >= MAX_QUEUED)
		return code;
	code = load_wanted(unwinding, &patience);
	if (!code)
		code = take_files(unwinding);
	now_ns = monotonic_ns();
	pause_ns = PAUSE_FACTOR * (now_ns - start_ns);
	unwinding->pause_until_ns = now_ns + (pause_ns < MAX_PAUSE_NS ? pause_ns : MAX_PAUSE_NS);
	return code;
}

_Static_assert(UNWINDING_MAX_WATCHED == UNWIND_MAX_WATCHED + 1, "the loader's, and the opener");

size_t unwinding__watch(const struct unwinding *unwinding, struct pollfd *watched)
{
	const struct loading *loading = unwinding->loadings;
	size_t nr = unwind_loader__watch(unwinding->loader, watched);

	while (loading && loading->has_maps)
		loading = loading->next;
	if (loading)
		watched[nr++] = (struct pollfd){opener__fd(unwinding->opener), POLLIN, 0};
	return nr;
}

bool unwinding__take_failure(struct unwinding *unwinding, char *text, size_t size)
{
	return unwind_loader__take_failure(unwinding->loader, text, size);
}

uint64_t unwinding__take_unlisted(struct unwinding *unwinding)
{
	uint64_t nr_unlisted = unwinding->nr_unlisted;

	unwinding->nr_unlisted = 0;
	return nr_unlisted;
}

bool unwinding__is_loading(const struct unwinding *unwinding)
{
	return unwinding->nr_wanted || unwinding->loadings;
}

bool unwinding__is_behind(const struct unwinding *unwinding)
{
	return unwinding__is_loading(unwinding) || unwind_loader__is_busy(unwinding->loader);
}

void unwinding__settle(struct unwinding *unwinding)
{
	unwind_files__settle(unwinding->files);
	unwind_lists__settle(unwinding->lists);
}

size_t unwinding__kernel_bytes(const struct unwinding *unwinding)
{
	return unwind_files__kernel_bytes(unwinding->files);
}

/* ---- life ---- */

static int open_parts(struct unwinding *unwinding, const struct unwinding_options *options,
		      struct error *err)
{
	const struct topstacks_bpf *skeleton = options->skeleton;
	const struct bpf_map *regions = skeleton->maps.unwind_regions;

	unwinding->tasks = iterate__link(skeleton->progs.on_list_task, -1);
	if (!unwinding->tasks)
		return features__explain(NULL, err, -errno, "list processes");
	unwinding->processes = bpf_map__fd(skeleton->maps.unwind_procs);
	unwinding->files = unwind_files__new(bpf_map__fd(skeleton->maps.unwind_chunks),
					     bpf_map__fd(skeleton->maps.unwind_mappings),
					     options->max_bytes, unwinding->map_calls);
	if (options->openers)
		unwinding->opener = opener__new(options->openers);
	if (unwinding->files)
		unwinding->loader =
			unwind_loader__new(unwinding->files, options->readers, options->openers);
	unwinding->lists = unwind_lists__new(bpf_map__fd(regions), bpf_map__max_entries(regions));
	if (map__init_numbers(&unwinding->members, free) || !unwinding->loader ||
	    (options->openers && !unwinding->opener) || !unwinding->lists ||
	    unwind_arrivals__init(&unwinding->arrivals))
		return error__no_memory(err);
	return 0;
}

int unwinding__open(struct unwinding **out, const struct unwinding_options *options,
		    struct error *err)
{
	struct unwinding *unwinding = calloc(1, sizeof(*unwinding));
	int code;

	if (!unwinding)
		return error__no_memory(err);
	unwinding->everyone = options->everyone;
	unwinding->map_calls = options->map_calls;
	code = open_parts(unwinding, options, err);
	if (code)
		unwinding__close(unwinding);
	else
		*out = unwinding;
	return code;
}

static bool free_parts(void *item, void *context)
{
	struct member *member = item;

	unwind_parts__put(&member->parts, context);
	return false;
}

void unwinding__close(struct unwinding *unwinding)
{
	if (!unwinding)
		return;
	while (unwinding->loadings)
		end_loading(unwinding, unwinding->loadings);
	if (unwinding->loader)
		map__visit(&unwinding->members, free_parts, unwinding->loader);
	map__fini(&unwinding->members);
	unwind_loader__free(unwinding->loader);
	opener__free(unwinding->opener);
	unwind_files__free(unwinding->files);
	unwind_lists__free(unwinding->lists);
	unwind_arrivals__fini(&unwinding->arrivals);
	bpf_link__destroy(unwinding->tasks);
	free(unwinding);
}
