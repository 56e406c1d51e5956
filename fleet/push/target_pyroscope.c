// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pyroscope's push.v1.PusherService/Push, a call of the Connect protocol: one message, and one
 * message as an answer. A request has a profile for each event and series; their names are labels
 * of the series, as labels of samples would become that anyway.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "push/push.pb-c.h"
#include "push/target.h"

#define MAX_PYROSCOPE_LABELS 5
#define EVENT_SIZE	     128

/* A series of a request, with what its message points to. */
struct pushed_series {
	Push__RawProfileSeries message;
	Push__LabelPair labels[MAX_PYROSCOPE_LABELS], *label_pointers[MAX_PYROSCOPE_LABELS];
	Push__RawSample sample, *sample_pointer;
	struct push_bytes part;
	char id[37], name[EVENT_SIZE];
};

struct pushed {
	struct pushed_series **series;
	size_t nr, capacity;
};

/* Pyroscope's pages look for "process_cpu"; other events keep their names. */
static void name_event(char name[EVENT_SIZE], const char *event)
{
	snprintf(name, EVENT_SIZE, "%s", strcmp(event, "cpu-clock") != 0 ? event : "process_cpu");
	for (char *at = name; *at; at++)
		if (!isalnum((unsigned char)*at) || (unsigned char)*at > 127)
			*at = '_';
	if (isdigit((unsigned char)*name))
		*name = '_';
}

static void add_label(struct pushed_series *series, const char *name, const char *value)
{
	Push__LabelPair *label = &series->labels[series->message.n_labels];

	if (!*value)
		return;
	push__label_pair__init(label);
	label->name = (char *)(uintptr_t)name;
	label->value = (char *)(uintptr_t)value;
	series->label_pointers[series->message.n_labels++] = label;
}

static int fill_series(struct pushed_series *series, const struct push_upload *upload, size_t from,
		       size_t to, int64_t start_ns)
{
	const struct push_series *names = &upload->series[upload->items[from].series];
	int code = parts__write(upload, from, to, start_ns, WRITE_NO_LABELS, true, &series->part);

	push__raw_profile_series__init(&series->message);
	push__raw_sample__init(&series->sample);
	series->message.labels = series->label_pointers;
	name_event(series->name, upload__event(upload, from));
	/* In the order of their names. */
	add_label(series, "__delta__", "false");
	add_label(series, "__name__", series->name);
	add_label(series, "comm", names->comm);
	add_label(series, "container", names->container);
	add_label(series, "service_name", names->service);
	upload__identify(upload, from, to, series->id);
	series->sample.id = series->id;
	series->sample.raw_profile.data = (uint8_t *)series->part.bytes;
	series->sample.raw_profile.len = series->part.nr;
	series->sample_pointer = &series->sample;
	series->message.samples = &series->sample_pointer;
	series->message.n_samples = 1;
	return code;
}

static int add_series(struct pushed *pushed, const struct push_upload *upload, size_t from,
		      size_t to, int64_t start_ns)
{
	struct pushed_series *series = xcalloc(1, sizeof(*series));

	array__reserve(&pushed->series, &pushed->capacity, pushed->nr + 1);
	pushed->series[pushed->nr++] = series;
	return fill_series(series, upload, from, to, start_ns);
}

static void clear(struct pushed *pushed)
{
	for (size_t i = 0; i < pushed->nr; i++) {
		free(pushed->series[i]->part.bytes);
		free(pushed->series[i]);
	}
	free(pushed->series);
}

static int fill(struct pushed *pushed, const struct push_upload *upload, size_t from, size_t to,
		int64_t start_ns)
{
	int code = 0;

	while (from < to && !code) {
		size_t end = upload__end_of_series(upload, from, to);

		code = add_series(pushed, upload, from, end, start_ns);
		from = end;
	}
	return code;
}

static int pack(const struct pushed *pushed, struct push_bytes *body)
{
	Push__PushRequest request = PUSH__PUSH_REQUEST__INIT;
	Push__RawProfileSeries **messages = xcalloc(pushed->nr + 1, sizeof(*messages));

	for (size_t i = 0; i < pushed->nr; i++) {
		messages[i] = &pushed->series[i]->message;
		body->nr_inflated += pushed->series[i]->part.nr_inflated;
	}
	request.series = messages;
	request.n_series = pushed->nr;
	body->nr = push__push_request__get_packed_size(&request);
	body->bytes = malloc(body->nr + 1);
	if (body->bytes)
		push__push_request__pack(&request, (uint8_t *)body->bytes);
	free(messages);
	return body->bytes ? 0 : -ENOMEM;
}

static int make(const struct push_upload *upload, size_t from, size_t to, int64_t start_ns,
		struct push_bytes *body)
{
	struct pushed pushed = {0};
	int code = fill(&pushed, upload, from, to, start_ns);

	*body = (struct push_bytes){0};
	if (!code)
		code = pack(&pushed, body);
	clear(&pushed);
	return code;
}

static int print_strings(FILE *out, const struct push_upload *upload, size_t from, size_t to)
{
	struct pushed pushed = {0};
	int code = fill(&pushed, upload, from, to, 0);

	for (size_t i = 0; i < pushed.nr && !code; i++)
		code = parts__print_strings(out, &pushed.series[i]->part);
	clear(&pushed);
	return code;
}

static size_t limit(const struct push_upload *upload, size_t from, size_t to)
{
	(void)upload;
	(void)from;
	return to;
}

static void print_more(FILE *out, const struct push_upload *upload, size_t from)
{
	char name[EVENT_SIZE];

	name_event(name, upload__event(upload, from));
	fprintf(out, " __delta__=\"false\" __name__=\"%s\"", name);
}

const struct push_target target_pyroscope = {
	.labels = {"service_name", "comm", "container"},
	.print_more = print_more,
	.path = "/push.v1.PusherService/Push",
	.content_type = "application/proto",
	.header = "Connect-Protocol-Version: 1",
	.limit = limit,
	.make = make,
	.print_strings = print_strings,
};
