// SPDX-License-Identifier: GPL-2.0-only
#include "capture/sources/switches.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/libbpf.h>
#include <pthread.h>
#include <time.h>

#include "base/system/rights.h"
#include "base/system/thread.h"
#include "capture/events/event.h"
#include "capture/events/event_facts.h"
#include "capture/events/source.h"
#include "capture/host/features.h"
#include "capture/host/iterate.h"
#include "capture/host/skeleton.h"
#include "capture/sources/every_cpu.h"
#include "capture/sources/syscall_waits.h"
#include "profile/ledger.h"

/*
 * Walks the user stacks of threads that sleep when sampling begins, once each, in their memory. A
 * process may delay accesses to its memory without limit, so a thread does the walk, and is
 * abandoned if it takes too long.
 */

struct topstacks_bpf;

#define PATIENCE_NS 250000000L

/*
 * The body of the walking thread. It ends with this process at the latest: its waits in the kernel
 * are killable.
 */
static void *walk(void *link)
{
	iterate__pass(link);
	bpf_link__destroy(link);
	return NULL;
}

static struct timespec deadline(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	time.tv_nsec += PATIENCE_NS;
	time.tv_sec += time.tv_nsec / 1000000000;
	time.tv_nsec %= 1000000000;
	return time;
}

/*
 * Starts the walk and waits a quarter of a second; stacks not walked by then come late or never.
 * Threads must have their records before.
 */
static void walk_sleepers(const struct topstacks_bpf *skeleton)
{
	const struct bpf_program *program = bpf_program__autoload(skeleton->progs.on_asleep_unw)
						    ? skeleton->progs.on_asleep_unw
						    : skeleton->progs.on_asleep;
	struct bpf_link *link = iterate__link(program);
	const struct timespec until = deadline();
	pthread_t thread;

	if (!link)
		return;
	if (thread__start(&thread, walk, link))
		bpf_link__destroy(link);
	else if (pthread_timedjoin_np(thread, NULL, &until))
		pthread_detach(thread);
}

/*
 * How long to wait for ending threads, which are in no list of threads. They end within
 * microseconds, unless their CPU is busy.
 */
#define ENDING_NS 200000000ULL

static bool is_bare(const struct event_words *words)
{
	return words->in_user && words->in_kernel && !words->freq_hz && !words->period &&
	       !words->weight && !words->unit && !words->nr_terms;
}

int switches__parse(struct event *event, const char *name, const struct metrics *metrics,
		    struct error *err)
{
	if (strcmp(event->words.name, name) != 0)
		return 0;
	if (!is_bare(&event->words))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "the event %s has neither terms nor modes; use -U and -K", name);
	event->name = strdup(name);
	if (!event->name)
		return error__no_memory(err);
	event->metrics = *metrics;
	return 1;
}

void switches__tell(const struct event *event, const struct source_options *options,
		    const struct event_fact_sink *sink)
{
	(void)event, (void)options;
	event_facts__add(sink, "tracepoints", "%s", "sched_switch, in the kernel's own code");
	event_facts__add(sink, "weight", "%s", "nanoseconds, within the interval");
	event_facts__add(sink, "ledger", "%s",
			 "lifetime of threads = running + runnable + blocked + unknown");
}

void switches__configure(struct topstacks_bpf *skeleton, unsigned int index,
			 const struct event *event)
{
	(void)event;
	skeleton->rodata->cfg_wait_event = index;
	skeleton->rodata->cfg_futex = SYS_futex;
	syscall_waits__fill((uint8_t *)skeleton->rodata->cfg_syscall_waits);
}

/* ---- state ---- */

/* Attached in this order: the program for new threads before the one for switches. */
static const char *const hooks[] = {SWITCH_HOOKS, "on_waker", "on_waker_unwind"};

#define HOOKS (sizeof(hooks) / sizeof(hooks[0]))

struct switches {
	struct every_cpu *every_cpu;
	struct bpf_link *links[HOOKS + 1]; /* the last one is the program at switches */
	struct bpf_link *cut;
	const struct bpf_program *cut_program;
	struct program_session *session;      /* in the skeleton */
	uint64_t nr_asleep, nr_asleep_walked; /* already in the ledger */
};

int switches__open(void **state, const struct event *event, const struct source_options *options,
		   struct error *err)
{
	struct switches *switches;
	int code = features__require(FEATURE_WAITS,
				     "waits are sampled on Linux 5.19 or later, which tells what "
				     "threads do that leave a CPU",
				     err);

