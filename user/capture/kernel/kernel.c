// SPDX-License-Identifier: GPL-2.0-only
#include "capture/kernel/kernel.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/system/rights.h"
#include "capture/events/capture_options.h"
#include "capture/events/event.h"
#include "capture/events/source.h"
#include "capture/host/features.h"
#include "capture/host/kernel_types.h"
#include "capture/host/load_report.h"
#include "capture/host/skeleton.h"
#include "capture/kernel/sets.h"
#include "capture/kernel/slice_clock.h"
#include "capture/probes/probe_cost.h"
#include "capture/probes/uprobe_link.h"
#include "topstacks/abi.h"
#include "topstacks/interpreter_abi.h"

const char *loader__version(void)
{
	const char *version = libbpf_version_string();

	return *version == 'v' ? version + 1 : version;
}

/* Iterators run on one CPU at a time, so their contexts have one home each. */
#define OF_ITERATORS (IN_CONTEXT(CONTEXT_CUT) | IN_CONTEXT(CONTEXT_ASLEEP))

uint32_t homes__count(const struct events *events, uint32_t *first)
{
	const long nr_online = sysconf(_SC_NPROCESSORS_ONLN);
	uint32_t contexts = 0, nr_homes = 0, context;
	size_t i;

	for (i = 0; i < events->nr; i++)
		contexts |= events->list[i].source->contexts;
	for (context = 0; context < PROGRAM_CONTEXTS; context++) {
		if (first)
			first[context] = nr_homes;
		if (contexts & OF_ITERATORS & IN_CONTEXT(context))
			nr_homes++;
		else if (contexts & IN_CONTEXT(context))
			nr_homes += nr_online > 0 ? (uint32_t)nr_online : 1;
	}
	return nr_homes;
}

static void set_constants(struct topstacks_bpf *skeleton, const struct capture_options *options,
			  const struct events *events, const struct set_shape *shape, int nr_cpus)
{
	const struct target_names *names = &options->names;
	size_t cpu;

	/* the last row is for iterators */
	skeleton->rodata->cfg_nr_cpus = (unsigned int)nr_cpus + 1;
	skeleton->rodata->cfg_max_depth = shape->max_depth;
	skeleton->rodata->cfg_record_words = set_shape__record_words(shape);
	skeleton->rodata->cfg_nr_homes = shape->nr_homes;
	skeleton->rodata->cfg_follow_records = shape->follows_records;
	skeleton->rodata->cfg_follow_interpreters = shape->interprets;
	skeleton->rodata->cfg_hands_over = shape->hands_over;
	skeleton->rodata->cfg_reads_kernel = shape->reads_kernel;
	skeleton->rodata->cfg_positions = shape->with_lines;
	skeleton->rodata->cfg_all_frames = options->frames == FRAMES_ALL;
	skeleton->rodata->cfg_filter = options->scope == SCOPE_SYSTEM	? FILTER_NONE
				       : options->scope == SCOPE_THREAD ? FILTER_THREAD
									: FILTER_PROCESS;
	skeleton->rodata->cfg_kinds = (options->scope == SCOPE_NAMED ? 0U : KIND_ID) |
				      (names->comms.nr_names ? KIND_COMM : 0U) |
				      (names->users.nr_names ? KIND_USER : 0U) |
				      (names->cgroups.nr_names ? KIND_CGROUP : 0U) |
				      (names->containers.nr_names ? KIND_CONTAINER : 0U);
	skeleton->rodata->cfg_follow_children = options->follow_children;
	skeleton->rodata->cfg_nr_comms = (unsigned int)names->comms.nr_names;
	skeleton->rodata->cfg_user_stacks = options->user_stacks;
	skeleton->rodata->cfg_kernel_stacks = options->kernel_stacks;
	skeleton->rodata->cfg_by_thread = options->by_thread;
	skeleton->rodata->cfg_slice_ns = options->slice_ns;
	skeleton->rodata->cfg_slice_mask = slice_clock__mask(options->slice_ns);
	skeleton->rodata->cfg_tells_owners = options->tells_owners;
	skeleton->rodata->cfg_wakers = options->wakers;
	skeleton->rodata->cfg_page_shift =
		(unsigned int)__builtin_ctzl((unsigned long)sysconf(_SC_PAGESIZE));
	skeleton->rodata->cfg_address_mask = address_mask__read();
	skeleton->rodata->cfg_hash_seed = (uint64_t)map__random_seed() << 32 | map__random_seed();

	/* the wanted CPUs by number: only waits that begin there are sampled */
	skeleton->rodata->cfg_some_cpus = options->cpus != NULL;
	for (cpu = 0; options->cpus && cpu < options->nr_cpus && cpu < ABI_MAX_CPUS; cpu++)
		if (options->cpus[cpu])
			skeleton->rodata->cfg_cpus[cpu / 64] |= 1ULL << cpu % 64;

	skeleton->rodata->cfg_nr_events = (unsigned int)events->nr;
	homes__count(events, skeleton->rodata->cfg_first_home);
	for (unsigned int i = 0; i < events->nr; i++)
		if (events->list[i].source->configure)
			events->list[i].source->configure(skeleton, i, &events->list[i]);
}

