// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens a session from its options, in stages that build on each other. capture__close undoes any
 * number of them, in reverse.
 */
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/files.h"
#include "base/system/rights.h"
#include "capture/capture.h"
#include "capture/events/source.h"
#include "capture/events/tracepoint.h"
#include "capture/host/features.h"
#include "capture/host/skeleton.h"
#include "capture/kernel/kernel.h"
#include "capture/session.h"
#include "capture/tasks/sideband.h"
#include "capture/unwinding/unwinding.h"
#include "topstacks/abi.h"

/* longest wait for the tables of all targets before sampling starts without them */
#define TABLES_NS      3000000000ULL
#define STILL_NS       250000000ULL /* longest wait without progress */
#define TABLES_TICK_MS 10

/* events per CPU and second for which the first maps are sized when events are counted */
#define COUNTED_HZ 1000.0

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

/*
 * Returns true if the event's weight is a time that can be compared with the scheduler's account.
 * With targets on only some of the CPUs it cannot, as the account covers all CPUs.
 */
static bool has_scheduler_time(const struct capture *capture, const struct capture_options *options,
			       const struct event *event)
{
	return event->has_rate && !event->source->is_timed &&
	       metric__unit_ns(&event->metrics.of[VALUE_WEIGHT]) &&
	       (capture->everyone || !options->cpus);
}

static int open_events(struct capture *capture, const struct capture_options *options,
		       struct error *err)
{
	struct events *said = &capture->events.said;
	int code = cpus__open(&capture->cpus, options->cpus, options->nr_cpus, err);
	size_t i;

	if (!code)
		code = opened_events__open(&capture->events, options, capture->everyone,
					   &capture->cpus, err);
	if (!code && options->wakers && !opened_events__are_timed(&capture->events))
		code = error__say(err, EXIT_USAGE, -EINVAL,
				  "--wakers is for waits: -e off-cpu, wall or lock");
	capture->generations.nr_events = said->nr;
	capture->generations.is_timed = opened_events__are_timed(&capture->events);
	capture->generations.carries_stacks =
		capture->generations.is_timed || opened_events__have_levels(&capture->events);
	capture->generations.first_shape.spills_all = capture->generations.carries_stacks;
	capture->generations.first_shape.nr_homes = homes__count(said, NULL);
	capture->has_cycles = features__has(FEATURE_PMU) && COUNTERS_ARE_NMIS;
	for (i = 0; i < said->nr; i++) {
		capture->has_scheduler_time[i] =
			has_scheduler_time(capture, options, &said->list[i]);
		if (options->is_bounded && !said->list[i].has_rate)
			said->list[i].metrics.shown = VALUE_WEIGHT;
	}
	return code;
}

/* Records that the kernel lacks a feature, and the ability that is lost with it. why is copied. */
static void lose(struct capture *capture, enum feature_id id, const char *why)
{
	const struct feature *row = &features__rows[id];
	size_t nr = 0;

	while (nr < MOST_LOST_ABILITIES && capture->lost_abilities[nr].name)
		nr++;
	if (nr == MOST_LOST_ABILITIES)
		return;
	snprintf(capture->why_lost[nr], sizeof(capture->why_lost[nr]), "%s", why);
	capture->lost_abilities[nr] = (struct lost_ability){
		.name = row->ability, .instead = row->instead, .why = capture->why_lost[nr]};
}

/*
 * Checks for bpf_probe_read_kernel(). Without it programs can only read through typed pointers.
 * Returns 0, or negative errno if an event needs more.
 */
static int ask_for_reads(struct capture *capture, struct features *features, struct error *err)
{
	const struct feature_answer *reads = features__answer(features, FEATURE_READ_KERNEL);
	struct set_shape *shape = &capture->generations.first_shape;
	const struct events *events = &capture->events.said;

	/* If the state is unknown, loading the programs will give the reason. */
	shape->reads_kernel = reads->state != FEATURE_MISSING;
	if (shape->reads_kernel)
		return 0;
	for (size_t i = 0; i < events->nr; i++) {
		const struct event *event = &events->list[i];
		const struct tracepoint *tracepoint =
			event->source == &tracepoint_source ? event->tracepoint : NULL;

		if (tracepoint &&
		    (tracepoint->settings.nr_conditions || tracepoint->settings.weight.size))
			return error__say(err, EXIT_SYSTEM, -ENOTSUP,
					  "cannot read the fields of tracepoint %s: %s",
					  event->words.name, reads->detail);
	}
	lose(capture, FEATURE_READ_KERNEL, reads->detail);
	return 0;
}

/*
 * Returns 1 if programs can use bpf_loop, which unwinding needs, 0 if not, or negative errno if
 * tables were demanded.
 */
static int ask_for_tables(struct capture *capture, const struct capture_options *options,
			  struct features *features, struct error *err)
{
	const struct feature_answer *loop = features__answer(features, FEATURE_BPF_LOOP);
	int code = loop->state == FEATURE_OK;