	(void)event, (void)options;
	if (!code && features__interprets())
		code = error__say(
			err, EXIT_SYSTEM, -ENOTSUP,
			"waits are sampled only where the JIT compiler of BPF is on, which "
			"programs with callbacks need: sudo sysctl net.core.bpf_jit_enable=1");
	if (code)
		return code;
	switches = calloc(1, sizeof(*switches));
	if (!switches)
		return error__no_memory(err);
	code = every_cpu__open(&switches->every_cpu, err);
	if (code)
		free(switches);
	else
		*state = switches;
	return code;
}

static struct bpf_link *attach(const struct bpf_program *program)
{
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	struct bpf_link *link = bpf_program__attach_trace(program);
	const int code = errno;

	rights__restore(before);
	errno = code; /* the reason why there is no link */
	return link;
}

static const struct bpf_program *find(const struct topstacks_bpf *skeleton, const char *name)
{
	return bpf_object__find_program_by_name(skeleton->obj, name);
}

/* Runs one pass over all threads. */
static int run_cut(struct switches *switches, struct error *err)
{
	const int code = iterate__pass(switches->cut);

	return code ? iterate__explain(switches->cut_program, code, err) : 0;
}

/*
 * Gives running threads their records. A thread that switched during the first pass may have got a
 * wrong one; the second pass corrects it.
 */
static int find_threads(struct switches *switches, struct error *err)
{
	int code = run_cut(switches, err);

	if (!code)
		code = every_cpu__wait(switches->every_cpu, err);
	return code ? code : run_cut(switches, err);
}

int switches__start(void *state, struct topstacks_bpf *skeleton, const struct bpf_program *program,
		    struct error *err)
{
	struct switches *switches = state;
	const bool user_stacks = skeleton->rodata->cfg_user_stacks;
	size_t i;
	int code = 0;

	switches->session = &skeleton->bss->session;
	switches->session->open_generation = NO_GENERATION;
	for (i = 0; i <= HOOKS && !code; i++) {
		const struct bpf_program *hook = i < HOOKS ? find(skeleton, hooks[i]) : program;

		if (!bpf_program__autoload(hook)) /* the variant for the other walk is loaded */
			continue;
		switches->links[i] = attach(hook);
		code = switches->links[i] ? 0 : -errno;
	}
	if (code)
		return features__explain(NULL, err, code, "attach to the scheduler's tracepoints");
	switches->cut_program = skeleton->progs.on_cut;
	switches->cut = iterate__link(switches->cut_program);
	if (!switches->cut)
		return iterate__explain(switches->cut_program, -errno, err);
	code = find_threads(switches, err);
	if (!code && user_stacks)
		walk_sleepers(skeleton);
	return code;
}

int switches__settle(void *state, struct error *err)
{
	return every_cpu__wait(((struct switches *)state)->every_cpu, err);
}

/*
 * Waits for threads between exit and last switch: they may have time of this generation that is not
 * charged yet.
 */
static void wait_for_ending(const struct switches *switches)
{
	const uint64_t start_ns = monotonic_ns();

	while (__atomic_load_n(&switches->session->nr_exiting, __ATOMIC_ACQUIRE) &&
	       monotonic_ns() - start_ns < ENDING_NS)
		usleep(50);
}

int switches__cut(void *state, uint32_t owned, struct error *err)
{
	struct switches *switches = state;
	int code = run_cut(switches, err);

	(void)owned;
	/*
	 * A second pass: a thread that becomes its process's leader by exec may have moved in the
	 * list meanwhile.
	 */
	if (!code)
		code = run_cut(switches, err);
	if (!code)
		wait_for_ending(switches);
	/*
	 * Programs that took their share of a wait before the pass must charge it while the
	 * generation is open.
	 */
	if (!code)
		code = every_cpu__wait(switches->every_cpu, err);
	__atomic_store_n(&switches->session->open_generation, NO_GENERATION, __ATOMIC_SEQ_CST);
	return code ? code : every_cpu__wait(switches->every_cpu, err);
}

void switches__account(void *state, uint64_t nr_runs, struct ledger *ledger)
{
	struct switches *switches = state;

	(void)nr_runs;
	ledger->asleep += growth_of(&switches->nr_asleep, switches->session->nr_asleep);
	ledger->asleep_walked +=
		growth_of(&switches->nr_asleep_walked, switches->session->nr_asleep_walked);
}

/* Does nothing: the last cut still has to charge the threads' time. */
void switches__stop(void *state)
{
	(void)state;
}

void switches__close(void *state)
{
	struct switches *switches = state;
	size_t i;

	if (!switches)
		return;
	for (i = HOOKS + 1; i-- > 0;)
		bpf_link__destroy(switches->links[i]);
	bpf_link__destroy(switches->cut);
	every_cpu__close(switches->every_cpu);
	free(switches);
}
