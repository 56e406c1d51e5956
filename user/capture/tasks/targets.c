// SPDX-License-Identifier: GPL-2.0-only
#include "capture/tasks/targets.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/system/rights.h"
#include "capture/events/capture_options.h"
#include "capture/host/iterate.h"
#include "capture/host/skeleton.h"
#include "capture/tasks/internal.h"
#include "topstacks/abi.h"

#define MAX_ROUNDS 100 /* limit of passes; a family that keeps growing is not found completely */

/* All threads visible in our pid namespace, from one pass over the kernel's list. */
struct task_list {
	struct task_record *tasks;
	size_t nr_tasks, capacity;
};

static int add_task(void *context, const void *record)
{
	struct task_list *list = context;

	array__reserve(&list->tasks, &list->capacity, list->nr_tasks + 1);
	list->tasks[list->nr_tasks++] = *(const struct task_record *)record;
	return 0;
}

static int list_tasks(const struct targets *targets, struct task_list *list,
		      const struct bpf_link *link, struct error *err)
{
	int code;

	list->nr_tasks = 0;
	code = iterate__run(link, sizeof(struct task_record), add_task, list);
	return code ? iterate__explain(targets->skeleton->progs.on_list_task, code, err) : 0;
}

/* Adds an entry. Returns 1 if added, 0 if it was there, or negative errno. */
static int add_target(struct topstacks_bpf *skeleton, uint32_t id,
		      const struct target_entry *target)
{
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	const int failed =
		bpf_map_update_elem(bpf_map__fd(skeleton->maps.targets), &id, target, BPF_NOEXIST);

	rights__restore(before);
	if (!failed) {
		__atomic_fetch_add(&skeleton->bss->session.nr_targets, 1, __ATOMIC_RELAXED);
		return 1;
	}
	return errno == EEXIST ? 0 : -errno;
}

static void remember(struct targets *targets, uint32_t pid)
{
	for (size_t i = 0; i < targets->nr_pids; i++)
		if (targets->pids[i] == (int32_t)pid)
			return;
	array__reserve(&targets->pids, &targets->pids_capacity, targets->nr_pids + 1);
	targets->pids[targets->nr_pids++] = (int32_t)pid;
}

/* Refuses an id that is not in the kernel's list. Some sandboxes keep their processes out of it. */
static int refuse_unlisted(pid_t id, bool by_thread, struct error *err)
{
	const char *what = by_thread ? "thread" : "process";

	if (!kill(id, 0) || errno == EPERM)
		return error__say(err, EXIT_SYSTEM, -ESRCH,
				  "%s %d exists, but this kernel does not show it to BPF programs",
				  what, id);
	return error__say(err, EXIT_USAGE, -ESRCH, "no such %s: %d", what, id);
}

/*
 * Returns the entry of a process. With names, the kernel decides if it is sampled; a command is
 * sampled from its next exec on.
 */
static struct target_entry entry_of(const struct capture_options *options,
				    const struct task_record *task)
{
	const bool is_command = options->scope == SCOPE_COMMAND;
	struct target_entry entry = {.start_ns = task->start_ns, .kinds = KIND_ID};

	if (target_names__any(&options->names)) {
		entry.min_exec_id = NEVER_SAMPLED;
		entry.kinds = is_command ? KIND_COMMAND : KIND_ID;
	} else if (is_command) {
		entry.min_exec_id = task->exec_id + 1;
	}
	return entry;
}

