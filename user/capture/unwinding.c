// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events only say whose mappings changed; what they are now is read from /proc. So a process that
 * maps ten libraries is read once or twice, and what was lost is found again.
 *
 * The program finds a process by its instance, which an exec changes: a list of regions never meets
 * another image's samples. The kernel's list of tasks says which instance a pid is, and it is asked
 * before the mappings are read: if an exec comes between, the list is of an instance that has
 * ended.
 */
#include "capture/unwinding.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/map.h"
#include "capture/features.h"
#include "capture/iterate.h"
#include "capture/map_calls.h"
#include "capture/skeleton.h"
#include "capture/unwind_arrivals.h"
#include "capture/unwind_files.h"
#include "capture/unwind_regions.h"
#include "processes/maps.h"
#include "processes/procfs.h"
#include "topstacks/hash.h"

#define MAX_REGIONS  (1U << UNWIND_REGIONS_SHIFT)
#define MAX_SHARDS   (UNWIND_MAX_ROWS / UNWIND_CHUNK_ROWS + 1) /* of one file */
#define LOAD_NS	     20000000ULL			       /* for so long at a time */
#define PAUSE_FACTOR 2					       /* then a pause of so many times */
#define MAX_PAUSE_NS 10000000ULL

/* A process that has tables, or that wants them. */
struct member {
	struct map_number pid;
	bool is_wanted; /* its mappings are to be read */
	uint64_t heat;	/* samples since it was last loaded, of another instance than that */
	uint64_t next_instance; /* of the kernel's list; 0: not in it */
	uint64_t instance;	/* that has an entry in the map; 0: none */
	uint64_t loaded_ns;	/* CLOCK_MONOTONIC */
	struct unwind_regions list;
	struct unwind_file **files;
	size_t nr_files;
};