	if (loop->state == FEATURE_UNKNOWN) {
		/* loading the programs gives the reason */
	} else if (!code && options->unwinder == UNWINDER_TABLES) {
		code = error__say(err, EXIT_SYSTEM, -ENOTSUP, "--unwind dwarf cannot be had: %s",
				  loop->detail);
		if (loop->remedy)
			error__remedy(err, "%s", loop->remedy);
	} else if (!code && options->unwinder == UNWINDER_AUTO) {
		lose(capture, FEATURE_BPF_LOOP, loop->detail);
		snprintf(capture->no_tables, sizeof(capture->no_tables),
			 "they need unwind tables: %s", loop->detail);
	}
	return code;
}

/*
 * Chooses how user stacks are walked. A kernel that can unwind with tables can also follow frame
 * records.
 */
static int choose_walk(struct capture *capture, const struct capture_options *options,
		       struct error *err)
{
	struct set_shape *shape = &capture->generations.first_shape;
	const struct events *said = &capture->events.said;
	struct features *features = features__new("");
	size_t i;
	int can;

	can = ask_for_reads(capture, features, err);
	if (!can && options->user_stacks)
		can = ask_for_tables(capture, options, features, err);
	features__free(features);
	if (can < 0 || !options->user_stacks)
		return can;
	shape->unwinds = can && options->unwinder != UNWINDER_FRAME_POINTERS;
	shape->interprets = shape->unwinds && options->frames != FRAMES_NATIVE;
	if (options->frames != FRAMES_NATIVE && !shape->unwinds)
		capture->no_interpreters = *capture->no_tables
						   ? capture->no_tables
						   : "they need unwind tables, not --unwind fp";
	shape->with_lines = shape->interprets && options->code_lines;
	shape->hands_over = shape->interprets && said->nr == 1 &&
			    said->list[0].source->programs[WALK_INTERPRETERS];
	for (i = 0; i < said->nr && can && !shape->unwinds; i++)
		shape->follows_records |= said->list[i].source->follows_records;
	return 0;
}

/*
 * Loads the programs. If the verifier refuses one that is optional, tries without it, unless the
 * user asked for it. If that fails, too, reports the first refusal.
 */
static int load_kernel(struct capture *capture, const struct capture_options *options,
		       struct error *err)
{
	struct set_shape *shape = &capture->generations.first_shape;
	const struct events *events = &capture->events.said;
	const struct set *like = &capture->generations.sets[0];
	struct error first = {0};
	bool wants_smaller;

	capture->skeleton = kernel__load(options, events, shape, like, &wants_smaller, &first);
	if (wants_smaller && shape->hands_over) {
		shape->hands_over = false;
		capture->skeleton = kernel__load(options, events, shape, like, &wants_smaller, err);
	}
	if (wants_smaller && shape->interprets) {
		shape->interprets = false;
		capture->no_interpreters =
			"the kernel's verifier refused the program that follows them";
		capture->skeleton = kernel__load(options, events, shape, like, &wants_smaller, err);
	}
	if (wants_smaller && shape->unwinds && options->unwinder == UNWINDER_AUTO) {
		shape->unwinds = capture->generations.sets[0].shape.unwinds =
			capture->generations.sets[1].shape.unwinds = false;
		lose(capture, FEATURE_BPF_LOOP,
		     "the kernel's verifier refused the program that walks with them");
		capture->skeleton = kernel__load(options, events, shape, like, &wants_smaller, err);
	}
	*err = capture->skeleton ? (struct error){0} : first;
	return err->code;
}

static int open_unwinding(struct capture *capture, const struct capture_options *options,
			  struct error *err)
{
	const struct unwinding_options chosen = {
		.skeleton = capture->skeleton,
		.everyone = capture->anyone,
		.max_bytes = options->max_unwind_bytes,
		.map_calls = &capture->account.map_calls,
		.readers = options->readers,
		.openers = options->openers,
	};

	return capture->generations.first_shape.unwinds
		       ? unwinding__open(&capture->unwinding, &chosen, err)
		       : 0;
}

/* Loads the tables of targets that already run before the first sample. */
static int load_tables(struct capture *capture, struct error *err)
{
	struct unwinding *unwinding = capture->unwinding;
	struct pollfd watched[UNWINDING_MAX_WATCHED];
	uint64_t start_ns, now_ns, moved_ns;
	int code;

	if (!unwinding)
		return 0;
	for (size_t i = 0; i < capture->targets.nr_pids; i++)
		unwinding__want(unwinding, capture->targets.pids[i]);

	start_ns = now_ns = moved_ns = monotonic_ns();
	code = unwinding__refresh(unwinding, NULL, NULL, err);
	while (!code && unwinding__is_loading(unwinding) && now_ns < start_ns + TABLES_NS &&
	       now_ns < moved_ns + STILL_NS) {
		poll(watched, unwinding__watch(unwinding, watched), TABLES_TICK_MS);
		code = unwinding__refresh(unwinding, NULL, NULL, err);
		now_ns = monotonic_ns();
		/*
		 * While readers are quick, spare the question to the kernel whether they make
		 * progress.
		 */
		if (now_ns >= moved_ns + STILL_NS / 4 && unwinding__moves(unwinding))
			moved_ns = now_ns;
	}
	unwinding__await(unwinding);
	capture__follow_interpreters(capture);
	return code;
}

