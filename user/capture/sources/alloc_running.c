// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocations of running processes, which it takes over from alloc. If an allocator reports the
 * blocks that it chooses, they are sampled as by alloc. Otherwise each call of malloc and its like
 * is probed, and the program chooses. That is expensive for the process: the cost is measured
 * first, and refused if it is too high.
 */
#include <bpf/bpf.h>

#include "base/files.h"
#include "base/system/rights.h"
#include "capture/events/alloc_words.h"
#include "capture/events/capture_options.h"
#include "capture/events/event.h"
#include "capture/events/event_facts.h"
#include "capture/events/source.h"
#include "capture/host/skeleton.h"
#include "capture/probes/alloc_probes.h"
#include "capture/probes/allocator_cost.h"
#include "capture/probes/allocators.h"
#include "capture/probes/hit_counter.h"
#include "capture/probes/malloc_places.h"
#include "capture/probes/probe_cost.h"
#include "capture/sources/alloc_chances.h"
#include "capture/sources/missed_hits.h"
#include "processes/opener.h"
#include "profile/ledger.h"

static void add_calls(const struct allocators *allocators, const struct capture_options *asked,
		      const struct event_fact_sink *sink)
{
	struct malloc_places places = {.nr = 0};
	struct error err;
	const struct allocator *allocator =
		allocators__with_malloc(allocators, asked->ids[0], &err);
	double ns;

	if (!allocator)
		return;
	if (!malloc_places__add(&places, allocator, asked->readers, &err)) {
		event_facts__add(sink, "probes", "at %zu functions, malloc and its like, of %s",
				 places.nr, allocator->path);
		if (probe_cost__measure(places.list[0].is_emulated, false, &ns, &err))
			event_facts__add(sink, "a call costs", "unknown: %s", err.text);
		else
			event_facts__add(sink, "a call costs",
					 "%.1f us here, sampled or not, and the sample on top",
					 ns / 1000);
	}
	malloc_places__free(&places);
}

struct running_allocations {
	struct alloc_probes chosen;
	struct malloc_places calls;
	struct probe_set set; /* probes at the calls */
	uint64_t mean_bytes;
	const struct bpf_program *program;
	struct missed_hits missed;
};

/*
 * Tells the facts of the first named process. Failures are left out: opening the event reports
 * them.
 */
static void tell(const struct event *event, const struct source_options *options,
		 const struct event_fact_sink *sink)
{
	const struct capture_options *asked = options->asked;
	struct opener *opener = opener__new(asked->openers);
	struct allocators allocators;
	struct error err;

	event_facts__add(sink, "sampled", "a block for each %llu bytes of a thread, by chance",
			 (unsigned long long)alloc_words__mean_bytes(event));
	if (!allocators__find(&allocators, asked->ids[0], opener, asked->readers, &err)) {
		const bool any_tells = allocators__tell(&allocators);

		for (size_t i = 0; any_tells && i < allocators.nr; i++)
			if (allocators.list[i].said.nr_sites)
				event_facts__add(sink, "told by", "%u probes of otel_memory in %s",
						 allocators.list[i].said.nr_sites,
						 allocators.list[i].path);
		if (!any_tells)
			add_calls(&allocators, asked, sink);
		allocators__close(&allocators);
	}
	opener__free(opener);
	event_facts__add(
		sink, "ledger",
		"the bytes that were asked for; samples stand for as many, but for chance");
}

/* ---- the cost ---- */

/*
 * Measures and checks the cost of the places from first on, which belong to the process's
 * allocator.
 */
static int check_cost(const struct malloc_places *places, size_t first, int32_t pid,
		      double max_share, struct error *err)
{
	struct counted_place counted[HIT_COUNTER_MAX_PLACES];
	struct allocator_cost cost;
	char path[32], *comm = NULL;
	double probe_ns;
	size_t nr = 0;
	int code = probe_cost__measure(places->list[first].is_emulated, false, &probe_ns, err);

	for (size_t i = first; i < places->nr && nr < HIT_COUNTER_MAX_PLACES; i++)
		counted[nr++] =
			(struct counted_place){places->list[i].file, places->list[i].offset};
	if (!code)
		code = allocator_cost__measure(&cost, pid, counted, nr, probe_ns, max_share, err);
	if (code || allocator_cost__is_borne(&cost, max_share))
		return code;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	if (!files__read(path, 64, &comm, NULL))
		comm[strcspn(comm, "\n")] = '\0';
	code = allocator_cost__refuse(&cost, pid, comm ? comm : "", err);
	free(comm);
	return code;
}

/* ---- the places ---- */

/* Adds the malloc that a process calls, unless its allocators report the blocks themselves. */
static int look_at(struct malloc_places *places, int32_t pid, struct opener *opener,
		   const struct capture_options *asked, struct error *err)
{
	const struct allocator *allocator;
	struct allocators allocators;
	size_t first = places->nr;
	int code = allocators__find(&allocators, pid, opener, asked->readers, err);

	if (code)
		return code;
	if (!allocators__tell(&allocators)) {
		allocator = allocators__with_malloc(&allocators, pid, err);
		code = allocator ? malloc_places__add(places, allocator, asked->readers, err)
				 : err->code;
		if (!code && first == places->nr) /* another process has the same allocator */
			first = malloc_places__find(places, allocator->file);
		if (!code)
			code = check_cost(places, first, pid, asked->max_share, err);
	}
	allocators__close(&allocators);
	return code;
}

