// SPDX-License-Identifier: GPL-2.0-only
#include "topstacks/capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/clock.h"
#include "base/files.h"
#include "capture/drain.h"
#include "capture/events.h"
#include "capture/features.h"
#include "capture/kernel.h"
#include "capture/kernel_names.h"
#include "capture/raw_stacks.h"
#include "capture/runtime.h"
#include "capture/sets.h"
#include "capture/sideband.h"
#include "capture/skeleton.h"
#include "capture/targets.h"
#include "topstacks/abi.h"

/* Sets begin with room for what half a second may bring if no two samples are alike. */
#define FIRST_CAPACITY_SECONDS 0.5
#define MIN_CAPACITY	       1024
#define LEAST_CAPACITY	       64 /* where stacks are deep and memory is short */

/* A set that fills faster than this grows, one that lasts longer than that shrinks. */
#define GROW_BELOW_NS	1000000000ULL
#define SHRINK_ABOVE_NS 30000000000ULL

struct capture {
	struct topstacks_bpf *skeleton;
	struct raw_stacks *raw_stacks;
	struct set sets[ABI_GENERATIONS];
	uint64_t installed_ns[ABI_GENERATIONS];
	struct ledger_cpu *ledger; /* mapped: a row a CPU, generation after generation */
	size_t nr_rows;		   /* a generation */
	struct events events;
	struct sideband *sideband;
	struct kernel_names_bpf *kernel_names; /* opened at the first question */
	bool asked_kernel;
	struct targets targets;
	struct runtime runtime;
	bool has_runtime;
	bool everyone;
	unsigned int max_depth;
	uint32_t first_capacity;
	size_t max_memory_bytes;
	uint64_t drained_ns;
	int statistics;			     /* descriptor that keeps BPF statistics on; -1: off */
	uint64_t nr_due, nr_events, nr_late; /* of the session */
	uint64_t children_not_followed, runtime_untracked; /* already in a ledger */
};

/* ---- opening, in stages; capture__close undoes any number of them ---- */

static unsigned int depth_limit(unsigned int asked)
{
	unsigned long allowed = 127;
	char *text;

	if (!files__read("/proc/sys/kernel/perf_event_max_stack", 64, &text, NULL)) {
		allowed = strtoul(text, NULL, 10);
		free(text);
	}
	if (allowed > ABI_MAX_DEPTH)
		allowed = ABI_MAX_DEPTH;
	return asked < allowed ? asked : (unsigned int)allowed;
}

static bool fits(const struct capture *capture, unsigned int nr_sets, uint32_t capacity)
{
	return nr_sets * set__bytes(capacity, capture->max_depth) +
		       (capture->everyone ? 0 : kernel__targets_bytes()) <=
	       capture->max_memory_bytes;
}

static uint32_t choose_capacity(const struct capture *capture, double samples_per_second)
{
	uint32_t capacity = MIN_CAPACITY;

	while (capacity < samples_per_second * FIRST_CAPACITY_SECONDS &&
	       fits(capture, ABI_GENERATIONS, 2 * capacity))
		capacity *= 2;
	while (capacity > LEAST_CAPACITY && !fits(capture, ABI_GENERATIONS, capacity))
		capacity /= 2;
	return capacity;
}

/* Two descriptors a CPU are more than the usual soft limit where CPUs are many. */
static void raise_nofile(void)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static int open_events(struct capture *capture, const struct capture_options *options,
		       struct error *err)
{
	bool exclude_idle = !capture->everyone || !events__can_sample_idle(options->rate_hz);

	return events__open(&capture->events, options->rate_hz, exclude_idle, options->cpus,
			    options->nr_cpus, err);
}

static int open_sets(struct capture *capture, struct error *err)
{
	int i, code = 0;

	capture->raw_stacks = raw_stacks__new();
	if (!capture->raw_stacks)
		return error__no_memory(err);
	for (i = 0; i < ABI_GENERATIONS && !code; i++)
		code = set__open(&capture->sets[i], capture->first_capacity, capture->max_depth,
				 capture->raw_stacks, err);
	return code;
}

static int install_sets(struct capture *capture, struct error *err)
{
	int i, code = 0;

	for (i = 0; i < ABI_GENERATIONS && !code; i++) {
		code = set__link(&capture->sets[i], capture->skeleton, err);
		capture->installed_ns[i] = monotonic_ns();
	}
	return code ? code
		    : sets__install(capture->sets, ABI_GENERATIONS, 0, capture->skeleton, err);
}

