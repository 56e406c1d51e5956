// SPDX-License-Identifier: GPL-2.0-only
/*
 * Time off the CPU: programs at the scheduler's switches, which charge to a generation what of a wait lies in its time.
 * What is still open when a generation ends, a pass over all threads charges.
 *
 * The ledger's events are the waits that ended. What threads did in all of their time is in it, too, and the
 * scheduler's own account of it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "base/clock.h"
#include "base/rights.h"
#include "base/sums.h"
#include "capture/event.h"
#include "capture/event_facts.h"
#include "capture/every_cpu.h"
#include "capture/features.h"
#include "capture/iterate.h"
#include "capture/near.h"
#include "capture/skeleton.h"
#include "capture/source.h"
#include "capture/syscall_waits.h"
#include "profile/ledger.h"

/* Threads that end are in no list; they do so in microseconds, unless others have their CPU. */
#define ENDING_NS 10000000ULL

static const struct metrics metrics = {
	.of = {[VALUE_COUNT] = {"waits", "count", .is_events = true, .title = "Waits",
				.heading = "WAITS"},
	       [VALUE_WEIGHT] = {"off_cpu", "nanoseconds", .title = "Time off the CPU",
				 .heading = "TIME"}},
	.shown = VALUE_WEIGHT,
};

static bool is_bare(const struct event_words *words)
{
	return words->in_user && words->in_kernel && !words->freq_hz && !words->period &&
	       !words->weight && !words->unit && !words->nr_terms;
}

static int parse(struct event *event, struct error *err)
{
	if (strcmp(event->words.name, "off-cpu") != 0)
		return 0;
	if (!is_bare(&event->words))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "the event off-cpu has no terms; use -U and -K");
	event->name = strdup("off-cpu");
	if (!event->name)
		return error__no_memory(err);
	event->metrics = metrics;
	return 1;
}

static void suggest(struct near *near, const char *wanted)
{
	near__add(near, "off-cpu", wanted, 0);
}

static void tell(const struct event *event, const struct source_options *options,
		 const struct event_fact_sink *sink)
{
	(void)event, (void)options;
	event_facts__add(sink, "tracepoints", "%s",
			 "sched_switch and sched_waking, in the kernel's own code");
	event_facts__add(sink, "weight", "%s", "ns off the CPU, within the interval");
	event_facts__add(sink, "ledger", "%s",
			 "lifetime of threads = running + runnable + blocked + unknown");
}

static void configure(struct topstacks_bpf *skeleton, unsigned int index, const struct event *event)
{
	(void)event;
	skeleton->rodata->cfg_wait_event = index;
	syscall_waits__fill((uint8_t *)skeleton->rodata->cfg_syscall_waits);
}

/* ---- what is open ---- */

/* In this order: who tells of wakings and births is there before switches are. */
#define HOOK_NAMES "on_waking", "on_ending", "on_birth", "on_begin"
static const char *const hooks[] = {HOOK_NAMES};

#define HOOKS (sizeof(hooks) / sizeof(hooks[0]))

struct off_cpu {
	struct every_cpu *every_cpu;
	struct bpf_link *links[HOOKS + 1]; /* the last one is that of the switches */
	struct bpf_link *cut;
	struct program_session *session;      /* the skeleton's */
	uint64_t nr_asleep, nr_asleep_walked; /* what the ledger has of them */
};

static int open_waits(void **state, const struct event *event, const struct source_options *options,
		      struct error *err)
{
	struct off_cpu *off_cpu;
	int code = features__require(FEATURE_WAITS,
				     "-e off-cpu needs Linux 5.18 or later, whose scheduler tells "
				     "what a thread waits for",
				     err);

	(void)event, (void)options;
	if (code)
		return code;
	off_cpu = calloc(1, sizeof(*off_cpu));
	if (!off_cpu)
		return error__no_memory(err);
	code = every_cpu__open(&off_cpu->every_cpu, err);
	if (code)
		free(off_cpu);
	else
		*state = off_cpu;
	return code;
}

static struct bpf_link *attach(const struct bpf_program *program)
{
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	struct bpf_link *link = bpf_program__attach(program);

	rights__restore(before);
	return link;
}

static const struct bpf_program *find(const struct topstacks_bpf *skeleton, const char *name)
{
	return bpf_object__find_program_by_name(skeleton->obj, name);
}