/*
 * Allocates large, mostly empty maps on demand. Sampling programs do not write to them. From 6.1 on
 * (34dd3bad1a6f) a perf event's program may read such maps.
 */
static void allocate_late(struct topstacks_bpf *skeleton)
{
	struct bpf_map *const maps[] = {skeleton->maps.targets, skeleton->maps.dying,
					skeleton->maps.unwind_procs,
					skeleton->maps.unwind_mappings};
	struct utsname name;
	int major = 0, minor = 0;

	if (uname(&name) || sscanf(name.release, "%d.%d", &major, &minor) != 2 || major < 6 ||
	    (major == 6 && minor < 1))
		return;
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		bpf_map__set_map_flags(maps[i], BPF_F_NO_PREALLOC);
}

static int set_sizes(struct topstacks_bpf *skeleton, unsigned int max_depth, int nr_cpus,
		     const struct set *like)
{
	/*
	 * Programs that describe code are verified even if they are never called, so the buffer
	 * must fit.
	 */
	size_t buffer_words = RECORD_ROOM(sizeof(struct code_record) / 8);
	int map, code = 0;

	if (buffer_words < skeleton->rodata->cfg_record_words)
		buffer_words = skeleton->rodata->cfg_record_words;
	allocate_late(skeleton);
	for (map = 0; map < SET_MAPS && !code; map++)
		code = bpf_map__set_inner_map_fd(sets__outer_map(skeleton, map), like->maps[map]);
	if (!code)
		code = bpf_map__set_max_entries(skeleton->maps.ledger,
						LEDGER_ROWS(skeleton->rodata->cfg_nr_events,
							    skeleton->rodata->cfg_nr_cpus));
	if (!code)
		code = bpf_map__set_max_entries(skeleton->maps.passages, (unsigned int)nr_cpus);
	if (!code)
		code = bpf_map__set_value_size(skeleton->maps.record_buffer,
					       (uint32_t)(8 * buffer_words));
	if (!code)
		code = bpf_map__set_value_size(skeleton->maps.interpreted,
					       INTERPRETED_BYTES(max_depth));
	return code;
}

static struct bpf_program *find_program(const struct topstacks_bpf *skeleton,
					const struct source *source, enum walk walk)
{
	return source->programs[walk]
		       ? bpf_object__find_program_by_name(skeleton->obj, source->programs[walk])
		       : NULL;
}

/* Returns the walk of the source's program that is to sample. */
static enum walk walk_of(const struct source *source, const struct set_shape *shape)
{
	if (!shape->unwinds)
		return WALK_FRAME_POINTERS;
	return shape->interprets && !shape->hands_over && source->programs[WALK_INTERPRETERS]
		       ? WALK_INTERPRETERS
		       : WALK_TABLES;
}