static int open_stages(struct capture *capture, const struct capture_options *options,
		       struct error *err)
{
	const struct events *said = &capture->events.said;
	const struct bpf_map *passages;
	double rate_hz = options->rate_hz;
	uint64_t before;
	bool is_prompt;
	int code;

	code = open_events(capture, options, err);
	if (!code)
		code = choose_walk(capture, options, err);
	if (code)
		return code;

	/* the rate of counted events is unknown, so each gets the share of a sampled one */
	for (size_t i = 0; i < said->nr; i++)
		if (!said->list[i].has_rate)
			rate_hz = fmax(rate_hz, COUNTED_HZ);
	code = generations__open(&capture->generations,
				 rate_hz * (double)said->nr * cpus__count(&capture->cpus), err);
	if (!code)
		code = load_kernel(capture, options, err);
	if (code)
		return code;

	/* maps are put into maps of maps in the background, for each of which the kernel waits */
	generations__install(&capture->generations, capture->skeleton);
	code = open_unwinding(capture, options, err);
	if (code)
		return code;
	passages = capture->skeleton->maps.passages;
	if (bpf_map__fd(passages) >= 0) /* else no program of this run counts passages */
		code = grace__open(&capture->grace, bpf_map__fd(passages),
				   bpf_map__max_entries(passages), &capture->cpus, err);
	if (!code)
		code = account__open(&capture->account, capture->skeleton, err);
	is_prompt = (capture->generations.first_shape.unwinds ||
		     opened_events__follow_processes(&capture->events)) &&
		    !capture->anyone;
	if (!code)
		code = sideband__open(&capture->sideband, capture->anyone, is_prompt, err);
	if (!code)
		code = kernel__follow(capture->skeleton, options, err);
	if (!code)
		code = targets__init(&capture->targets, options, capture->skeleton, err);
	for (size_t i = 0; i < capture->targets.nr_pids && !code; i++)
		sideband__follow(capture->sideband, capture->targets.pids[i]);
	if (!code)
		code = load_tables(capture, err);
	if (!code) /* the kernel frees memory meanwhile, in parallel to the reading of tables */
		code = generations__await(&capture->generations, err);
	if (code || (!options->program_time && !options->program_time_if_may))
		return code;

	before = rights__raise(RIGHT_SYS_ADMIN);
	capture->statistics = bpf_enable_stats(BPF_STATS_RUN_TIME);
	code = capture->statistics < 0 && options->program_time ? -errno : 0;
	rights__restore(before);
	return code ? features__explain(NULL, err, code, "switch on BPF statistics") : 0;
}

/* If the kernel refuses the program, stacks keep the interpreter's native frames. */
void capture__follow_interpreters(struct capture *capture)
{
	const struct source *source = capture->events.said.list[0].source;
	struct error *err = &capture->not_interpreting;

	if (!capture->generations.first_shape.hands_over || capture->asked_to_interpret ||
	    !unwinding__has_interpreters(capture->unwinding))
		return;
	capture->asked_to_interpret = true;
	pthread_mutex_lock(&capture->loading);
	if (kernel__interpret(capture->skeleton, source, err))
		capture->no_interpreters = err->text;
	pthread_mutex_unlock(&capture->loading);
}

int capture__open(struct capture **out, const struct capture_options *options, struct error *err)
{
	struct capture *capture = xcalloc(1, sizeof(*capture));
	/* maps that follow targets count, too; the sets get the rest */
	const size_t others = options->scope == SCOPE_SYSTEM ? 0 : kernel__targets_bytes();
	const size_t most = options->max_memory_bytes;
	int code;

	capture->statistics = -1;
	pthread_mutex_init(&capture->loading, NULL);
	capture->everyone = options->scope == SCOPE_SYSTEM;
	capture->anyone = capture->everyone || options->scope == SCOPE_NAMED;
	capture->user_stacks = options->user_stacks;
	capture->slice_clock.slice_ns = options->slice_ns;
	generations__init(&capture->generations, depth_limit(options->max_depth),
			  most > others ? most - others : 0, &capture->account.map_calls);
	code = open_stages(capture, options, err);
	if (code) {
		capture__close(capture);
		return code;
	}
	/* drop the calls of the setup: no sample yet */
	capture->account.map_calls = (struct map_calls){0};
	*out = capture;
	return 0;
}

void capture__close(struct capture *capture)
{
	if (!capture)
		return;
	opened_events__close(&capture->events);
	scheduler_time__close(&capture->scheduler_time);
	sideband__close(capture->sideband);
	unwinding__close(capture->unwinding);
	targets__fini(&capture->targets);
	account__close(&capture->account);
	grace__close(&capture->grace);
	cpus__close(&capture->cpus);
	generations__close(&capture->generations);
	topstacks_bpf__destroy(capture->skeleton);
	kernel_names__close(capture->kernel_names);
	if (capture->statistics >= 0)
		close(capture->statistics);
	pthread_mutex_destroy(&capture->loading);
	free(capture);
}
