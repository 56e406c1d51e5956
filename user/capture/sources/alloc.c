// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocations, sampled by bytes: the allocator chooses the blocks, and reaches a probe with each. A
 * command gets a library that does so.
 *
 * The ledger is in blocks, those that the samples stand for. It is compared with the bytes that the
 * library counts.
 */
#include <bpf/bpf.h>

#include "base/system/rights.h"
#include "capture/events/alloc_words.h"
#include "capture/events/capture_options.h"
#include "capture/events/event.h"
#include "capture/events/event_facts.h"
#include "capture/events/source.h"
#include "capture/events/suggestions.h"
#include "capture/host/skeleton.h"
#include "capture/probes/alloc_probes.h"
#include "capture/sources/missed_hits.h"
#include "processes/process.h"
#include "profile/ledger.h"

/*
 * Finds out which programs of a command have the library: these reach a probe when they first
 * allocate. Other programs are static, of another machine, privileged, or never allocate.
 */

struct process_event;

/* A program that was executed and has not reached the probe yet. */
struct alloc_program {
	int32_t pid;
	bool has_ended;
	uint64_t time_ns; /* CLOCK_MONOTONIC, of its exec */
};

/* The list of such programs. Zeroed: empty. */
struct alloc_begins {
	struct alloc_program *list;
	size_t nr, capacity;
	uint64_t nr_lost; /* execs that found no memory */
	int32_t only;	  /* the only process whose programs are sampled; 0: all are */
};

/* Returns the process's latest program in the list, or NULL. */
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

static void alloc_begins__observe(struct alloc_begins *begins, const struct process_event *event)
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

/*
 * Returns how many programs have ended since the last call without reaching the probe. map: a
 * descriptor of alloc_begun.
 */
static uint64_t alloc_begins__take_without(struct alloc_begins *begins, int map)
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

static void alloc_begins__fini(struct alloc_begins *begins)
{
	free(begins->list);
	*begins = (struct alloc_begins){0};
}

/* The library's reports, each with its BPF program; NULL: the one that samples. */
static const struct {
	enum alloc_passage passage;
	const char *program;
} told[] = {
	{PASSAGE_CHOSEN, NULL},
	{PASSAGE_BEGINS, "on_alloc_begins"},
	{PASSAGE_ENDS, "on_alloc_ends"},
};

#define NR_TOLD (sizeof(told) / sizeof(told[0]))

static const char *const companions[] = {"on_alloc_begins", "on_alloc_ends", NULL};

struct allocations {
	struct alloc_probes probes[NR_TOLD];
	struct alloc_begins begins;
	int begun_map;
	const struct bpf_program *program;
	struct missed_hits missed;
};

static int parse(struct event *event, struct error *err)
{
	return alloc_words__parse(event, "alloc", &metrics__alloc, err);
}

/*
 * Returns the source for processes that cannot have the library: running ones, and some commands.
 */
static const struct source *stand_in(struct event *event, const struct capture_options *asked)
{
	const bool is_running = asked->scope == SCOPE_PROCESSES || asked->scope == SCOPE_THREAD;

	(void)event;
	return is_running || asked->alloc_program ? &alloc_running_source : NULL;
}

static void suggest(struct near *near, const char *wanted)
{
	near__add(near, "alloc", wanted, 0);
}

static void tell(const struct event *event, const struct source_options *options,
		 const struct event_fact_sink *sink)
{
	(void)options;
	event_facts__add(sink, "sampled",
			 "a block for each %llu bytes that are allocated, by chance",
			 (unsigned long long)alloc_words__mean_bytes(event));
	event_facts__add(sink, "ledger",
			 "the library counts the bytes that a command allocates; samples "
			 "stand for as many, but for chance");
}

static void close_allocations(void *state)
{
	struct allocations *allocations = state;

	if (!allocations)
		return;
	for (size_t i = 0; i < NR_TOLD; i++)
		alloc_probes__close(&allocations->probes[i]);
	alloc_begins__fini(&allocations->begins);
	free(allocations);
}

static int open_allocations(void **state, const struct event *event,
			    const struct source_options *options, struct error *err)
{
	struct allocations *allocations = calloc(1, sizeof(*allocations));
	int code = 0;

	(void)event;
	if (!allocations)
		return error__no_memory(err);
	if (options->asked->scope == SCOPE_COMMAND && !options->asked->follow_children)
		allocations->begins.only = options->asked->ids[0];
	missed_hits__init(&allocations->missed, options);
	for (size_t i = 0; i < NR_TOLD && !code; i++)
		code = alloc_probes__open(&allocations->probes[i], told[i].passage, options, err);
	if (code)
		close_allocations(allocations);
	else
		*state = allocations;
	return code;
}

static int start(void *state, struct topstacks_bpf *skeleton, const struct bpf_program *program,
		 struct error *err)
{
	struct allocations *allocations = state;
	int code = 0;

	allocations->program = program;
	allocations->begun_map = bpf_map__fd(skeleton->maps.alloc_begun);
	for (size_t i = 0; i < NR_TOLD && !code; i++) {
		const struct bpf_program *hears = program;

		if (told[i].program)
			hears = bpf_object__find_program_by_name(skeleton->obj, told[i].program);
		code = alloc_probes__start(&allocations->probes[i], skeleton, hears, err);
	}
	return code;
}

static void observe(void *state, const struct process_event *event)
{
	alloc_begins__observe(&((struct allocations *)state)->begins, event);
}

/* Counts programs without the library. All process events up to now have been observed before. */
static int hand_over(void *state, struct set *set, uint32_t generation, enum drain_moment moment,
		     const struct capture_sink *sink, struct ledger *ledger)
{
	struct allocations *allocations = state;

	(void)set, (void)generation, (void)moment, (void)sink;
	ledger->programs_unsampled +=
		alloc_begins__take_without(&allocations->begins, allocations->begun_map);
	return 0;
}

static void account(void *state, uint64_t nr_runs, struct ledger *ledger)
{
	struct allocations *allocations = state;

	(void)nr_runs;
	missed_hits__take(&allocations->missed, missed_hits__read(allocations->program), ledger);
}

static uint64_t period_of(const struct event *event, double rate_hz)
{
	(void)rate_hz;
	return alloc_words__mean_bytes(event);
}

static void stop(void *state)
{
	struct allocations *allocations = state;

	for (size_t i = 0; i < NR_TOLD; i++)
		alloc_probes__stop(&allocations->probes[i]);
}

const struct source alloc_source = {
	.programs = {[WALK_FRAME_POINTERS] = "on_alloc", [WALK_TABLES] = "on_alloc_unwind"},
	.companions = {[WALK_FRAME_POINTERS] = companions, [WALK_TABLES] = companions},
	.later_rights = RIGHTS_TO_PROBE, /* a command is yet to run */
	.counts_passages = true,
	.contexts = IN_CONTEXT(CONTEXT_PROBE),
	.parse = parse,
	.stand_in = stand_in,
	.suggest = suggest,
	.tell = tell,
	.open = open_allocations,
	.start = start,
	.observe = observe,
	.hand_over = hand_over,
	.account = account,
	.period = period_of,
	.stop = stop,
	.close = close_allocations,
};