/* Chooses the source's sampling program and the companions that it needs. */
static void choose_source(struct topstacks_bpf *skeleton, const struct source *source,
			  enum walk walk, bool is_chosen)
{
	const char *const *name = source->companions[walk];

	if (source->programs[walk])
		bpf_program__set_autoload(find_program(skeleton, source, walk), is_chosen);
	for (; name && *name; name++)
		bpf_program__set_autoload(bpf_object__find_program_by_name(skeleton->obj, *name),
					  is_chosen);
}

static bool has_source(const struct events *events, const struct source *source)
{
	size_t i;

	for (i = 0; i < events->nr; i++)
		if (events->list[i].source == source)
			return true;
	return false;
}

/*
 * Chooses one sampling program for each source of an event. Maps that only other programs use are
 * not created.
 */
static void choose_samplers(struct topstacks_bpf *skeleton, const struct events *events,
			    const struct set_shape *shape, bool wakers)
{
	const bool by_tables = shape->unwinds;
	const bool is_running = has_source(events, &alloc_running_source);
	const bool is_sampled = is_running || has_source(events, &alloc_source);
	const struct source *const *source;
	bool count_passages = false, is_timed = false;
	enum walk walk;
	size_t i;

	for (source = sources; *source; source++)
		for (walk = 0; walk < WALKS; walk++)
			choose_source(skeleton, *source, walk, false);
	for (i = 0; i < events->nr; i++) {
		choose_source(skeleton, events->list[i].source,
			      walk_of(events->list[i].source, shape), true);
		count_passages |= events->list[i].source->counts_passages;
		is_timed |= events->list[i].source->is_timed;
	}
	if (!wakers) {
		bpf_program__set_autoload(skeleton->progs.on_waker, false);
		bpf_program__set_autoload(skeleton->progs.on_waker_unwind, false);
	}
	bpf_map__set_autocreate(skeleton->maps.alloc_sites, is_sampled);
	bpf_map__set_autocreate(skeleton->maps.alloc_begun, is_sampled);
	bpf_map__set_autocreate(skeleton->maps.chosen, is_sampled);
	bpf_map__set_autocreate(skeleton->maps.malloc_calls, is_running);
	bpf_map__set_autocreate(skeleton->maps.malloc_threads, is_running);
	bpf_map__set_autocreate(skeleton->maps.alloc_chances, is_running);
	bpf_map__set_autocreate(skeleton->maps.live, has_source(events, &live_source));
	bpf_map__set_autocreate(skeleton->maps.passages, count_passages);
	bpf_map__set_autocreate(skeleton->maps.threads, is_timed);
	bpf_map__set_autocreate(skeleton->maps.cut_scratch, is_timed);
	bpf_map__set_autocreate(skeleton->maps.timer_phase, events->nr > 1);
	bpf_map__set_autocreate(skeleton->maps.stack_pieces,
				by_tables || skeleton->rodata->cfg_follow_records);
	bpf_map__set_autocreate(skeleton->maps.walks, by_tables || is_timed);
	bpf_map__set_autocreate(skeleton->maps.interpreted, by_tables || is_timed);
	bpf_map__set_autocreate(skeleton->maps.interpreters, by_tables || is_timed);
	bpf_map__set_autocreate(skeleton->maps.taking_over, skeleton->rodata->cfg_hands_over);
	bpf_map__set_autocreate(skeleton->maps.unwind_chunks, by_tables);
	bpf_map__set_autocreate(skeleton->maps.unwind_regions, by_tables);
	bpf_map__set_autocreate(skeleton->maps.unwind_procs, by_tables);
	bpf_map__set_autocreate(skeleton->maps.unwind_mappings, by_tables);
}

/*
 * Removes the tail calls that keep private stacks away (keep_stack_of_task,
 * kern/probes/probes.bpf.h). A kernel that interprets programs has no private stacks, and refuses
 * functions beside a tail call, even one that is never reached.
 */