static int map_ledger(struct capture *capture, struct error *err)
{
	const struct bpf_map *map = capture->skeleton->maps.ledger;
	void *rows;

	capture->nr_rows = bpf_map__max_entries(map) / ABI_GENERATIONS;
	rows = mmap(NULL, bpf_map__max_entries(map) * sizeof(struct ledger_cpu),
		    PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);
	if (rows == MAP_FAILED)
		return error__set(err, EXIT_INTERNAL, -errno, "cannot map the ledger");
	capture->ledger = rows;
	return 0;
}

static int find_targets(struct capture *capture, const struct capture_options *options,
			struct error *err)
{
	size_t i;
	int code;

	code = kernel__follow(capture->skeleton, options, err);
	if (!code)
		code = targets__init(&capture->targets, options, capture->skeleton, err);
	for (i = 0; i < capture->targets.nr_pids && !code; i++)
		if (sideband__follow(capture->sideband, capture->targets.pids[i]))
			code = error__no_memory(err);
	return code;
}

static int open_stages(struct capture *capture, const struct capture_options *options,
		       struct error *err)
{
	int code;

	raise_nofile();
	code = open_events(capture, options, err);
	if (code)
		return code;
	capture->first_capacity =
		choose_capacity(capture, options->rate_hz * (double)capture->events.nr_events);
	code = open_sets(capture, err);
	if (code)
		return code;
	capture->skeleton = kernel__load(options, capture->max_depth, &capture->sets[0], err);
	if (!capture->skeleton)
		return err->code;
	code = install_sets(capture, err);
	if (!code)
		code = map_ledger(capture, err);
	if (!code)
		code = sideband__open(&capture->sideband, capture->everyone, err);
	if (!code)
		code = find_targets(capture, options, err);
	if (!code && options->program_time) {
		capture->statistics = bpf_enable_stats(BPF_STATS_RUN_TIME);
		if (capture->statistics < 0)
			code = features__explain(NULL, err, -errno, "switch on BPF statistics");
	}
	return code;
}

int capture__open(struct capture **out, const struct capture_options *options, struct error *err)
{
	struct capture *capture = calloc(1, sizeof(*capture));
	int i, code;

	if (!capture)
		return error__no_memory(err);
	for (i = 0; i < ABI_GENERATIONS; i++)
		capture->sets[i] = (struct set)SET_CLOSED;
	capture->statistics = -1;
	capture->everyone = options->scope == SCOPE_SYSTEM;
	capture->max_depth = depth_limit(options->max_depth);
	capture->max_memory_bytes = options->max_memory_bytes;
	/* With targets on some CPUs only, the scheduler's account would be of other CPUs too. */
	capture->has_runtime = capture->everyone || !options->cpus;
	code = open_stages(capture, options, err);
	if (code) {
		capture__close(capture);
		return code;
	}
	*out = capture;
	return 0;
}

int capture__start(struct capture *capture, struct error *err)
{
	int code;

	code = runtime__open(&capture->runtime, capture->skeleton, capture->everyone,
			     capture->events.wanted, capture->events.nr_wanted, err);
	if (!code)
		code = events__start(&capture->events, capture->skeleton->progs.on_cpu_sample, err);
	return code;
}

void capture__stop(struct capture *capture)
{
	events__stop(&capture->events);
}

void capture__close(struct capture *capture)
{
	int i;

	if (!capture)
		return;
	events__close(&capture->events);
	runtime__close(&capture->runtime);
	sideband__close(capture->sideband);
	targets__fini(&capture->targets);
	if (capture->ledger)
		munmap(capture->ledger,
		       ABI_GENERATIONS * capture->nr_rows * sizeof(*capture->ledger));
	for (i = 0; i < ABI_GENERATIONS; i++)
		set__close(&capture->sets[i]);
	topstacks_bpf__destroy(capture->skeleton);
	kernel_names__close(capture->kernel_names);
	raw_stacks__free(capture->raw_stacks);
	if (capture->statistics >= 0)
		close(capture->statistics);
	free(capture);
}

/* ---- generations ---- */

static uint32_t current_generation(const struct capture *capture)
{
	return capture->skeleton->bss->session.generation;
}

static uint64_t sum_slot(const struct capture *capture, uint32_t generation, enum ledger_slot slot)
{
	const struct ledger_cpu *rows = capture->ledger + generation * capture->nr_rows;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < capture->nr_rows; i++)
		sum += __atomic_load_n(&rows[i].slots[slot], __ATOMIC_RELAXED);
	return sum;
}

