// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes of functions: a breakpoint in the code of each target, by a perf event for each process.
 * Other processes that map the same file do not hit it. The kernel ties the event to the process's
 * memory, not to a thread. The event survives an exec by the process's first thread; a child gets
 * an event when its fork is observed.
 *
 * If all processes are sampled, one event without a process serves all.
 */
#include <limits.h>
#include <unistd.h>

#include "base/system/rights.h"
#include "capture/events/capture_options.h"
#include "capture/events/event.h"
#include "capture/events/event_facts.h"
#include "capture/events/event_words.h"
#include "capture/events/probe.h"
#include "capture/events/source.h"
#include "capture/events/tracepoint.h"
#include "capture/events/tracepoint_terms.h"
#include "capture/host/cpus.h"
#include "capture/host/features.h"
#include "capture/host/skeleton.h"
#include "capture/probes/probe_cost.h"
#include "capture/probes/probe_place.h"
#include "capture/probes/probed_processes.h"
#include "capture/sources/missed_hits.h"
#include "processes/file.h"
#include "processes/opener.h"
#include "processes/process.h"
#include "profile/ledger.h"
#include "readers/instruction.h"

/*
 * Tells the path of the file as the kernel has it: a library may have been given by its bare name.
 */
static void add_file(const struct uprobe *probe, int file, const struct event_fact_sink *sink)
{
	const uint64_t before = rights__raise(RIGHTS_TO_LOOK);
	char link[32], path[PATH_MAX];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
	length = readlink(link, path, sizeof(path) - 1);
	rights__restore(before);
	if (length >= 0)
		path[length] = '\0';
	event_facts__add(sink, "file", "%s", length < 0 ? probe->file : path);
}

static void add_place(const struct uprobe *probe, const struct probe_place *place,
		      const struct event_fact_sink *sink)
{
	const bool is_emulated = place->of_function.is_emulated;
	char text[64], bytes[3 * sizeof(place->code) + 1] = "";
	struct error err;
	double ns;

	event_facts__add(sink, "place", "%s+%#zx, at %#" PRIx64 " in the file", probe->symbol,
			 place->of_function.offset, place->offset);
	if (probe->has_offset && place->of_function.offset != probe->offset)
		event_facts__add(
			sink, "moved", "%s",
			"a nop of 5 bytes must have no probe: to the instruction behind it");

	for (size_t i = 0; i < place->of_function.length && i < sizeof(place->code); i++)
		snprintf(bytes + 3 * i, 4, "%02x ", place->code[i]);
	instruction__text(place->code, sizeof(place->code), INSTRUCTION_ANYWHERE, text,
			  sizeof(text));
	event_facts__add(sink, "instruction", "%s %s", bytes, text);
	event_facts__add(sink, "the kernel", "%s",
			 is_emulated ? "emulates this instruction"
				     : "runs this instruction as a copy, in single steps, which "
				       "takes long");
	if (probe_cost__measure(is_emulated, probe->is_of_returns, &ns, &err))
		event_facts__add(sink, "a hit costs", "unknown: %s", err.text);
	else
		event_facts__add(sink, "a hit costs", "%.1f us here%s, and the sample on top",
				 ns / 1000, probe->is_of_returns ? ", with the call" : "");
}

/* Says nothing of a place that is not found: opening the event gives the reason. */
static void tell(const struct event *event, const struct source_options *options,
		 const struct event_fact_sink *sink)
{
	const struct capture_options *asked = options->asked;
	struct opener *opener = opener__new(asked->openers);
	const int file = probe_place__open_file(
		event->probe, opener, asked->nr_ids ? asked->ids[0] : 0, &(struct error){0});
	struct probe_place place;

	if (file >= 0) {
		add_file(event->probe, file, sink);
		if (!probe_place__find(&place, event->probe, file, asked->readers,
				       &(struct error){0}))
			add_place(event->probe, &place, sink);
		close(file);
	}
	opener__free(opener);
	event_facts__add_hits(sink, event, event->probe->is_of_returns ? "return" : "hit");
	event_facts__add(sink, "ledger", "%s",
			 "hits that the program saw; how long children were without a probe");
}

/* ---- parsing ---- */

static int parse(struct event *event, struct error *err)
{
	int code;

	if (!probe__is_meant(event->words.name))
		return 0;
	event->name = event_name__make(&event->words, event->words.name);
	event->count_name = event_name__make_count(&event->words, event->words.name);
	event->tracepoint = xcalloc(1, sizeof(*event->tracepoint));
	event->probe = xcalloc(1, sizeof(*event->probe));
	code = probe__parse(event->probe, &event->words, err);
	if (code)
		return code;
	probe__describe_fields(event->probe, event->tracepoint);
	code = tracepoint_terms__apply(event->tracepoint, &event->words, err);
	if (code)
		return code;
	tracepoint_terms__describe(event);
	return 1;
}

static void configure(struct topstacks_bpf *skeleton, unsigned int index, const struct event *event)
{
	skeleton->rodata->cfg_hits[index] = event->tracepoint->settings;
}

/* ---- state ---- */

struct probing {
	const struct uprobe *probe; /* borrowed from the event */
	const struct bpf_program *program;
	unsigned int number; /* number of the event */
	uint32_t pmu_type;
	/* CPU of the event for all processes; -1: each process has an event */
	int cpu;
	bool looks_up_by_target; /* each target may see another file under the path */
	bool follows_children;
	struct opener *opener;
	struct readers *readers;

	struct probe_place *places; /* one for each distinct file */
	size_t nr_places, places_capacity;
	struct probed_processes processes;