static int drop_tail_calls(struct topstacks_bpf *skeleton)
{
	const struct bpf_insn nothing = {.code = BPF_ALU64 | BPF_MOV | BPF_K};
	struct bpf_program *program;
	int code = 0;

	bpf_object__for_each_program(program, skeleton->obj)
	{
		if (!code && bpf_program__type(program) == BPF_PROG_TYPE_KPROBE)
			code = helper_calls__replace(program, BPF_FUNC_tail_call, nothing);
	}
	return code;
}

/*
 * Prepares programs at probes. A program can be loaded for events or for links of probes; links are
 * for users to whom the kernel refuses events of probes.
 */
static int choose_probing(struct topstacks_bpf *skeleton, const struct events *events)
{
	struct bpf_program *program;
	uint64_t rights = 0;
	bool by_link;

	for (size_t i = 0; i < events->nr; i++)
		rights |= events->list[i].source->later_rights;
	if (!(rights & RIGHTS_TO_PROBE))
		return 0;
	if (!(rights__permitted() & RIGHT_SYS_ADMIN) && !probe_cost__try(&by_link) && by_link)
		bpf_object__for_each_program(program, skeleton->obj)
		{
			if (bpf_program__type(program) == BPF_PROG_TYPE_KPROBE)
				bpf_program__set_expected_attach_type(program, TRACE_UPROBE_MULTI);
		}
	return features__interprets() ? drop_tail_calls(skeleton) : 0;
}

/*
 * Returns true if forks must be followed: children join the targets, or inherit the name, user and
 * cgroup that made the parent a target.
 */
static bool follows_forks(const struct capture_options *options)
{
	return options->scope != SCOPE_SYSTEM &&
	       (options->follow_children || target_names__any(&options->names));
}

/*
 * Regions for some hundred processes, or four with the longest lists. The kernel allocates all of
 * the map at once, and memory that it has not used lately is dear on virtual machines.
 */
#define REGIONS_OF_TARGETS 16384

static void choose_programs(struct topstacks_bpf *skeleton, const struct capture_options *options,
			    const struct events *events, const struct set_shape *shape)
{
	bool targets = options->scope != SCOPE_SYSTEM, named = target_names__any(&options->names);

	choose_samplers(skeleton, events, shape, options->wakers);
	bpf_program__set_autoload(skeleton->progs.on_fork, follows_forks(options));
	bpf_program__set_autoload(skeleton->progs.on_exec, named);
	bpf_program__set_autoload(skeleton->progs.on_judge_task, named);
	bpf_program__set_autoload(skeleton->progs.on_exit, targets);
	bpf_program__set_autoload(skeleton->progs.on_free, targets);
	bpf_program__set_autoload(skeleton->progs.on_task_time, targets);
	if (!targets) {
		bpf_map__set_max_entries(skeleton->maps.targets, 1);
		bpf_map__set_max_entries(skeleton->maps.dying, 1);
	}
	if (targets && !named)
		bpf_map__set_max_entries(skeleton->maps.unwind_regions, REGIONS_OF_TARGETS);
	if (!named) {
		bpf_map__set_max_entries(skeleton->maps.wanted_comms, 1);
		bpf_map__set_max_entries(skeleton->maps.wanted_users, 1);
		bpf_map__set_max_entries(skeleton->maps.wanted_cgroups, 1);
	}
}

static int set_up(struct topstacks_bpf *skeleton, const struct capture_options *options,
		  const struct events *events, const struct set_shape *shape,
		  const struct set *like)
{
	const int nr_cpus = libbpf_num_possible_cpus();
	int code;

	if (nr_cpus < 0)
		return nr_cpus;
	set_constants(skeleton, options, events, shape, nr_cpus);
	choose_programs(skeleton, options, events, shape);
	code = choose_probing(skeleton, events);
	if (code)
		return code;
	return set_sizes(skeleton, shape->max_depth, nr_cpus, like);
}

/* ---- loading ---- */

/* Returns true if the program is the source's sampling program or one of its companions. */
static bool is_of_source(const struct source *source, enum walk walk, const char *program)
{
	const char *const *name = source->companions[walk];

	if (!strcmp(source->programs[walk], program))
		return true;
	for (; name && *name; name++)
		if (!strcmp(*name, program))
			return true;
	return false;
}

