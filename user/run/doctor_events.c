// SPDX-License-Identifier: GPL-2.0-only
#include "run/doctor_events.h"

#include "base/escape.h"
#include "base/text.h"
#include "capture/event.h"
#include "capture/event_facts.h"

#define NAME_COLUMNS 15

static void print_fact(void *context, const char *name, const char *text)
{
	FILE *out = context;

	fprintf(out, "  %-*s ", NAME_COLUMNS, name);
	text__print_safe(out, text, 0);
	fputc('\n', out);
}

static void print_event(FILE *out, const struct event *event, double rate_hz,
			const struct error *lack)
{
	const struct event_fact_sink sink = {out, print_fact};

	text__print_safe(out, event->words.said, 0);
	fputc('\n', out);
	event_facts__tell(event, rate_hz, &sink);
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

static void print_event_json(FILE *out, const struct event *event, double rate_hz,
			     const struct error *lack)
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
	event_facts__tell(event, rate_hz, &sink);
	fputs("]}", out);
}

int doctor_events__report(FILE *out, const struct event_question *question, bool json,
			  struct error *err)
{
	struct events events;
	bool can_be_had = true;
	const int code = events__parse(&events, question->events, err);
	size_t i;

	if (code)
		return code;
	if (json)
		fputs("{\"schema\":\"topstacks.doctor-events/1\",\"events\":[", out);
	for (i = 0; i < events.nr; i++) {
		struct error lack = {0};

		if (event_facts__try(&events.list[i], question->rate_hz, &lack))
			can_be_had = false;
		fputs(i == 0 ? "" : json ? "," : "\n", out);
		(json ? print_event_json : print_event)(out, &events.list[i], question->rate_hz,
							&lack);
	}
	if (json)
		fputs("]}\n", out);
	events__free(&events);
	return can_be_had ? EXIT_DONE : EXIT_SYSTEM;
}
