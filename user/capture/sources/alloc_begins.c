// SPDX-License-Identifier: GPL-2.0-only
#include "capture/sources/alloc_begins.h"

#include <bpf/bpf.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/system/rights.h"
#include "processes/process.h"

/* The last program of a process that has not begun, or NULL. */
static struct alloc_program *find(struct alloc_begins *begins, int32_t pid)
{
	for (size_t i = begins->nr; i-- > 0;)
		if (begins->list[i].pid == pid && !begins->list[i].has_ended)
			return &begins->list[i];
	return NULL;
}

static void add(struct alloc_begins *begins, const struct process_event *event)
{
	if (array__reserve(&begins->list, &begins->capacity, begins->nr + 1)) {
		begins->nr_lost++;
		return;
	}
	begins->list[begins->nr++] =
		(struct alloc_program){.pid = event->pid, .time_ns = event->time_ns};
}

void alloc_begins__observe(struct alloc_begins *begins, const struct process_event *event)
{
	struct alloc_program *before;

	if (event->type != PROCESS_EXECED && event->type != PROCESS_EXITED)
		return;
	if (begins->only && event->pid != begins->only)
		return;
	before = find(begins, event->pid);
	if (before)
		before->has_ended = true;
	if (event->type == PROCESS_EXECED)
		add(begins, event);
}

static bool has_begun(const struct alloc_program *program, int map)
{
	uint64_t begun_ns;

	return !bpf_map_lookup_elem(map, &program->pid, &begun_ns) && begun_ns >= program->time_ns;
}

uint64_t alloc_begins__take_without(struct alloc_begins *begins, int map)
{
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	uint64_t nr_without = begins->nr_lost;
	size_t nr = 0;

	begins->nr_lost = 0;
	for (size_t i = 0; i < begins->nr; i++) {
		const struct alloc_program *program = &begins->list[i];

		if (has_begun(program, map))
			continue;
		if (program->has_ended)
			nr_without++;
		else
			begins->list[nr++] = *program;
	}
	begins->nr = nr;
	rights__restore(before);
	return nr_without;
}

void alloc_begins__fini(struct alloc_begins *begins)
{
	free(begins->list);
	*begins = (struct alloc_begins){0};
}
