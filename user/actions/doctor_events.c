// SPDX-License-Identifier: GPL-2.0-only
#include "actions/doctor_events.h"

#include "base/escape.h"
#include "base/system/thread.h"
#include "capture/capture.h"
#include "capture/events/capture_options.h"
#include "capture/events/event.h"
#include "capture/events/event_facts.h"
#include "run/helpers.h"

#include <unistd.h>

/* Defaults of top and record. */
#define RATE_HZ		 99
#define MAX_DEPTH	 127
#define MAX_MEMORY_BYTES ((size_t)64 << 20)
#define MAX_UNWIND_BYTES ((size_t)128 << 20)

static int begin(const struct capture_options *asked, const struct helpers *helpers, bool starts,
		 struct error *err)
{
	struct capture_options options = *asked;
	struct capture *capture;
	int code;

	options.user_stacks = options.kernel_stacks = true;
	options.follow_children = true;
	options.max_depth = MAX_DEPTH;
	options.max_memory_bytes = MAX_MEMORY_BYTES;
	options.max_unwind_bytes = MAX_UNWIND_BYTES;
	options.readers = helpers->readers;
	options.openers = helpers->openers;
	thread__raise_stack();
	code = capture__open(&capture, &options, err);
	if (code)
		return code;
	if (starts) {
		code = capture__start(capture, err);
		capture__stop(capture);
	}
	capture__close(capture);
	return code;
}

void doctor_attempt__run(struct doctor_attempt *attempt)
{
	const pid_t self = getpid();
	const struct capture_options all = {.scope = SCOPE_SYSTEM, .rate_hz = RATE_HZ};
	const struct capture_options one = {
		.scope = SCOPE_PROCESSES, .ids = &self, .nr_ids = 1, .rate_hz = RATE_HZ};
	struct helpers helpers = {0};

	*attempt = (struct doctor_attempt){0};
	if (!helpers__start(&helpers, false, &attempt->system) &&
	    !helpers__await(&helpers, &attempt->system) &&
	    !begin(&all, &helpers, true, &attempt->system))
		begin(&one, &helpers, true, &attempt->target);
	helpers__stop(&helpers);
}

#define NAME_COLUMNS 15

static void print_fact(void *context, const char *name, const char *text)
{
	FILE *out = context;

	fprintf(out, "  %-*s ", NAME_COLUMNS, name);
	text__print_safe(out, text, 0);
	fputc('\n', out);
}

static void print_event(FILE *out, const struct event *event, const struct capture_options *asked,
			const struct error *lack)
{
	const struct event_fact_sink sink = {out, print_fact};

	text__print_safe(out, event->words.said, 0);
	fputc('\n', out);
	event_facts__tell(event, asked, &sink);
	print_fact(out, "here", lack->code ? lack->text : "it can be had");
}

struct facts_json {
	FILE *out;
	const char *separator;
};

static void print_fact_json(void *context, const char *name, const char *text)
{
	struct facts_json *json = context;

	fprintf(json->out, "%s{\"name\":", json->separator);
	text__print_json(json->out, name);
	fputs(",\"text\":", json->out);
	text__print_json(json->out, text);
	fputc('}', json->out);
	json->separator = ",";
}

static void print_event_json(FILE *out, const struct event *event,
			     const struct capture_options *asked, const struct error *lack)
{
	struct facts_json facts = {out, ""};
	const struct event_fact_sink sink = {&facts, print_fact_json};

	fputs("{\"event\":", out);
	text__print_json(out, event->words.said);
	fputs(",\"name\":", out);
	text__print_json(out, event->name);
	fprintf(out, ",\"can_be_had\":%s,\"why_not\":", lack->code ? "false" : "true");
	if (lack->code)
		text__print_json(out, lack->text);
	else
		fputs("null", out);
	fputs(",\"facts\":[", out);
	event_facts__tell(event, asked, &sink);
	fputs("]}", out);
}

/*
 * Tries one event: loads its programs, creates its maps, and removes all again, with the defaults
 * of a run. An event that is an error alone may be valid together with others.
 */
static void try(const struct event *event, const struct capture_options *asked,
		const struct helpers *helpers, struct error *lack)
{
	struct capture_options alone = *asked;

	alone.event = event->words.said;
	*lack = (struct error){0};
	if (!event_facts__try(event, asked, lack) && begin(&alone, helpers, false, lack) &&
	    lack->exit_code == EXIT_USAGE)
		*lack = (struct error){0};
}

static bool print_events(FILE *out, const struct events *events,
			 const struct capture_options *asked, const struct helpers *helpers,
			 bool json)
{
	bool can_be_had = true;
	size_t i;

	if (json)
		fputs("{\"schema\":\"topstacks.doctor-events/1\",\"events\":[", out);
	for (i = 0; i < events->nr; i++) {
		struct error lack;

		try(&events->list[i], asked, helpers, &lack);
		can_be_had &= !lack.code;
		fputs(i == 0 ? "" : json ? "," : "\n", out);
		(json ? print_event_json : print_event)(out, &events->list[i], asked, &lack);
	}
	if (json)
		fputs("]}\n", out);
	return can_be_had;
}

int doctor_events__report(FILE *out, const struct event_question *question, bool json,
			  struct error *err)
{
	struct capture_options asked = {
		.scope = question->pids.nr_ids ? SCOPE_PROCESSES : SCOPE_SYSTEM,
		.ids = question->pids.ids,
		.nr_ids = question->pids.nr_ids,
		.rate_hz = question->rate_hz,
	};
	struct helpers helpers = {0};
	struct events events;
	int code = events__parse(&events, question->events, err);

	if (code)
		return code;
	events__choose_sources(&events, &asked);
	code = helpers__start(&helpers, false, err);
	if (!code)
		code = helpers__await(&helpers, err);
	if (!code) {
		asked.openers = helpers.openers;
		asked.readers = helpers.readers;
		code = print_events(out, &events, &asked, &helpers, json) ? EXIT_DONE : EXIT_SYSTEM;
	}
	helpers__stop(&helpers);
	events__free(&events);
	return code;
}