/*
 * Returns true if a smaller shape may help: the verifier refused a program that samples, or the
 * kernel a map that only handing over needs.
 */
static bool is_for_smaller(const struct events *events, const struct set_shape *shape,
			   const struct load_report *report, int code)
{
	size_t i;

	if (*report->map)
		return !strcmp(report->map, "taking_over");
	if (code != -EINVAL && code != -E2BIG && code != -EACCES)
		return false;
	for (i = 0; i < events->nr; i++)
		if (is_of_source(events->list[i].source, walk_of(events->list[i].source, shape),
				 report->program))
			return true;
	return false;
}

/*
 * Explains a failed load. libbpf silently leaves out what all supported kernels have if the kernel
 * refuses libbpf's own test of it: then the cause is that test.
 */
static int explain_load(const struct topstacks_bpf *skeleton, const struct load_report *report,
			int code, struct error *err)
{
	const char *left_out = NULL;

	if (code == -EINVAL && (bpf_object__btf_fd(skeleton->obj) < 0 ||
				!strcmp(report->verifier, "missing btf func_info")))
		left_out = "BTF, the types of programs";
	else if (code == -EINVAL && !bpf_map__autocreate(skeleton->maps.rodata))
		left_out = "a map of variables, or a program that uses one";
	if (!left_out)
		return features__explain_load(NULL, err, code, report);
	error__say(err, EXIT_SYSTEM, code,
		   "cannot load the BPF programs: the kernel refused %s, as libbpf tried it",
		   left_out);
	return error__remedy(err, "a seccomp filter or a security module may forbid it");
}

/* Loads an opened object; finds its types first. Fills *report, and err. */
static int load_with_types(struct topstacks_bpf *skeleton, struct kernel_types *types,
			   struct load_report *report, struct error *err)
{
	int code = kernel_types__find(types, skeleton->obj, err);
	uint64_t before;

	if (code)
		return code;
	before = rights__raise(RIGHTS_TO_SAMPLE);
	load_report__begin(report);
	code = topstacks_bpf__load(skeleton);
	load_report__end();
	rights__restore(before);
	return code ? explain_load(skeleton, report, code, err) : 0;
}

static int load_opened(struct topstacks_bpf *skeleton, struct kernel_types *types,
		       const struct events *events, const struct set_shape *shape,
		       bool *wants_smaller, struct error *err)
{
	struct load_report report = {0};
	const int code = load_with_types(skeleton, types, &report, err);

	*wants_smaller = code && is_for_smaller(events, shape, &report, code);
	if (code)
		return code;
	/* if the kernel refused libbpf's first mappable map, the skeleton has no variables */
	if (skeleton->bss && skeleton->rodata)
		return 0;
	error__say(err, EXIT_SYSTEM, -ENOTSUP,
		   "cannot map the variables of the BPF programs: the kernel refused a map with "
		   "BPF_F_MMAPABLE");
	return error__remedy(err, "a seccomp filter or a security module may forbid it");
}

struct topstacks_bpf *kernel__load(const struct capture_options *options,
				   const struct events *events, const struct set_shape *shape,
				   const struct set *like, bool *wants_smaller, struct error *err)
{
	struct kernel_types *types = kernel_types__new(shape->reads_kernel, err);
	LIBBPF_OPTS(bpf_object_open_opts, open);
	struct topstacks_bpf *skeleton;
	int code;

	*wants_smaller = false;
	if (!types)
		return NULL;
	open.btf_custom_path = kernel_types__path(types);
	skeleton = topstacks_bpf__open_opts(&open);
	if (!skeleton) {
		code = features__explain(NULL, err, -errno, "open the BPF programs");
	} else {
		code = set_up(skeleton, options, events, shape, like);
		if (code)
			features__explain(NULL, err, code, "set up the BPF programs");
		else
			code = load_opened(skeleton, types, events, shape, wants_smaller, err);
	}
	kernel_types__free(types);
	if (!code)
		return skeleton;
	topstacks_bpf__destroy(skeleton);
	return NULL;
}

