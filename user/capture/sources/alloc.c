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
#include "capture/host/skeleton.h"
#include "capture/probes/alloc_probes.h"
#include "capture/sources/missed_hits.h"
#include "processes/process.h"
#include "profile/ledger.h"

/*
 * A program that was executed and has not reached the probe yet, as those do that have the library
 * when they first allocate. Others are static, of another machine, privileged, or never allocate.
 */
struct alloc_program {
	int32_t pid;
	bool has_ended;
	uint64_t time_ns; /* CLOCK_MONOTONIC, of its exec */
};

/* The list of such programs. Zeroed: empty. */
struct alloc_begins {
	struct alloc_program *list;
	size_t nr, capacity;
	int32_t only; /* the only process whose programs are sampled; 0: all are */
};

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

/* Returns the process's latest program in the list, or NULL. */
static struct alloc_program *find(struct alloc_begins *begins, int32_t pid)
{
	for (size_t i = begins->nr; i-- > 0;)
		if (begins->list[i].pid == pid && !begins->list[i].has_ended)
			return &begins->list[i];
	return NULL;
}

static void observe(void *state, const struct process_event *event)
{
	struct alloc_begins *begins = &((struct allocations *)state)->begins;
	struct alloc_program *before;

	if (event->type != PROCESS_EXECED && event->type != PROCESS_EXITED)
		return;
	if (begins->only && event->pid != begins->only)
		return;
	before = find(begins, event->pid);
	if (before)
		before->has_ended = true;
	if (event->type != PROCESS_EXECED)
		return;
	array__reserve(&begins->list, &begins->capacity, begins->nr + 1);
	begins->list[begins->nr++] =
		(struct alloc_program){.pid = event->pid, .time_ns = event->time_ns};
}

/*
 * Counts programs that have ended since the last call without reaching the probe. All process
 * events up to now have been observed before.
 */
static int hand_over(void *state, struct set *set, uint32_t generation, enum drain_moment moment,
		     const struct capture_sink *sink, struct ledger *ledger)
{
	struct allocations *allocations = state;
	struct alloc_begins *begins = &allocations->begins;
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	uint64_t begun_ns;
	size_t nr = 0;

	(void)set, (void)generation, (void)moment, (void)sink;
	for (size_t i = 0; i < begins->nr; i++) {
		const struct alloc_program *program = &begins->list[i];

		if (!bpf_map_lookup_elem(allocations->begun_map, &program->pid, &begun_ns) &&
		    begun_ns >= program->time_ns)
			continue;
		if (program->has_ended)
			ledger->programs_unsampled++;
		else
			begins->list[nr++] = *program;
	}
	begins->nr = nr;
	rights__restore(before);
	return 0;
}

static int parse(struct event *event, struct error *err)
{
	const int code = alloc_words__parse(event, "alloc", &metrics__alloc, err);

	if (code > 0)
		event->without_library = &alloc_running_source;
	return code;
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
	free(allocations->begins.list);
	free(allocations);
}

static int open_allocations(void **state, const struct event *event,
			    const struct source_options *options, struct error *err)
{
	struct allocations *allocations = xcalloc(1, sizeof(*allocations));
	int code = 0;

	(void)event;
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

static void account(void *state, uint64_t nr_runs, struct ledger *ledger)
{
	struct allocations *allocations = state;

	(void)nr_runs;
	missed_hits__take(&allocations->missed, missed_hits__read(allocations->program), ledger);
}

static void stop(void *state)
{
	struct allocations *allocations = state;

	for (size_t i = 0; i < NR_TOLD; i++)
		alloc_probes__stop(&allocations->probes[i]);
}

const struct source alloc_source = {
	.name = "alloc",
	.meaning = "blocks of memory that a program allocates, sampled by bytes",
	.group = OFFERS_MEMORY,
	.programs = {[WALK_FRAME_POINTERS] = "on_alloc", [WALK_TABLES] = "on_alloc_unwind"},
	.companions = {[WALK_FRAME_POINTERS] = companions, [WALK_TABLES] = companions},
	.later_rights = RIGHTS_TO_PROBE, /* a command is yet to run */
	.counts_passages = true,
	.contexts = IN_CONTEXT(CONTEXT_PROBE),
	.parse = parse,
	.tell = tell,
	.open = open_allocations,
	.start = start,
	.observe = observe,
	.hand_over = hand_over,
	.account = account,
	.stop = stop,
	.close = close_allocations,
};
