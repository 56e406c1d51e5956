// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events only say whose mappings changed; the mappings themselves are read from /proc. So a process
 * that maps ten libraries is read once or twice, and lost records are made up for.
 *
 * The files of the mappings are requested, and arrive later. The programs get a process's list when
 * all files have arrived. Slow files are left out, and the process gets another list when they
 * arrive.
 *
 * The kernel tells the instance of a pid, and is asked before the mappings are read: if an exec
 * comes in between, the list belongs to an instance that has ended.
 */
#include "capture/unwinding/unwinding.h"

#include <poll.h>

#include <bpf/libbpf.h>

#include "base/shortage.h"
#include "capture/host/iterate.h"
#include "capture/host/skeleton.h"
#include "capture/unwinding/internal.h"
#include "processes/opener.h"
#include "topstacks/hash.h"

#define LOAD_NS	     20000000ULL /* longest time for loading without a pause */
#define PAUSE_FACTOR 2		 /* the pause is so many times as long */
#define MAX_PAUSE_NS 10000000ULL

#define NO_ROOM_NS 60000000000ULL /* a process that found no room is not tried again earlier */

/* mappings in queues; few, so that the most sampled process does not wait behind many others */
#define MAX_QUEUED 64

struct unwinding {
	struct unwind_members members;
	struct unwind_loadings loadings;
	struct unwind_listings listings;
	const struct bpf_program *list_task;
	struct unwind_files *files;
	struct opener *opener; /* reads mappings; NULL: they are read here */
	struct unwind_loader *loader;
	struct unwind_lists *lists;
	struct recent_files arrivals;
	uint64_t nr_unlisted; /* processes whose list found no room */
	bool everyone;
	uint64_t pause_until_ns;
};

/* ---- requests ---- */

void unwinding__want(struct unwinding *unwinding, int32_t pid)
{
	unwind_members__set_wanted(&unwinding->members,
				   unwind_members__add(&unwinding->members, pid), true);
}

static void drop_member(struct unwinding *unwinding, struct unwind_member *member)
{
	unwind_loadings__end(&unwinding->loadings, member);
	unwind_listings__withdraw(&unwinding->listings, &member->listing);
	unwind_members__set_wanted(&unwinding->members, member, false);
	map__remove(&unwinding->members.by_pid, &member->pid.item);
}

static void want_known(struct unwinding *unwinding, const struct unwind_member *member, int32_t pid)
{
	if (member || !unwinding->everyone)
		unwinding__want(unwinding, pid);
}

void unwinding__observe(struct unwinding *unwinding, const struct process_event *event)
{
	struct unwind_member *member =
		map__find_number(&unwinding->members.by_pid, (uint32_t)event->pid);

	switch (event->type) {
	case PROCESS_FORKED: /* a child is walked by its parent's tables */
		break;
	case PROCESS_MAPPED:
		recent_files__note(&unwinding->arrivals, event->pid, &event->mapping);
		want_known(unwinding, member, event->pid);
		break;
	case PROCESS_EXECED: /* the files of the old program are not awaited any more */
		if (member)
			unwind_loadings__end(&unwinding->loadings, member);
		want_known(unwinding, member, event->pid);
		break;
	case PROCESS_EXITED:
		if (member)
			drop_member(unwinding, member);
		break;
	case PROCESS_RECORDS_LOST:
		unwind_members__want_all(&unwinding->members);
		break;
	}
}

void unwinding__sampled(struct unwinding *unwinding, const struct process *process, uint64_t count)
{
	struct unwind_member *member;

	if (process->kernel_thread || process->pid <= 0)
		return;
	member = unwind_members__add(&unwinding->members, process->pid);
	if (member->listing.instance == process->instance ||
	    (member->loading && member->loading->instance == process->instance) ||
	    process->seen_ns < member->loaded_ns)
		return;
	member->heat += count;
	unwind_members__set_wanted(&unwinding->members, member, true);
}

/* ---- arrival of files ---- */

/*
 * Takes the files that have arrived, without waiting. Processes whose files have all arrived,
 * except slow ones, get their list.
 */