bool capture__is_half_full(const struct capture *capture)
{
	uint32_t now = current_generation(capture);

	return set__is_half_full(&capture->sets[now], sum_slot(capture, now, SLOT_NEW_KEYS),
				 sum_slot(capture, now, SLOT_NEW_SPILLS),
				 sum_slot(capture, now, SLOT_NEW_PROCESSES));
}

/*
 * Sends the programs to the other set; when the events have been read, none works on the old one
 * any more. Returns the generation that is ours now.
 */
static int flip(struct capture *capture, uint32_t *owned, struct ledger *ledger, struct error *err)
{
	uint64_t start_ns = monotonic_ns();
	int code;

	*owned = current_generation(capture);
	__atomic_store_n(&capture->skeleton->bss->session.generation, !*owned, __ATOMIC_SEQ_CST);
	code = events__account(&capture->events, ledger, err);
	capture->drained_ns = start_ns;
	ledger->flip_ns += monotonic_ns() - start_ns;
	return code;
}

/* Moves the programs' counters of an owned generation into the ledger. */
static void account_runs(struct capture *capture, uint32_t owned, struct ledger *ledger)
{
	struct set *set = &capture->sets[owned];

	ledger->events += sum_slot(capture, owned, SLOT_RUNS);
	ledger->counted += sum_slot(capture, owned, SLOT_COUNTED);
	ledger->filtered += sum_slot(capture, owned, SLOT_FILTERED);
	ledger->lost[LOSS_COUNTS_FULL] += sum_slot(capture, owned, SLOT_COUNTS_FULL);
	ledger->lost[LOSS_COUNTS_BUSY] += sum_slot(capture, owned, SLOT_COUNTS_BUSY);
	ledger->lost[LOSS_COUNTS_ERROR] += sum_slot(capture, owned, SLOT_COUNTS_ERROR);
	ledger->lost[LOSS_NO_SET] += sum_slot(capture, owned, SLOT_NO_SET);
	ledger->sampled_ns += sum_slot(capture, owned, SLOT_WEIGHT);

	set->nr_used[SET_COUNTS] += sum_slot(capture, owned, SLOT_NEW_KEYS);
	set->nr_used[SET_SPILL] += sum_slot(capture, owned, SLOT_NEW_SPILLS);
	set->nr_used[SET_PROCESSES] += sum_slot(capture, owned, SLOT_NEW_PROCESSES);
	memset(capture->ledger + owned * capture->nr_rows, 0,
	       capture->nr_rows * sizeof(*capture->ledger));
}

/*
 * Periods that fell due and made no event. Over the whole session, since a timer may be due before
 * a change of generations and fire after it: so no more than one a CPU is wrong, however many
 * intervals there are.
 */
static void account_late(struct capture *capture, struct ledger *ledger, uint64_t due,
			 uint64_t events)
{
	uint64_t late;

	capture->nr_due += due;
	capture->nr_events += events;
	if (capture->events.exclude_idle || capture->nr_due <= capture->nr_events)
		return;
	late = capture->nr_due - capture->nr_events;
	if (late <= capture->nr_late)
		return;
	ledger->late += late - capture->nr_late;
	capture->nr_late = late;
}

static void account_followers(struct capture *capture, struct ledger *ledger)
{
	const struct session *session = &capture->skeleton->bss->session;
	uint64_t not_followed = session->children_not_followed;
	uint64_t untracked = session->runtime_untracked;

	ledger->children_not_followed += not_followed - capture->children_not_followed;
	ledger->runtime_untracked += untracked - capture->runtime_untracked;
	capture->children_not_followed = not_followed;
	capture->runtime_untracked = untracked;
}

static uint32_t next_capacity(const struct capture *capture, uint32_t owned)
{
	uint32_t capacity = capture->sets[owned].capacity;
	uint64_t age_ns = monotonic_ns() - capture->installed_ns[owned];

	if (age_ns < GROW_BELOW_NS && fits(capture, ABI_GENERATIONS, 2 * capacity))
		return 2 * capacity;
	if (age_ns > SHRINK_ABOVE_NS && capacity > capture->first_capacity)
		return capacity / 2;
	return capacity;
}

/*
 * Puts an empty set in the place of a drained one that is half full of known keys and stacks. The
 * old one goes first where there is no room for three, which waits four more grace periods.
 */