/*
 * Looks at a program that has not started. The cost of a call is told beforehand, as the number of
 * calls is unknown.
 */
static int look_at_program(struct malloc_places *places, const struct capture_options *asked,
			   struct error *err)
{
	struct allocators allocators;
	int code = allocators__of_program(&allocators, *asked->alloc_program, asked->readers, err);

	if (code)
		return code;
	if (!allocators.nr)
		code = error__say(err, EXIT_SYSTEM, -ENOEXEC,
				  "this program cannot have the allocation library, and no malloc "
				  "is found in it by its name, as it is stripped or not in C");
	else if (!allocators__tell(&allocators))
		code = malloc_places__add(places, allocators.list, asked->readers, err);
	allocators__close(&allocators);
	return code;
}

static int find_calls(struct malloc_places *places, const struct capture_options *asked,
		      struct error *err)
{
	struct opener *opener;
	int code = 0;

	if (asked->alloc_program)
		return look_at_program(places, asked, err);
	opener = asked->openers ? opener__new(asked->openers) : NULL;
	for (size_t i = 0; i < asked->nr_ids && !code; i++)
		code = look_at(places, asked->ids[i], opener, asked, err);
	opener__free(opener);
	return code;
}

static void close_running(void *state)
{
	struct running_allocations *running = state;

	if (!running)
		return;
	alloc_probes__close(&running->chosen);
	probe_set__free(&running->set);
	malloc_places__free(&running->calls);
	free(running);
}

static int open_running(void **state, const struct event *event,
			const struct source_options *options, struct error *err)
{
	struct running_allocations *running = xcalloc(1, sizeof(*running));
	int code;

	running->mean_bytes = alloc_words__mean_bytes(event);
	missed_hits__init(&running->missed, options);
	code = alloc_probes__open(&running->chosen, PASSAGE_CHOSEN, options, err);
	if (!code)
		code = find_calls(&running->calls, options->asked, err);
	if (!code)
		probe_set__init(&running->set, running->calls.nr);
	if (code)
		close_running(running);
	else
		*state = running;
	return code;
}

/* ---- sampling ---- */

static int tell_call(struct running_allocations *running, const struct topstacks_bpf *skeleton,
		     size_t number)
{
	const struct malloc_place *place = &running->calls.list[number];
	const uint32_t key = (uint32_t)number;

	running->set.list[number].request = (struct probe_request){
		.program = running->program,
		.pmu_type = running->chosen.pmu_type,
		.file = place->file,
		.offset = place->offset,
		.event = running->chosen.event,
		.site = ABI_FIRST_CALL + key,
		.cpu = -1,
	};
	return bpf_map_update_elem(bpf_map__fd(skeleton->maps.malloc_calls), &key, &place->call,
				   BPF_ANY);
}

static int start(void *state, struct topstacks_bpf *skeleton, const struct bpf_program *program,
		 struct error *err)
{
	struct running_allocations *running = state;
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	struct alloc_chances *chances = xcalloc(1, sizeof(*chances));
	const uint32_t zero = 0;
	int code;

	running->program = program;
	alloc_chances__fill(chances, running->mean_bytes);
	code = bpf_map_update_elem(bpf_map__fd(skeleton->maps.alloc_chances), &zero, chances,
				   BPF_ANY);
	free(chances);
	for (size_t i = 0; i < running->calls.nr && !code; i++)
		code = tell_call(running, skeleton, i);
	rights__restore(before);
	if (code)
		return error__set(err, EXIT_SYSTEM, code,
				  "cannot fill the BPF maps that say how malloc is sampled");
	return alloc_probes__start(&running->chosen, skeleton, program, err);
}

static int add_target(void *state, int32_t pid, struct error *err)
{
	struct running_allocations *running = state;
	int code = alloc_probes__add_target(&running->chosen, pid, err);

	if (code)
		return code;
	code = probe_set__add(&running->set, pid);
	return code && code != -ESRCH ? probed_processes__explain(
						code, "put probes into functions like malloc", err)
				      : 0;
}

static void observe(void *state, const struct process_event *event)
{
	struct running_allocations *running = state;

	alloc_probes__observe(&running->chosen, event);
	probe_set__observe(&running->set, event, running->chosen.follows_children);
}

static void account(void *state, uint64_t nr_runs, struct ledger *ledger)
{
	struct running_allocations *running = state;
	uint64_t nr, ns;

	(void)nr_runs;
	missed_hits__take(&running->missed, missed_hits__read(running->program), ledger);
	probe_set__take_late(running->calls.nr ? &running->set : &running->chosen.set, &nr, &ns);
	ledger->processes_unprobed += nr;
	ledger->unprobed_ns += ns;
}

/*
 * Leaves the probes in place: the programs see that the session has ended. Closing removes the
 * probes, when the samples are no longer awaited.
 */
static void stop(void *state)
{
	(void)state;
}

const struct source alloc_running_source = {
	.programs = {[WALK_FRAME_POINTERS] = "on_malloc", [WALK_TABLES] = "on_malloc_walk"},
	.later_rights = RIGHTS_TO_PROBE, /* children are probed later */
	.counts_passages = true,
	.contexts = IN_CONTEXT(CONTEXT_PROBE),
	.tell = tell,
	.open = open_running,
	.start = start,
	.add_target = add_target,
	.observe = observe,
	.account = account,
	.stop = stop,
	.close = close_running,
};