static const struct bpf_program *find_cut(const struct topstacks_bpf *skeleton)
{
	const struct bpf_program *by_tables = find(skeleton, "on_cut_unwind");

	return bpf_program__autoload(by_tables) ? by_tables : find(skeleton, "on_cut");
}

/* One pass over all threads. */
static int run_cut(struct off_cpu *off_cpu, struct error *err)
{
	const int code = iterate__run(off_cpu->cut, 1, NULL, NULL);

	return code ? error__set(err, EXIT_INTERNAL, code, "cannot look at threads") : 0;
}

/*
 * Threads that already run get their records. Those that switched in the midst of the first pass may have got a wrong one:
 * the second pass sees.
 */
static int find_threads(struct off_cpu *off_cpu, struct error *err)
{
	int code = run_cut(off_cpu, err);

	if (!code)
		code = every_cpu__wait(off_cpu->every_cpu, err);
	return code ? code : run_cut(off_cpu, err);
}

static int start(void *state, struct topstacks_bpf *skeleton, const struct bpf_program *program,
		 struct error *err)
{
	struct off_cpu *off_cpu = state;
	size_t i;
	bool failed = false;

	off_cpu->session = &skeleton->bss->session;
	off_cpu->session->open_generation = NO_GENERATION;
	for (i = 0; i <= HOOKS && !failed; i++) {
		off_cpu->links[i] = attach(i < HOOKS ? find(skeleton, hooks[i]) : program);
		failed = !off_cpu->links[i];
	}
	if (!failed)
		off_cpu->cut = iterate__link(find_cut(skeleton), -1);
	if (failed || !off_cpu->cut)
		return features__explain(NULL, err, -errno,
					 "attach to the scheduler's tracepoints");
	return find_threads(off_cpu, err);
}

static int settle(void *state, struct error *err)
{
	return every_cpu__wait(((struct off_cpu *)state)->every_cpu, err);
}

/* A thread between its exit and its last switch may have time of the generation that nobody has charged. */
static void wait_for_ending(const struct off_cpu *off_cpu)
{
	const uint64_t start_ns = monotonic_ns();

	while (__atomic_load_n(&off_cpu->session->nr_exiting, __ATOMIC_ACQUIRE) &&
	       monotonic_ns() - start_ns < ENDING_NS)
		usleep(50);
}

static int cut(void *state, uint32_t owned, struct error *err)
{
	struct off_cpu *off_cpu = state;
	int code = run_cut(off_cpu, err);

	(void)owned;
	if (!code)
		wait_for_ending(off_cpu);
	__atomic_store_n(&off_cpu->session->open_generation, NO_GENERATION, __ATOMIC_SEQ_CST);
	return code ? code : every_cpu__wait(off_cpu->every_cpu, err);
}

static void account(void *state, uint64_t nr_runs, struct ledger *ledger)
{
	struct off_cpu *off_cpu = state;

	(void)nr_runs;
	ledger->asleep += growth_of(&off_cpu->nr_asleep, off_cpu->session->nr_asleep);
	ledger->asleep_walked +=
		growth_of(&off_cpu->nr_asleep_walked, off_cpu->session->nr_asleep_walked);
}

/* Nothing ends before the last cut: what threads did until then is charged by it. */
static void stop(void *state)
{
	(void)state;
}

static void close_waits(void *state)
{
	struct off_cpu *off_cpu = state;
	size_t i;

	if (!off_cpu)
		return;
	for (i = HOOKS + 1; i-- > 0;)
		bpf_link__destroy(off_cpu->links[i]);
	bpf_link__destroy(off_cpu->cut);
	every_cpu__close(off_cpu->every_cpu);
	free(off_cpu);
}

const struct source off_cpu_source = {
	.programs = {[WALK_FRAME_POINTERS] = "on_switch", [WALK_TABLES] = "on_switch_unwind"},
	.companions = {[WALK_FRAME_POINTERS] = (const char *const[]){HOOK_NAMES, "on_cut", NULL},
		       [WALK_TABLES] = (const char *const[]){HOOK_NAMES, "on_cut_unwind", NULL}},
	.follows_records = true,
	.is_timed = true,
	.parse = parse,
	.suggest = suggest,
	.tell = tell,
	.configure = configure,
	.open = open_waits,
	.start = start,
	.settle = settle,
	.cut = cut,
	.account = account,
	.stop = stop,
	.close = close_waits,
};