/* Adds the processes or threads that the user named by id. */
static int add_named(struct targets *targets, const struct capture_options *options,
		     const struct task_list *list, struct error *err)
{
	bool by_thread = options->scope == SCOPE_THREAD;
	const struct task_record *task;
	struct target_entry target;
	struct quoted comm;
	size_t i;
	int code;

	for (i = 0; i < options->nr_ids; i++) {
		task = list->tasks;
		while (task < list->tasks + list->nr_tasks &&
		       task->ns_tid != (uint32_t)options->ids[i])
			task++;
		if (task == list->tasks + list->nr_tasks)
			return refuse_unlisted(options->ids[i], by_thread, err);
		if (!by_thread && task->tid != task->tgid)
			return error__say(err, EXIT_USAGE, -EINVAL,
					  "%u is a thread of process %u, %s; to sample the thread "
					  "alone use -t %u",
					  task->ns_tid, task->ns_tgid, quote(&comm, task->comm),
					  task->ns_tid);
		target = entry_of(options, task);
		code = add_target(targets->skeleton, task->tid, &target);
		if (code < 0)
			return error__set(err, EXIT_INTERNAL, code, "cannot sample process %d",
					  options->ids[i]);
		array__reserve(&targets->named, &targets->named_capacity, targets->nr_named + 1);
		targets->named[targets->nr_named++] = (struct named_target){
			.id = task->tid, .pidfd = (int)syscall(SYS_pidfd_open, task->ns_tid, 0)};
		remember(targets, task->ns_tgid);
	}
	return 0;
}

static bool is_target(const struct topstacks_bpf *skeleton, uint32_t tgid)
{
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	struct target_entry target;
	const int failed = bpf_map_lookup_elem(bpf_map__fd(skeleton->maps.targets), &tgid, &target);

	rights__restore(before);
	return !failed;
}

/* Adds the living children of targets, one level deep. Returns how many were added. */
static int add_children(struct targets *targets, const struct capture_options *options,
			const struct task_list *list, struct error *err)
{
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE); /* once for all of them */
	int added = 0, code = 0;

	for (size_t i = 0; i < list->nr_tasks && code >= 0; i++) {
		const struct task_record *task = &list->tasks[i];
		const struct target_entry target = entry_of(options, task);

		if (task->tid != task->tgid || !is_target(targets->skeleton, task->parent_tgid))
			continue;
		code = add_target(targets->skeleton, task->tgid, &target);
		if (code == -E2BIG) {
			targets->skeleton->bss->session.children_not_followed++;
			code = 0;
			continue;
		}
		if (code < 0) {
			error__set(err, EXIT_INTERNAL, code, "cannot follow process %u",
				   task->ns_tgid);
			break;
		}
		added += code;
		remember(targets, task->ns_tgid);
	}
	rights__restore(before);
	return code < 0 ? code : added;
}

/*
 * Finds all targets. With children, lists tasks until a pass finds no new one: from then on the
 * whole family is in the map, and on_fork adds later children.
 */
static int find_targets(struct targets *targets, const struct capture_options *options,
			const struct bpf_link *link, struct task_list *list, struct error *err)
{
	const struct bpf_program *program = targets->skeleton->progs.on_list_task;
	struct bpf_link *one;
	int code;

	if (options->scope == SCOPE_SYSTEM || options->scope == SCOPE_NAMED)
		return list_tasks(targets, list, link, err);
	if (options->nr_ids == 1) { /* saves a pass over thousands of tasks */
		one = iterate__link_thread(program, options->ids[0]);
		code = one ? list_tasks(targets, list, one, err)
			   : iterate__explain(program, -errno, err);
		bpf_link__destroy(one);
	} else {
		code = list_tasks(targets, list, link, err);
	}
	/* In a nested pid namespace ids have no type, so a typed pointer does not lead to them. */
	if (!code && !targets->skeleton->rodata->cfg_reads_kernel &&
	    targets->skeleton->bss->session.pid_level) {
		error__say(err, EXIT_SYSTEM, -ENOTSUP,
			   "cannot find processes by their ids in this pid namespace: the kernel "
			   "refuses bpf_probe_read_kernel()");
		return error__remedy(err,
				     "run topstacks in the first pid namespace, or sample all: -a");
	}
	if (!code)
		code = add_named(targets, options, list, err);
	if (code || !options->follow_children || options->scope != SCOPE_PROCESSES)
		return code;
	do {
		code = list_tasks(targets, list, link, err);
		if (!code)
			code = add_children(targets, options, list, err);
	} while (code > 0);
	return code;
}

/* ---- judging by names ---- */