static int take_files(struct unwinding *unwinding)
{
	struct unwind_loading *loading, *next;
	uint64_t now_ns;
	int code = 0;

	if (unwind_loader__work(unwinding->loader) && unwinding->listings.nr_lacking)
		unwind_members__want_lacking(&unwinding->members);
	now_ns = monotonic_ns();
	for (loading = unwinding->loadings.first; loading && code != -ENOMEM; loading = next) {
		next = loading->next;
		if (!loading->has_maps || !unwind_parts__are_ready(&loading->parts, now_ns))
			continue;
		code = unwind_listings__publish(&unwinding->listings, &loading->member->listing,
						loading->instance, &loading->parts);
		/* no room for the list, or in the map of processes */
		if (code == -ENOSPC || code == -E2BIG) {
			unwinding->nr_unlisted++;
			loading->member->loaded_ns += NO_ROOM_NS;
		}
		unwind_loadings__end(&unwinding->loadings, loading->member);
	}
	return code == -ENOMEM ? code : 0;
}

/* ---- loading ---- */

struct instance_wanted {
	int32_t pid;
	uint64_t instance; /* 0: there is no such process */
};

static int note_instance(void *context, const void *record)
{
	const struct task_record *task = record;
	struct instance_wanted *wanted = context;

	if ((int32_t)task->ns_tid != wanted->pid || task->tid != task->tgid)
		return 0;
	wanted->instance = hash_process(task->tgid, task->start_ns, task->exec_id);
	return -ECANCELED; /* found: ends the pass */
}

/* Asks for a single process: a list of all tasks, perhaps 100,000, would take 100 ms. */
static int find_instance(const struct unwinding *unwinding, int32_t pid, uint64_t *instance,
			 struct error *err)
{
	struct instance_wanted wanted = {.pid = pid};
	struct bpf_link *link = iterate__link_thread(unwinding->list_task, pid);
	int code = link ? 0 : -errno;

	if (link)
		code = iterate__run(link, sizeof(struct task_record), note_instance, &wanted);
	bpf_link__destroy(link);
	*instance = wanted.instance;
	if (!code || code == -ECANCELED || code == -ESRCH)
		return 0;
	return iterate__explain(unwinding->list_task, code, err);
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

/*
 * Requests the files of a process that has ended: it is not sampled again, but others of its kind
 * may be.
 */
static void learn_from(struct unwinding *unwinding, struct unwind_member *member)
{
	struct learning learning = {unwinding->loader, unwind_member__pid(member)};

	recent_files__each(&unwinding->arrivals, unwind_member__pid(member), learn_file, &learning);
	drop_member(unwinding, member);
}

static int load_wanted(struct unwinding *unwinding, const struct unwind_timeout *patience,
		       struct error *err)
{
	struct unwind_member **queue;
	size_t nr_queued, i;
	int code = 0;

	queue = unwind_members__queue(&unwinding->members, &nr_queued);
	for (i = 0; i < nr_queued && !code && !(i && unwind_timeout__is_over(patience)) &&
		    unwind_loader__nr_queued(unwinding->loader) < MAX_QUEUED;
	     i++) {
		uint64_t instance = 0;

		code = find_instance(unwinding, unwind_member__pid(queue[i]), &instance, err);
		if (!code && instance)
			code = unwind_loadings__begin(&unwinding->loadings, queue[i], instance,
						      patience);
		else if (!code)
			learn_from(unwinding, queue[i]);
	}
	free(queue);
	/* after a shortage the members stay wanted */
	return code < 0 && !shortage__is(code) ? code : 0;
}

/* Fills err if there is more to say than that tables were not loaded. */
static int refresh(struct unwinding *unwinding, bool (*is_urgent)(void *context), void *context,
		   struct error *err)
{
	const uint64_t start_ns = monotonic_ns();
	const struct unwind_timeout patience = {start_ns + LOAD_NS, is_urgent, context};
	uint64_t now_ns, pause_ns;
	int code = unwind_loadings__take_maps(&unwinding->loadings, &patience);