	struct missed_hits missed;
};

/* Finds the place in the file that this process sees; a known file's place is reused. */
static int find_place(struct probing *probing, int32_t pid, size_t *place, struct error *err)
{
	const int file = probe_place__open_file(probing->probe, probing->opener, pid, err);
	int code;

	if (file < 0)
		return file;
	for (*place = 0; *place < probing->nr_places; ++*place)
		if (file__is_same(probing->places[*place].file, file)) {
			close(file);
			return 0;
		}
	array__reserve(&probing->places, &probing->places_capacity, probing->nr_places + 1);
	code = probe_place__find(&probing->places[probing->nr_places], probing->probe, file,
				 probing->readers, err);
	if (code)
		close(file);
	else
		probing->nr_places++;
	return code;
}

static void close_probing(void *state);

static int prepare(struct probing *probing, const struct source_options *options, struct error *err)
{
	const struct capture_options *asked = options->asked;
	size_t place, i;
	int code;

	if (asked->scope == SCOPE_NAMED)
		return error__say(
			err, EXIT_USAGE, -EINVAL,
			"a probe takes processes by -p, a command, or -a, since it is put into "
			"each of them");
	/* Only by the attach cookie of a link a program learns which process an event is for. */
	code = features__require(FEATURE_PERF_LINK, "probes need Linux 5.15 or later", err);
	if (!code)
		code = probed_processes__pmu_type(&probing->pmu_type, err);
	if (code)
		return code;
	probing->number = options->index;
	probing->cpu = options->everyone ? cpus__first(options->cpus) : -1;
	probing->looks_up_by_target =
		asked->scope == SCOPE_PROCESSES || asked->scope == SCOPE_THREAD;
	probing->follows_children = asked->follow_children && !options->everyone;
	probing->readers = asked->readers;
	probing->opener = asked->openers ? opener__new(asked->openers) : NULL;
	missed_hits__init(&probing->missed, options);
	if (!probing->looks_up_by_target)
		return find_place(probing, 0, &place, err);
	for (i = 0; i < asked->nr_ids && !code; i++)
		code = find_place(probing, asked->ids[i], &place, err);
	return code;
}

static int open_probe(void **state, const struct event *event, const struct source_options *options,
		      struct error *err)
{
	struct probing *probing = xcalloc(1, sizeof(*probing));
	int code;

	probing->probe = event->probe;
	probed_processes__init(&probing->processes);
	code = prepare(probing, options, err);
	if (code)
		close_probing(probing);
	else
		*state = probing;
	return code;
}

/* ---- putting probes into processes ---- */

static int add_process(struct probing *probing, int32_t pid, size_t place)
{
	const struct probe_request request = {
		.program = probing->program,
		.pmu_type = probing->pmu_type,
		.file = probing->places[place].file,
		.offset = probing->places[place].offset,
		.is_of_returns = probing->probe->is_of_returns,
		.event = probing->number,
		.cpu = probing->cpu,
	};

	return probed_processes__add(&probing->processes, &request, pid);
}

static int explain(int code, struct error *err)
{
	return probed_processes__explain(code, "put the probe into its target", err);
}

static int start(void *state, struct topstacks_bpf *skeleton, const struct bpf_program *program,
		 struct error *err)
{
	struct probing *probing = state;
	int code = 0;

	(void)skeleton;
	probing->program = program;
	if (probing->cpu >= 0)
		code = add_process(probing, 0, 0);
	return code ? explain(code, err) : 0;
}

/*
 * Puts the probe into a process. If the process sees no such file, the first target's file is used,
 * in case it maps that.
 */
static int add_target(void *state, int32_t pid, struct error *err)
{
	struct probing *probing = state;
	struct error why;
	size_t place = 0;
	int code;

	if (probing->cpu >= 0)
		return 0;
	if (probing->looks_up_by_target && find_place(probing, pid, &place, &why))
		place = 0;
	code = add_process(probing, pid, place);
	return code && code != -ESRCH ? explain(code, err) : 0;
}

/* ---- events of processes ---- */

static void observe(void *state, const struct process_event *event)
{
	struct probing *probing = state;

	probed_processes__observe(&probing->processes, event, probing->follows_children);
}

static void account(void *state, uint64_t nr_runs, struct ledger *ledger)
{
	struct probing *probing = state;
	uint64_t nr, ns;

	(void)nr_runs;
	missed_hits__take(&probing->missed, missed_hits__read(probing->program), ledger);
	probed_processes__take_late(&probing->processes, &nr, &ns);
	ledger->processes_unprobed += nr;
	ledger->unprobed_ns += ns;
}

static void stop(void *state)
{
	struct probing *probing = state;

	probed_processes__close(&probing->processes);
}

static void close_probing(void *state)
{
	struct probing *probing = state;
	size_t i;

	if (!probing)
		return;
	stop(probing);
	for (i = 0; i < probing->nr_places; i++)
		close(probing->places[i].file);
	opener__free(probing->opener);
	free(probing->places);
	free(probing);
}

const struct source probe_source = {
	.programs = {[WALK_FRAME_POINTERS] = "on_probe", [WALK_TABLES] = "on_probe_unwind"},
	.later_rights = RIGHTS_TO_PROBE, /* children are probed later */
	.counts_passages = true,
	.contexts = IN_CONTEXT(CONTEXT_PROBE),
	.parse = parse,
	.tell = tell,
	.configure = configure,
	.open = open_probe,
	.start = start,
	.add_target = add_target,
	.observe = observe,
	.account = account,
	.stop = stop,
	.close = close_probing,
};
