// SPDX-License-Identifier: GPL-2.0-only
#include "capture/tasks/judging.h"

#include <bpf/libbpf.h>

#include "capture/events/capture_options.h"
#include "capture/host/iterate.h"
#include "capture/host/skeleton.h"
#include "capture/tasks/no_match.h"
#include "topstacks/abi.h"

#define MAX_ROUNDS 100 /* limit of passes; a family that keeps growing is not found completely */

struct process_list {
	struct task_record *processes;
	size_t nr_processes, capacity;
};

static int add_process(void *context, const void *record)
{
	struct process_list *list = context;

	if (array__reserve(&list->processes, &list->capacity, list->nr_processes + 1))
		return -ENOMEM;
	list->processes[list->nr_processes++] = *(const struct task_record *)record;
	return 0;
}

/* Judges until a pass changes no process: children may come before their parents. */
static int judge_first(struct judging *judging, struct process_list *list)
{
	struct program_session *session = &judging->skeleton->bss->session;
	uint32_t before;
	int code, i = 0;

	session->begins = 1;
	do {
		before = __atomic_load_n(&session->nr_moved, __ATOMIC_RELAXED);
		session->judgement++;
		list->nr_processes = 0;
		code = iterate__run(judging->link, sizeof(struct task_record), add_process, list);
	} while (!code && before != __atomic_load_n(&session->nr_moved, __ATOMIC_RELAXED) &&
		 ++i < MAX_ROUNDS);
	session->begins = 0;
	return code;
}

/* Reports the processes that have all kinds asked for. */
static int tell(const struct judging *judging, const struct capture_options *options,
		const struct process_list *list,
		int (*on_target)(void *context, const struct task_record *process), void *context,
		struct error *err)
{
	const uint32_t kinds = judging->skeleton->rodata->cfg_kinds;
	size_t i, nr_targets = 0;
	int code = 0;

	if (judging->wanted.missing_kind)
		return nobody__has_name(&judging->wanted, list->processes, list->nr_processes, err);
	for (i = 0; i < list->nr_processes && !code; i++)
		if ((list->processes[i].kinds & kinds) == kinds) {
			code = on_target(context, &list->processes[i]);
			nr_targets++;
		}
	if (code)
		return error__no_memory(err);
	if (nr_targets || options->scope == SCOPE_COMMAND)
		return 0;
	return nobody__is_all(&judging->wanted, kinds, list->processes, list->nr_processes, err);
}

int judging__begin(struct judging *judging, const struct capture_options *options,
		   struct topstacks_bpf *skeleton,
		   int (*on_target)(void *context, const struct task_record *process),
		   void *context, struct error *err)
{
	struct process_list list = {0};
	int code;

	judging->skeleton = skeleton;
	code = wanted_names__init(&judging->wanted, &options->names, skeleton, err);
	if (code)
		return code;
	judging->link = iterate__link(skeleton->progs.on_judge_task);
	if (!judging->link)
		return iterate__explain(skeleton->progs.on_judge_task, -errno, err);
	code = judge_first(judging, &list);
	if (code)
		iterate__explain(skeleton->progs.on_judge_task, code, err);
	else
		code = tell(judging, options, &list, on_target, context, err);
	free(list.processes);
	return code;
}

void judging__end(struct judging *judging)
{
	bpf_link__destroy(judging->link);
	wanted_names__fini(&judging->wanted);
	*judging = (struct judging){0};
}

int judging__again(struct judging *judging)
{
	if (!judging->link)
		return 0;
	wanted_names__refresh(&judging->wanted);
	judging->skeleton->bss->session.judgement++;
	return iterate__pass(judging->link);
}
