// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tracepoints: the kernel runs the program at every hit on any CPU. So one perf event suffices to
 * attach it, of no particular CPU, which survives when CPUs go offline.
 *
 * The event's descriptor counts nothing. The ledger's events are the runs of the program, and the
 * hits that the kernel dropped because another program of its kind ran.
 */
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "base/system/rights.h"
#include "capture/events/event.h"
#include "capture/events/event_facts.h"
#include "capture/events/event_words.h"
#include "capture/events/probe.h"
#include "capture/events/source.h"
#include "capture/events/suggestions.h"
#include "capture/events/tracefs.h"
#include "capture/events/tracepoint.h"
#include "capture/events/tracepoint_terms.h"
#include "capture/host/event_link.h"
#include "capture/host/features.h"
#include "capture/host/skeleton.h"
#include "capture/sources/missed_hits.h"

/* Writes "bytes u32 (bytes)", "call_site address", "rwbs (no number)". */
static void write_field(FILE *out, const struct tracepoint_field *field)
{
	const char *unit = tracepoint_terms__known_unit(field->name);

	fputs(field->name, out);
	if (field->shape == SHAPE_ADDRESS)
		fputs(" address", out);
	else if (field->shape == SHAPE_NUMBER)
		fprintf(out, " %c%u", field->is_signed ? 's' : 'u', 8U * field->size);
	else
		fputs(" (no number)", out);
	if (field->shape == SHAPE_NUMBER && unit)
		fprintf(out, " (%s)", unit);
}

static void add_fields(const struct tracepoint *tracepoint, const struct event_fact_sink *sink)
{
	char text[4096] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");
	const char *separator = "";
	size_t i;

	if (!out)
		return;
	for (i = 0; i < tracepoint->nr_fields; i++) {
		if (tracepoint->fields[i].shape == SHAPE_COMMON)
			continue;
		fputs(separator, out);
		write_field(out, &tracepoint->fields[i]);
		separator = ", ";
	}
	fclose(out);
	text[sizeof(text) - 1] = '\0';
	event_facts__add(sink, "fields", "%s", *text ? text : "none");
}

static void tell(const struct event *event, const struct source_options *options,
		 const struct event_fact_sink *sink)
{
	(void)options;
	event_facts__add(sink, "tracepoint", "number %u", event->tracepoint->id);
	event_facts__add_hits(sink, event, "hit");
	if (event->words.weight)
		event_facts__add(sink, "weight", "%s, in %s", event->words.weight,
				 event->metrics.of[VALUE_WEIGHT].unit);
	add_fields(event->tracepoint, sink);
	event_facts__add(sink, "ledger", "%s",
			 features__has(FEATURE_MISSED_HITS)
				 ? "hits that the program saw, and those that the kernel "
				   "kept from it"
				 : "hits that the program saw; what it did not see, this "
				   "kernel does not count");
}

/* ---- parsing ---- */

static int say_unknown(int tracefs, const char *name, struct error *err)
{
	struct suggestions near = {0};
	struct quoted quoted;
	char names[256];

	if (strpbrk(name, "*?["))
		return error__say(err, EXIT_USAGE, -ENOENT,
				  "-e takes no patterns; topstacks list %s tells what there is",
				  quote(&quoted, name));
	tracepoint_names__suggest(&near, tracefs, name);
	error__say(err, EXIT_USAGE, -ENOENT, "this kernel has no tracepoint %s%s",
		   quote(&quoted, name),
		   suggestions__format(&near, "; near: ", names, sizeof(names)));
	suggestions__fini(&near);
	return -ENOENT;
}

static int parse(struct event *event, struct error *err)
{
	const char *name = event->words.name;
	int tracefs, code;

	/* A tracepoint is SYSTEM:NAME; "uprobe:/bin/bash:readline" only looks like it. */
	if (!strchr(name, ':') || probe__is_meant(name))
		return 0;
	event->name = event_name__make(&event->words, name);
	event->count_name = event_name__make_count(&event->words, name);
	event->tracepoint = xcalloc(1, sizeof(*event->tracepoint));

	tracefs = tracefs__open(err);
	if (tracefs < 0)
		return tracefs;
	code = tracepoint__read(event->tracepoint, tracefs, name, err);
	if (code == -ENOENT)
		code = say_unknown(tracefs, name, err);
	close(tracefs);
	if (!code)
		code = tracepoint_terms__apply(event->tracepoint, &event->words, err);
	if (code)
		return code;
	event->attr = (struct perf_event_attr){.type = PERF_TYPE_TRACEPOINT,
					       .config = event->tracepoint->id};
	tracepoint_terms__describe(event);
	return 1;
}

static void configure(struct topstacks_bpf *skeleton, unsigned int index, const struct event *event)
{
	skeleton->rodata->cfg_hits[index] = event->tracepoint->settings;
}

/* ---- state ---- */

struct hits {
	int fd;
	struct event_link link;
	const struct bpf_program *program;
	unsigned int cookie; /* number of the event */
	struct missed_hits missed;
};

/* Opens the event for our own thread; it counts nothing there. */
static int open_hits(void **state, const struct event *event, const struct source_options *options,
		     struct error *err)
{
	const uint64_t before = rights__raise(RIGHTS_TO_OPEN_EVENTS);
	struct perf_event_attr attr = event->attr;
	struct hits *hits = xcalloc(1, sizeof(*hits));
	int code;

	attr.size = sizeof(attr);
	attr.disabled = 1;
	hits->fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	code = hits->fd < 0 ? -errno : 0;
	rights__restore(before);
	if (code) {
		free(hits);
		return features__explain(NULL, err, code, "open the tracepoint");
	}
	hits->cookie = options->index;
	missed_hits__init(&hits->missed, options);
	*state = hits;
	return 0;
}

static int start(void *state, struct topstacks_bpf *skeleton, const struct bpf_program *program,
		 struct error *err)
{
	struct hits *hits = state;
	uint64_t before;
	int code;

	(void)skeleton;
	hits->program = program;
	before = rights__raise(RIGHTS_TO_SAMPLE);
	code = event_link__attach(&hits->link, program, hits->fd, hits->cookie);
	rights__restore(before);
	return code ? features__explain(NULL, err, code, "attach to the tracepoint") : 0;
}

static void account(void *state, uint64_t nr_runs, struct ledger *ledger)
{
	struct hits *hits = state;

	(void)nr_runs;
	missed_hits__take(&hits->missed, missed_hits__read(hits->program), ledger);
}

static void stop(void *state)
{
	struct hits *hits = state;

	event_link__detach(&hits->link, hits->fd);
}

static void close_hits(void *state)
{
	struct hits *hits = state;

	if (!hits)
		return;
	stop(hits);
	if (hits->fd >= 0)
		close(hits->fd);
	free(hits);
}

const struct source tracepoint_source = {
	.programs = {[WALK_FRAME_POINTERS] = "on_tracepoint", [WALK_TABLES] = "on_tp_unwind"},
	.counts_passages = true,
	.contexts = IN_CONTEXT(CONTEXT_PERF_EVENT),
	.follows_records = true,
	.parse = parse,
	.tell = tell,
	.configure = configure,
	.open = open_hits,
	.start = start,
	.account = account,
	.stop = stop,
	.close = close_hits,
};
