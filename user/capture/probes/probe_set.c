// SPDX-License-Identifier: GPL-2.0-only
#include "capture/probes/probe_set.h"

#include <pthread.h>

#include "base/system/thread.h"

#define NR_CLOSERS 16

void probe_set__init(struct probe_set *set, size_t nr)
{
	*set = (struct probe_set){.list = xcalloc(nr + 1, sizeof(*set->list))};
	for (; set->nr < nr; set->nr++)
		probed_processes__init(&set->list[set->nr].processes);
}

int probe_set__add(struct probe_set *set, int32_t pid)
{
	int code = 0;

	for (size_t i = 0; i < set->nr && !code; i++)
		code = probed_processes__add(&set->list[i].processes, &set->list[i].request, pid);
	return code;
}

void probe_set__observe(struct probe_set *set, const struct process_event *event,
			bool follows_children)
{
	for (size_t i = 0; i < set->nr; i++)
		probed_processes__observe(&set->list[i].processes, event, follows_children);
}

void probe_set__take_late(struct probe_set *set, uint64_t *nr, uint64_t *ns)
{
	uint64_t nr_late, late_ns;

	*nr = *ns = 0;
	for (size_t i = 0; i < set->nr; i++) {
		probed_processes__take_late(&set->list[i].processes, &nr_late, &late_ns);
		*nr = nr_late > *nr ? nr_late : *nr;
		*ns = late_ns > *ns ? late_ns : *ns;
	}
}

static void *close_one(void *probe)
{
	probed_processes__close(&((struct set_probe *)probe)->processes);
	return NULL;
}

/* Removal of a probe makes the kernel wait; several threads wait at the same time. */
void probe_set__stop(struct probe_set *set)
{
	pthread_t threads[NR_CLOSERS];
	size_t nr_threads = 0, i;

	for (i = 0; nr_threads < NR_CLOSERS && i + 1 < set->nr; i++)
		if (thread__start(&threads[nr_threads], close_one, &set->list[i]))
			break;
		else
			nr_threads++;
	for (; i < set->nr; i++)
		close_one(&set->list[i]);
	while (nr_threads)
		pthread_join(threads[--nr_threads], NULL);
}

void probe_set__free(struct probe_set *set)
{
	probe_set__stop(set);
	free(set->list);
	*set = (struct probe_set){0};
}
