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
#include "capture/kernel/kernel.h"
#include "capture/sources/every_cpu.h"
#include "capture/sources/syscall_waits.h"
#include "profile/ledger.h"

#define PATIENCE_NS 250000000L /* the longest wait for the walk of sleeping threads */

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

/*
 * Walks the user stacks of threads that sleep when sampling begins, once each, in their memory.
 * Threads must have their records before. A process may delay accesses to its memory without limit,
 * so a thread does the walk, and is abandoned after a while: stacks not walked by then come late or
 * never.
 */
static void walk_sleepers(const struct topstacks_bpf *skeleton)
{
	const struct bpf_program *program = bpf_program__autoload(skeleton->progs.on_asleep_unw)
						    ? skeleton->progs.on_asleep_unw
						    : skeleton->progs.on_asleep;
	struct bpf_link *link = iterate__link(program);
	struct timespec until;
	pthread_t thread;

	if (!link)
		return;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += PATIENCE_NS;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
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
	/* state of the cpu_source that samples running threads; NULL: the event has no rate */
	void *timers;
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
	struct source_options of_threads = *options;
	struct switches *switches;
	int code = features__require(FEATURE_WAITS,
				     "waits are sampled on Linux 5.19 or later, which tells what "
				     "threads do that leave a CPU",
				     err);

	if (!code && features__interprets())
		code = error__say(
			err, EXIT_SYSTEM, -ENOTSUP,
			"waits are sampled only where the JIT compiler of BPF is on, which "
			"programs with callbacks need: sudo sysctl net.core.bpf_jit_enable=1");
	if (code)
		return code;
	switches = xcalloc(1, sizeof(*switches));
	code = every_cpu__open(&switches->every_cpu, err);
	of_threads.everyone = false; /* time in which a CPU is idle belongs to no thread */
	if (!code && event->has_rate)
		code = cpu_source.open(&switches->timers, event, &of_threads, err);
	if (code)
		switches__close(switches);
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

/*
 * Runs the iterator on_cut over all threads: threads without a record get one, and the time of each
 * is charged up to the end of the generation.
 */
static int run_cut(struct switches *switches, struct error *err)
{
	const int code = iterate__pass(switches->cut);

	return code ? iterate__explain(switches->cut_program, code, err) : 0;
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
		const struct bpf_program *hook =
			i < HOOKS ? bpf_object__find_program_by_name(skeleton->obj, hooks[i])
				  : program;

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
	/*
	 * Running threads get their records. A thread that switched during the first pass may have
	 * got a wrong one; the second pass corrects it.
	 */
	code = run_cut(switches, err);
	if (!code)
		code = every_cpu__wait(switches->every_cpu, err);
	if (!code)
		code = run_cut(switches, err);
	if (!code && user_stacks)
		walk_sleepers(skeleton);
	if (!code && switches->timers)
		code = cpu_source.start(switches->timers, skeleton,
					kernel__sampler(skeleton, &cpu_source), err);
	return code;
}

int switches__settle(void *state, struct error *err)
{
	struct switches *switches = state;
	const int code = switches->timers ? cpu_source.settle(switches->timers, err) : 0;

	return code ? code : every_cpu__wait(switches->every_cpu, err);
}

int switches__cut(void *state, struct error *err)
{
	struct switches *switches = state;
	int code = run_cut(switches, err);
	uint64_t start_ns;

	/*
	 * A second pass: a thread that becomes its process's leader by exec may have moved in the
	 * list meanwhile.
	 */
	if (!code)
		code = run_cut(switches, err);
	/*
	 * Threads between exit and last switch may have time of this generation that is not charged
	 * yet.
	 */
	start_ns = monotonic_ns();
	while (!code && __atomic_load_n(&switches->session->nr_exiting, __ATOMIC_ACQUIRE) &&
	       monotonic_ns() - start_ns < ENDING_NS)
		usleep(50);
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

	if (switches->timers)
		cpu_source.account(switches->timers, nr_runs, ledger);
	ledger->asleep += growth_of(&switches->nr_asleep, switches->session->nr_asleep);
	ledger->asleep_walked +=
		growth_of(&switches->nr_asleep_walked, switches->session->nr_asleep_walked);
}

int switches__set_rate(void *state, double rate_hz, uint64_t nr_runs, struct ledger *ledger,
		       struct error *err)
{
	return cpu_source.set_rate(((struct switches *)state)->timers, rate_hz, nr_runs, ledger,
				   err);
}

int switches__follow_cpus(void *state, struct error *err)
{
	return cpu_source.follow_cpus(((struct switches *)state)->timers, err);
}

/* Stops the timers alone: the last cut still has to charge the threads' time. */
void switches__stop(void *state)
{
	struct switches *switches = state;

	if (switches->timers)
		cpu_source.stop(switches->timers);
}

void switches__close(void *state)
{
	struct switches *switches = state;
	size_t i;

	if (!switches)
		return;
	cpu_source.close(switches->timers);
	for (i = HOOKS + 1; i-- > 0;)
		bpf_link__destroy(switches->links[i]);
	bpf_link__destroy(switches->cut);
	every_cpu__close(switches->every_cpu);
	free(switches);
}