struct unwinding {
	struct map members; /* by pid */
	struct bpf_link *tasks;
	int processes;		     /* map: instance -> struct unwind_regions */
	struct map_calls *map_calls; /* borrowed */
	struct unwind_files *files;
	struct unwind_lists *lists;
	struct unwind_arrivals arrivals;
	uint64_t nr_unlisted; /* processes whose list found no room */
	bool everyone;
	size_t nr_wanted;
	uint64_t pause_until_ns;
	struct unwind_region regions[MAX_REGIONS]; /* of the process at hand */
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

static void put_files(struct unwinding *unwinding, struct unwind_file **files, size_t nr_files)
{
	size_t i;

	for (i = 0; i < nr_files; i++)
		unwind_files__put(unwinding->files, files[i]);
	free(files);
}

/* Takes from the program what it knows of the process. */
static void withdraw(struct unwinding *unwinding, struct member *member)
{
	if (!member->instance)
		return;
	map_calls__delete(unwinding->map_calls, unwinding->processes, &member->instance);
	unwind_lists__remove(unwinding->lists, &member->list);
	put_files(unwinding, member->files, member->nr_files);
	member->instance = 0;
	member->files = NULL;
	member->nr_files = 0;
}

static void drop_member(struct unwinding *unwinding, struct member *member)
{
	withdraw(unwinding, member);
	set_wanted(unwinding, member, false);
	map__remove(&unwinding->members, &member->pid.item);
}

static bool want_member(void *item, void *context)
{
	set_wanted(context, item, true);
	return false;
}

void unwinding__observe(struct unwinding *unwinding, const struct process_event *event)
{
	struct member *member = find_member(unwinding, event->pid);

	switch (event->type) {
	case PROCESS_FORKED: /* it is walked by its parent's tables */
		break;
	case PROCESS_MAPPED:
		unwind_arrivals__note(&unwinding->arrivals, event->pid, &event->mapping);
		/* fallthrough */
	case PROCESS_EXECED:
		if (member || !unwinding->everyone)
			unwinding__want(unwinding, event->pid);
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
	    process->seen_ns < member->loaded_ns)
		return;
	member->heat += count;
	set_wanted(unwinding, member, true);
}

/* ---- loading one process ---- */

/* How long a refresh may take, and what cuts it short then. */
struct patience {
	uint64_t until_ns;
	bool (*is_urgent)(void *context);
	void *context;
};

struct loading {
	struct unwinding *unwinding;
	struct member *member;
	const struct patience *patience;
	struct unwind_file **files;
	size_t nr_files, capacity, nr_regions;
	bool is_partial; /* there are more regions than fit */
};

static int keep_file(struct loading *loading, struct unwind_file *file)
{
	if (array__reserve(&loading->files, &loading->capacity, loading->nr_files + 1)) {
		unwind_files__put(loading->unwinding->files, file);
		return -ENOMEM;
	}
	loading->files[loading->nr_files++] = file;
	return 0;
}

static bool is_over(const struct patience *patience)
{
	return patience->is_urgent && monotonic_ns() >= patience->until_ns;
}

/* Addresses from 2^63 on are the vsyscall page's, and regions are compared as signed numbers. */
static int load_mapping(void *context, const struct mapping *mapping)
{
	struct loading *loading = context;
	struct unwinding *unwinding = loading->unwinding;
	struct unwind_file *file;

	if (mapping->end >> 63 || mapping->end <= mapping->start)
		return 0;
	if (is_over(loading->patience) && loading->patience->is_urgent(loading->patience->context))
		return -EAGAIN; /* what was loaded of its files so far need not be loaded again */
	if (loading->nr_regions + MAX_SHARDS > MAX_REGIONS) {
		loading->is_partial = true; /* a program that writes code in thousands of places */
		return 1;
	}
	file = unwind_files__get(unwinding->files, mapping, pid_of(loading->member));
	if (file && keep_file(loading, file))
		return -ENOMEM;
	loading->nr_regions +=
		unwind_file__regions(file, mapping, unwinding->regions + loading->nr_regions,
				     MAX_REGIONS - loading->nr_regions);
	return 0;
}

/* Gives the program a new list; the one before is given up, and an old image's with it. */
static int publish(struct unwinding *unwinding, struct member *member, struct loading *loading)
{
	struct member before = *member;
	struct unwind_regions list;
	int code;

	code = unwind_lists__add(unwinding->lists, unwinding->regions,
				 (uint32_t)loading->nr_regions, &list);
	if (code)
		return code;
	list.is_partial = loading->is_partial;
	code = map_calls__update(unwinding->map_calls, unwinding->processes, &member->next_instance,
				 &list);
	if (code) {
		unwind_lists__remove(unwinding->lists, &list);
		return code;
	}
	member->list = list;
	member->instance = member->next_instance;
	member->files = loading->files;
	member->nr_files = loading->nr_files;
	if (!before.instance)
		return 0;
	if (before.instance != member->instance)
		map_calls__delete(unwinding->map_calls, unwinding->processes, &before.instance);
	unwind_lists__remove(unwinding->lists, &before.list);
	put_files(unwinding, before.files, before.nr_files);
	return 0;
}

static int load_mappings(struct loading *loading)
{
	const int process = procfs__open(pid_of(loading->member));
	int code;

	if (process < 0)
		return process;
	code = maps__each_executable(process, load_mapping, loading);
	close(process);
	return code;
}

/* What cannot be loaded, because it is gone or there is no room, is walked by frame pointers. */
static int load(struct unwinding *unwinding, struct member *member, const struct patience *patience)
{
	struct loading loading = {.unwinding = unwinding, .member = member, .patience = patience};
	uint64_t heat = member->heat;
	int code;

	member->heat = 0;
	member->loaded_ns = monotonic_ns();
	set_wanted(unwinding, member, false);
	code = load_mappings(&loading);
	if (code >= 0 && loading.nr_regions)
		code = publish(unwinding, member, &loading);
	else if (!code)
		code = -ENOENT; /* it is about to end, and has no memory of its own any more */
	if (code < 0)
		put_files(unwinding, loading.files, loading.nr_files);
	if (code == -EAGAIN) {
		member->heat = heat;
		set_wanted(unwinding, member, true);
	}
	if (code == -ENOSPC || code == -E2BIG) /* of the lists, of the map that finds them */
		unwinding->nr_unlisted++;
	return code == -ENOMEM ? code : 0;
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

	if (member->is_wanted)
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

static void learn_file(void *context, const struct mapping *mapping)
{
	const struct loading *loading = context;
	struct unwind_files *files = loading->unwinding->files;
	struct unwind_file *file = unwind_files__get(files, mapping, pid_of(loading->member));

	if (file)
		unwind_files__put(files, file);
}

/* A process that has ended will not be sampled again, but its like may be. */
static void learn_from(struct unwinding *unwinding, struct member *member)
{
	struct loading loading = {.unwinding = unwinding, .member = member};

	unwind_arrivals__each(&unwinding->arrivals, pid_of(member), learn_file, &loading);
	drop_member(unwinding, member);
}

static int load_queue(struct unwinding *unwinding, const struct queue *queue,
		      const struct patience *patience)
{
	size_t i;
	int code = 0;

	for (i = 0; i < queue->nr_members && !code && !(i && is_over(patience)); i++) {
		if (queue->members[i]->next_instance)
			code = load(unwinding, queue->members[i], patience);
		else
			learn_from(unwinding, queue->members[i]);
	}
	return code;
}

int unwinding__refresh(struct unwinding *unwinding, bool (*is_urgent)(void *context), void *context)
{
	uint64_t start_ns = monotonic_ns(), now_ns, pause_ns;
	const struct patience patience = {start_ns + LOAD_NS, is_urgent, context};
	struct queue queue = {0};
	int code;

	if (!unwinding->nr_wanted || (start_ns < unwinding->pause_until_ns && is_urgent))
		return 0;
	queue.members = calloc(unwinding->nr_wanted, sizeof(struct member *));
	if (!queue.members)
		return -ENOMEM;
	map__visit(&unwinding->members, enqueue, &queue);
	qsort(queue.members, queue.nr_members, sizeof(struct member *), by_heat);
	code = iterate__run(unwinding->tasks, sizeof(struct task_record), note_instance, unwinding);
	if (!code)
		code = load_queue(unwinding, &queue, &patience);
	free(queue.members);
	now_ns = monotonic_ns();
	pause_ns = PAUSE_FACTOR * (now_ns - start_ns);
	unwinding->pause_until_ns = now_ns + (pause_ns < MAX_PAUSE_NS ? pause_ns : MAX_PAUSE_NS);
	return code;
}

uint64_t unwinding__take_unlisted(struct unwinding *unwinding)
{
	uint64_t nr_unlisted = unwinding->nr_unlisted;

	unwinding->nr_unlisted = 0;
	return nr_unlisted;
}

bool unwinding__is_behind(const struct unwinding *unwinding)
{
	return unwinding->nr_wanted > 0;
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

static int open_parts(struct unwinding *unwinding, struct topstacks_bpf *skeleton, size_t max_bytes,
		      struct error *err)
{
	const struct bpf_map *regions = skeleton->maps.unwind_regions;

	unwinding->tasks = iterate__link(skeleton->progs.on_list_task, -1);
	if (!unwinding->tasks)
		return features__explain(NULL, err, -errno, "list processes");
	unwinding->processes = bpf_map__fd(skeleton->maps.unwind_procs);
	unwinding->files = unwind_files__new(bpf_map__fd(skeleton->maps.unwind_chunks),
					     bpf_map__fd(skeleton->maps.unwind_mappings), max_bytes,
					     unwinding->map_calls);
	unwinding->lists = unwind_lists__new(bpf_map__fd(regions), bpf_map__max_entries(regions));
	if (map__init_numbers(&unwinding->members, free) || !unwinding->files ||
	    !unwinding->lists || unwind_arrivals__init(&unwinding->arrivals))
		return error__no_memory(err);
	return 0;
}

int unwinding__open(struct unwinding **out, struct topstacks_bpf *skeleton, bool everyone,
		    size_t max_bytes, struct map_calls *map_calls, struct error *err)
{
	struct unwinding *unwinding = calloc(1, sizeof(*unwinding));
	int code;

	if (!unwinding)
		return error__no_memory(err);
	unwinding->everyone = everyone;
	unwinding->map_calls = map_calls;
	code = open_parts(unwinding, skeleton, max_bytes, err);
	if (code)
		unwinding__close(unwinding);
	else
		*out = unwinding;
	return code;
}

static bool free_files(void *item, void *context)
{
	struct member *member = item;

	put_files(context, member->files, member->nr_files);
	return false;
}

void unwinding__close(struct unwinding *unwinding)
{
	if (!unwinding)
		return;
	if (unwinding->files)
		map__visit(&unwinding->members, free_files, unwinding);
	map__fini(&unwinding->members);
	unwind_files__free(unwinding->files);
	unwind_lists__free(unwinding->lists);
	unwind_arrivals__fini(&unwinding->arrivals);
	bpf_link__destroy(unwinding->tasks);
	free(unwinding);
}