/* Judges until a pass changes no process: children may come before their parents. */
static int judge_first(struct judging *judging, struct task_list *list)
{
	struct program_session *session = &judging->skeleton->bss->session;
	uint32_t before;
	int code, i = 0;

	session->begins = 1;
	do {
		before = __atomic_load_n(&session->nr_moved, __ATOMIC_RELAXED);
		session->judgement++;
		list->nr_tasks = 0;
		code = iterate__run(judging->link, sizeof(struct task_record), add_task, list);
	} while (!code && before != __atomic_load_n(&session->nr_moved, __ATOMIC_RELAXED) &&
		 ++i < MAX_ROUNDS);
	session->begins = 0;
	return code;
}

/*
 * Judges all processes, and remembers those that have all kinds asked for. Processes named by id
 * must be in the targets map already. Returns 0 or negative errno; -ESRCH: no process is a target,
 * and no command will become one.
 */
static int begin_judging(struct targets *targets, const struct capture_options *options,
			 struct task_list *list, struct error *err)
{
	struct topstacks_bpf *skeleton = targets->skeleton;
	const uint32_t kinds = skeleton->rodata->cfg_kinds;
	struct judging *judging = &targets->judging;
	size_t nr_targets = 0;
	int code;

	judging->skeleton = skeleton;
	code = wanted_names__init(&judging->wanted, &options->names, skeleton, err);
	if (code)
		return code;
	judging->link = iterate__link(skeleton->progs.on_judge_task);
	if (!judging->link)
		return iterate__explain(skeleton->progs.on_judge_task, -errno, err);
	code = judge_first(judging, list);
	if (code)
		return iterate__explain(skeleton->progs.on_judge_task, code, err);

	if (judging->wanted.missing_kind)
		return no_match__has_name(&judging->wanted, list->tasks, list->nr_tasks, err);
	for (size_t i = 0; i < list->nr_tasks; i++)
		if ((list->tasks[i].kinds & kinds) == kinds) {
			remember(targets, list->tasks[i].ns_tgid);
			nr_targets++;
		}
	if (nr_targets || options->scope == SCOPE_COMMAND)
		return 0;
	return no_match__is_all(&judging->wanted, kinds, list->tasks, list->nr_tasks, err);
}

int judging__again(struct judging *judging)
{
	if (!judging->link)
		return 0;
	wanted_names__refresh(&judging->wanted);
	judging->skeleton->bss->session.judgement++;
	return iterate__pass(judging->link);
}

/* ---- life ---- */

int targets__init(struct targets *targets, const struct capture_options *options,
		  struct topstacks_bpf *skeleton, struct error *err)
{
	struct task_list list = {0};
	struct bpf_link *link;
	uint64_t before;
	int code;

	*targets = (struct targets){.skeleton = skeleton};
	link = iterate__link(skeleton->progs.on_list_task);
	if (!link)
		return iterate__explain(skeleton->progs.on_list_task, -errno, err);
	before = rights__raise(RIGHTS_TO_SAMPLE); /* raised once, not for each process */
	code = find_targets(targets, options, link, &list, err);
	rights__restore(before);
	if (!code && target_names__any(&options->names))
		code = begin_judging(targets, options, &list, err);
	bpf_link__destroy(link);
	free(list.tasks);
	if (code)
		targets__fini(targets);
	return code;
}

void targets__fini(struct targets *targets)
{
	size_t i;

	for (i = 0; i < targets->nr_named; i++)
		if (targets->named[i].pidfd >= 0)
			close(targets->named[i].pidfd);
	bpf_link__destroy(targets->judging.link);
	wanted_names__fini(&targets->judging.wanted);
	free(targets->named);
	free(targets->pids);
	*targets = (struct targets){0};
}

uint64_t targets__nr_living(const struct targets *targets)
{
	const struct program_session *session = &targets->skeleton->bss->session;
	uint64_t nr_known = __atomic_load_n(&session->nr_targets, __ATOMIC_RELAXED);
	struct pollfd wanted = {.events = POLLIN};
	uint64_t nr_ended = 0;
	size_t i;

	for (i = 0; i < targets->nr_named && nr_ended < nr_known; i++) {
		wanted.fd = targets->named[i].pidfd;
		nr_ended += wanted.fd >= 0 && poll(&wanted, 1, 0) > 0 &&
			    is_target(targets->skeleton, targets->named[i].id);
	}
	return nr_known - nr_ended;
}