/*
 * Prepares an object with nothing but the source's program that follows interpreters, as the one
 * that takes walks over. It uses the maps of the loaded object, but for the settings.
 */
static int share_maps(struct topstacks_bpf *heir, const struct topstacks_bpf *skeleton,
		      const struct source *source)
{
	struct bpf_program *program;
	struct bpf_map *theirs, *ours = NULL;
	int code = 0;

	*heir->rodata = *skeleton->rodata;
	heir->rodata->cfg_takes_over = true;
	bpf_object__for_each_program(program, heir->obj) bpf_program__set_autoload(program, false);
	bpf_program__set_autoload(find_program(heir, source, WALK_INTERPRETERS), true);
	bpf_object__for_each_map(theirs, skeleton->obj)
	{
		ours = bpf_object__next_map(heir->obj, ours);
		if (code || ours == heir->maps.rodata)
			continue;
		if (bpf_map__fd(theirs) >= 0)
			code = bpf_map__reuse_fd(ours, bpf_map__fd(theirs));
		else
			bpf_map__set_autocreate(ours, false);
	}
	return code;
}

int kernel__interpret(struct topstacks_bpf *skeleton, const struct source *source,
		      struct error *err)
{
	struct kernel_types *types = kernel_types__new(skeleton->rodata->cfg_reads_kernel, err);
	LIBBPF_OPTS(bpf_object_open_opts, open);
	struct load_report report = {0};
	struct topstacks_bpf *heir;
	const uint32_t first = 0;
	int code, program;

	if (!types)
		return err->code;
	open.btf_custom_path = kernel_types__path(types);
	heir = topstacks_bpf__open_opts(&open);
	code = heir ? share_maps(heir, skeleton, source) : -errno;
	if (code)
		features__explain(NULL, err, code, "open the program that follows interpreters");
	else
		code = load_with_types(heir, types, &report, err);
	kernel_types__free(types);
	if (!code) {
		program = bpf_program__fd(find_program(heir, source, WALK_INTERPRETERS));
		if (bpf_map_update_elem(bpf_map__fd(skeleton->maps.taking_over), &first, &program,
					BPF_ANY))
			code = features__explain(NULL, err, -errno,
						 "install the program that follows interpreters");
		else
			skeleton->bss->session.takes_over = true;
	}
	topstacks_bpf__destroy(heir); /* the map keeps the program */
	return code;
}

/* ---- what is loaded ---- */

static struct bpf_link *attach(const struct bpf_program *program)
{
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	struct bpf_link *link = bpf_program__attach_trace(program);

	rights__restore(before);
	return link;
}

int kernel__follow(struct topstacks_bpf *skeleton, const struct capture_options *options,
		   struct error *err)
{
	bool is_attached;

	if (options->scope == SCOPE_SYSTEM)
		return 0;
	skeleton->links.on_free = attach(skeleton->progs.on_free);
	if (skeleton->links.on_free)
		skeleton->links.on_exit = attach(skeleton->progs.on_exit);
	is_attached = skeleton->links.on_exit != NULL;
	if (is_attached && follows_forks(options))
		is_attached = (skeleton->links.on_fork = attach(skeleton->progs.on_fork)) != NULL;
	if (is_attached && target_names__any(&options->names))
		is_attached = (skeleton->links.on_exec = attach(skeleton->progs.on_exec)) != NULL;
	if (!is_attached)
		return features__explain(NULL, err, -errno,
					 "attach to the scheduler's tracepoints");
	return 0;
}

struct bpf_program *kernel__sampler(const struct topstacks_bpf *skeleton,
				    const struct source *source)
{
	struct bpf_program *program = NULL;

	for (enum walk walk = 0; walk < WALKS && (!program || !bpf_program__autoload(program));
	     walk++)
		program = find_program(skeleton, source, walk);
	return program;
}