static int replace_set(struct capture *capture, uint32_t owned, struct error *err)
{
	struct set *old = &capture->sets[owned];
	uint32_t capacity = next_capacity(capture, owned);
	struct set fresh;
	int code;

	if (!set__is_half_full(old, 0, 0, 0))
		return 0;
	if (!fits(capture, ABI_GENERATIONS + 1, capacity)) {
		set__uninstall(owned, capture->skeleton);
		set__close(old);
	}
	code = set__open(&fresh, capacity, capture->max_depth, capture->raw_stacks, err);
	if (code)
		return code;
	code = set__link(&fresh, capture->skeleton, err);
	if (!code)
		code = sets__install(&fresh, 1, owned, capture->skeleton, err);
	if (code) {
		set__close(&fresh);
		return code;
	}
	set__close(old);
	*old = fresh;
	capture->installed_ns[owned] = monotonic_ns();
	return 0;
}

static int follow_cpus(struct capture *capture, struct error *err)
{
	unsigned int cpu;
	int code = events__follow_cpus(&capture->events, err);

	if (code <= 0)
		return code;
	for (cpu = 0, code = 0; cpu < capture->nr_rows && !code; cpu++)
		code = sideband__follow_cpu(capture->sideband, cpu,
					    events__is_online(&capture->events, cpu));
	if (code)
		features__explain(NULL, err, code, "follow processes through perf events");
	return code;
}

int capture__drain(struct capture *capture, const struct capture_sink *sink, struct ledger *ledger,
		   struct error *err)
{
	uint64_t throttled = ledger->lost[LOSS_THROTTLED];
	uint64_t due = ledger->due, events = ledger->events;
	uint64_t ran_ns = 0;
	uint32_t owned;
	int code;

	code = flip(capture, &owned, ledger, err);
	if (code)
		return code;
	ledger->drains++;
	ledger->idle_excluded = capture->events.exclude_idle;
	ledger->events += ledger->lost[LOSS_THROTTLED] - throttled;
	account_runs(capture, owned, ledger);
	account_late(capture, ledger, ledger->due - due, ledger->events - events);
	account_followers(capture, ledger);
	code = runtime__elapsed(&capture->runtime, &ran_ns, err);
	if (code)
		return code;
	if (capture->has_runtime)
		ledger->ran_ns += ran_ns;
	code = sideband__dispatch(capture->sideband, sink, &ledger->records_lost);
	if (!code)
		code = drain__set(&capture->sets[owned], sink, ledger);
	if (code)
		return error__set(err, EXIT_INTERNAL, code, "cannot read the BPF maps");
	code = replace_set(capture, owned, err);
	if (!code)
		code = follow_cpus(capture, err);
	return code;
}

int capture__dispatch(struct capture *capture, const struct capture_sink *sink, uint64_t *nr_lost)
{
	return sideband__dispatch(capture->sideband, sink, nr_lost);
}

/* ---- questions ---- */

int capture__fd(const struct capture *capture)
{
	return sideband__fd(capture->sideband);
}

uint64_t capture__drained_ns(const struct capture *capture)
{
	return capture->drained_ns;
}

const char *capture__kernel_name(struct capture *capture, uint64_t address)
{
	if (!capture->asked_kernel)
		capture->kernel_names = kernel_names__open();
	capture->asked_kernel = true;
	return capture->kernel_names ? kernel_names__ask(capture->kernel_names, address) : NULL;
}

uint64_t capture__nr_living(const struct capture *capture)
{
	if (capture->everyone)
		return 1;
	return targets__nr_living(&capture->targets);
}

int32_t capture__target_pid(const struct capture *capture, size_t n)
{
	return n < capture->targets.nr_pids ? capture->targets.pids[n] : 0;
}

unsigned int capture__nr_cpus(const struct capture *capture)
{
	return (unsigned int)capture->events.nr_events;
}

unsigned int capture__max_depth(const struct capture *capture)
{
	return capture->max_depth;
}

void capture__program_time(const struct capture *capture, uint64_t *nr_runs, uint64_t *run_ns)
{
	kernel__program_time(capture->skeleton, nr_runs, run_ns);
}

size_t capture__kernel_bytes(const struct capture *capture)
{
	size_t bytes = kernel__map_bytes(capture->skeleton);
	int i, map;

	for (i = 0; i < ABI_GENERATIONS; i++)
		for (map = 0; map < SET_MAPS; map++)
			bytes += kernel__memlock_of(capture->sets[i].maps[map]);
	return bytes;
}
