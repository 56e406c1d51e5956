// SPDX-License-Identifier: GPL-2.0-only
#include "push/dry_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/numbers.h"
#include "base/text.h"
#include "push/sender.h"
#include "push/spool.h"

struct dry_run {
	const struct push_options *options;
	const struct push_target *target;
	struct push_state state;
	struct series_table series;
	struct push_spool spool;
	char *url;
};

static void print_label(const char *name, const char *value)
{
	char *safe;

	if (!name || !*value)
		return;
	safe = text__safe_copy(value);
	printf(" %s=\"", name);
	for (const char *at = safe ? safe : ""; *at; at++)
		printf(*at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
	putchar('"');
	free(safe);
}

static void print_series(const struct push_target *target, const struct push_upload *upload,
			 size_t from, size_t to)
{
	const struct push_series *series = &upload->series[upload->items[from].series];
	char count[32];

	text__format_count(count, sizeof(count), upload__count(upload, from, to));
	printf("  ");
	text__print_safe(stdout, upload__event(upload, from), 0);
	print_label(target->labels.service, series->service);
	print_label(target->labels.comm, series->comm);
	print_label(target->labels.container, series->container);
	if (target->print_more)
		target->print_more(stdout, upload, from);
	printf(": %s samples, %zu stacks\n", count, to - from);
}

static int print_range(const struct dry_run *run, const struct push_upload *upload, size_t to,
		       const struct push_bytes *body)
{
	size_t from = run->state.next;

	printf("  POST ");
	text__print_safe(stdout, run->url, 0);
	printf(" %s, %zu bytes, %zu inflated\n", run->target->content_type, body->nr,
	       body->nr_inflated);
	for (size_t end; from < to; from = end) {
		end = upload__end_of_series(upload, from, to);
		print_series(run->target, upload, from, end);
	}
	printf("    names:\n");
	return run->target->print_strings(stdout, upload, run->state.next, to);
}

static int print_ranges(struct dry_run *run, const struct push_upload *upload)
{
	struct push_state *state = &run->state;
	int code = 0;

	state->next = state->nr_ends = 0;
	while (!code && state->next < upload->nr_items) {
		struct push_bytes body;
		size_t to;

		code = sender__next_range(run->target, state, upload, sender__start_ns(upload), &to,
					  &body);
		if (code)
			return code;
		code = print_range(run, upload, to, &body);
		free(body.bytes);
		state->next = to;
		state->nr_ends--;
	}
	return code;
}

static int print_file(struct dry_run *run, const char *name, struct error *err)
{
	struct push_upload upload = {0};
	char *bytes = NULL, count[32];
	size_t nr_bytes;
	int code = spool__read(&run->spool, name, &bytes, &nr_bytes);

	if (!code)
		code = upload__load(&upload, bytes, nr_bytes, &run->series, true);
	text__format_count(count, sizeof(count), upload.nr_samples);
	printf("%s: %s%s\n", name, code ? "rejected" : count, code ? "" : " samples");
	if (!code)
		code = print_ranges(run, &upload);
	upload__clear(&upload);
	free(bytes);
	return code == -ENOMEM ? memory__error(err) : 0;
}

static int print_all(struct dry_run *run, struct error *err)
{
	int code = spool__list(&run->spool, &run->state, err);

	for (size_t i = 0; i < run->spool.nr_entries && !code; i++)
		code = print_file(run, run->spool.entries[i].name, err);
	return code;
}

int dry_run__print(const struct push_options *options, struct error *err)
{
	struct dry_run run = {
		.options = options,
		.target = target__of(options->format),
		.series = {.most = options->max_series},
		.spool = {.directory = options->spool},
	};
	bool is_plain;
	int code = target__url(run.target, options->to, &run.url, &is_plain, err);

	if (!code && options->state && *options->state) {
		code = state__read(&run.state, options->state, err);
		if (!code)
			code = series_table__read(&run.series, options->state, err);
	}
	if (!code)
		code = print_all(&run, err);
	spool__clear(&run.spool);
	series_table__clear(&run.series);
	free(run.url);
	return code;
}