	if (!code)
		code = take_files(unwinding);
	if (code || !unwinding->members.nr_wanted ||
	    (start_ns < unwinding->pause_until_ns && is_urgent) ||
	    unwind_loader__nr_queued(unwinding->loader) >= MAX_QUEUED)
		return code;
	code = load_wanted(unwinding, &patience, err);
	if (!code)
		code = take_files(unwinding);
	now_ns = monotonic_ns();
	pause_ns = PAUSE_FACTOR * (now_ns - start_ns);
	unwinding->pause_until_ns = now_ns + (pause_ns < MAX_PAUSE_NS ? pause_ns : MAX_PAUSE_NS);
	return code;
}

int unwinding__refresh(struct unwinding *unwinding, bool (*is_urgent)(void *context), void *context,
		       struct error *err)
{
	struct error told = {0};
	const int code = refresh(unwinding, is_urgent, context, &told);

	if (code && told.code)
		*err = told;
	else if (code)
		error__set(err, EXIT_INTERNAL, code, "cannot load unwind tables into BPF maps");
	return code;
}

_Static_assert(UNWINDING_MAX_WATCHED == UNWIND_MAX_WATCHED + 1, "the loader's, and the opener");

size_t unwinding__watch(const struct unwinding *unwinding, struct pollfd *watched)
{
	const size_t nr = unwind_loader__watch(unwinding->loader, watched);

	return nr + unwind_loadings__watch(&unwinding->loadings, watched + nr);
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
	return unwinding->members.nr_wanted || unwinding->loadings.first;
}

bool unwinding__moves(struct unwinding *unwinding)
{
	const bool reads_maps = unwinding->opener && opener__is_at_work(unwinding->opener);

	return unwind_loader__moves(unwinding->loader) || reads_maps;
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

void unwinding__await(struct unwinding *unwinding)
{
	unwind_files__await(unwinding->files);
}

bool unwinding__has_interpreters(const struct unwinding *unwinding)
{
	return unwind_files__have_interpreters(unwinding->files);
}

size_t unwinding__kernel_bytes(const struct unwinding *unwinding)
{
	return unwind_files__kernel_bytes(unwinding->files);
}

/* ---- life ---- */

int unwinding__open(struct unwinding **out, const struct unwinding_options *options,
		    struct error *err)
{
	const struct topstacks_bpf *skeleton = options->skeleton;
	const struct bpf_map *regions = skeleton->maps.unwind_regions;
	struct unwinding *unwinding = xcalloc(1, sizeof(*unwinding));

	unwinding->everyone = options->everyone;
	unwinding->list_task = skeleton->progs.on_list_task;
	skeleton->bss->session.tables_epoch = 1;
	unwinding->files = unwind_files__new(
		bpf_map__fd(skeleton->maps.unwind_chunks),
		bpf_map__fd(skeleton->maps.unwind_mappings), options->max_bytes, options->map_calls,
		skeleton->rodata->cfg_follow_interpreters ? bpf_map__fd(skeleton->maps.interpreters)
							  : -1,
		&skeleton->bss->session.tables_epoch);
	if (options->openers)
		unwinding->opener = opener__new(options->openers);
	unwinding->loader =
		unwind_loader__new(unwinding->files, options->readers, options->openers);
	unwinding->lists = unwind_lists__new(bpf_map__fd(regions), bpf_map__max_entries(regions));
	map__init_numbers(&unwinding->members.by_pid, free);
	recent_files__init(&unwinding->arrivals);
	unwinding->listings.processes = bpf_map__fd(skeleton->maps.unwind_procs);
	unwinding->listings.map_calls = options->map_calls;
	unwinding->listings.lists = unwinding->lists;
	unwinding->loadings = (struct unwind_loadings){&unwinding->members, unwinding->loader,
						       unwinding->opener, NULL};
	if (!unwinding->lists) {
		unwinding__close(unwinding);
		return memory__error(err);
	}
	*out = unwinding;
	return 0;
}

void unwinding__close(struct unwinding *unwinding)
{
	if (!unwinding)
		return;
	while (unwinding->loadings.first)
		unwind_loadings__end(&unwinding->loadings, unwinding->loadings.first->member);
	unwind_members__fini(&unwinding->members);
	unwind_loader__free(unwinding->loader);
	opener__free(unwinding->opener);
	unwind_files__free(unwinding->files);
	unwind_lists__free(unwinding->lists);
	recent_files__fini(&unwinding->arrivals);
	free(unwinding);
}
