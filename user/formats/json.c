// SPDX-License-Identifier: GPL-2.0-only
/*
 * One interval as one JSON object on one line; docs/json.md has the schema. Whatever bytes names
 * are made of, the output is valid, in every locale. Integers are written whole, up to 64 bits.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "base/text.h"
#include "topstacks/formats.h"

/* Knows whether a comma is due. Members have a key, elements of arrays have NULL. */
struct json {
	FILE *out;
	bool comma;
};

static void write_key(struct json *json, const char *key)
{
	if (json->comma)
		putc(',', json->out);
	json->comma = true;
	if (!key)
		return;
	putc('"', json->out);
	fputs(key, json->out);
	fputs("\":", json->out);
}

static void write_open(struct json *json, const char *key, char bracket)
{
	write_key(json, key);
	putc(bracket, json->out);
	json->comma = false;
}

static void write_close(struct json *json, char bracket)
{
	putc(bracket, json->out);
	json->comma = true;
}

static void write_count(struct json *json, const char *key, uint64_t count)
{
	write_key(json, key);
	fprintf(json->out, "%" PRIu64, count);
}

static void write_id(struct json *json, const char *key, int32_t id)
{
	write_key(json, key);
	fprintf(json->out, "%" PRId32, id);
}

static void write_bool(struct json *json, const char *key, bool value)
{
	write_key(json, key);
	fputs(value ? "true" : "false", json->out);
}

/* To the nanosecond, which a double would not keep. */
static void write_seconds(struct json *json, const char *key, uint64_t ns)
{
	write_key(json, key);
	fprintf(json->out, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
}

/* In integers: a locale's decimal comma would be no JSON, nor would infinity. */
static void write_rate(struct json *json, const char *key, double rate_hz)
{
	uint64_t mhz;

	write_key(json, key);
	if (!(rate_hz >= 0 && rate_hz < 1e12)) {
		fputs("null", json->out);
		return;
	}
	mhz = (uint64_t)llround(rate_hz * 1000);
	fprintf(json->out, "%" PRIu64, mhz / 1000);
	if (mhz % 1000)
		fprintf(json->out, ".%03" PRIu64, mhz % 1000);
}

static void write_string(struct json *json, const char *key, const char *string)
{
	write_key(json, key);
	if (string)
		text__print_json(json->out, string);
	else
		fputs("null", json->out);
}

/* "2026-01-31T12:34:56.789Z" */
static void write_time(struct json *json, const char *key, int64_t realtime_ns)
{
	int64_t ms = realtime_ns / 1000000;
	time_t seconds = (time_t)(ms / 1000);
	char text[64] = "";
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	write_key(json, key);
	fprintf(json->out, "\"%s.%03dZ\"", text, (int)(ms % 1000));
}

/* Every reason is there, whether it happened or not. */
static void write_losses(struct json *json, const struct ledger *ledger)
{
	write_open(json, "lost_by", '{');
	for (int loss = 0; loss < LOSSES; loss++)
		write_count(json, loss__name((enum loss)loss), ledger->lost[loss]);
	write_close(json, '}');
}

static void write_stacks(struct json *json, const struct ledger *ledger)
{
	write_open(json, "stacks", '{');
	write_count(json, "whole", ledger->whole);
	write_count(json, "truncated", ledger->truncated);
	write_count(json, "unverified", ledger->unverified);
	write_count(json, "missing", ledger__missing(ledger));
	write_open(json, "missing_by", '{');
	for (int missing = 0; missing < MISSINGS; missing++)
		write_count(json, missing__name((enum missing)missing), ledger->missing[missing]);
	write_close(json, '}');
	write_close(json, '}');
}

static void write_late(struct json *json, const struct ledger *ledger)
{
	if (!ledger->idle_excluded) {
		write_count(json, "late_or_skipped", ledger->late);
		return;
	}
	write_key(json, "late_or_skipped");
	fputs("null", json->out);
}

static void write_ledger(struct json *json, const struct ledger *ledger)
{
	write_open(json, "ledger", '{');
	write_count(json, "events", ledger->events);
	write_count(json, "counted", ledger->counted);
	write_count(json, "idle", ledger->idle);
	write_count(json, "filtered", ledger->filtered);
	write_count(json, "lost", ledger__lost(ledger));
	write_losses(json, ledger);
	write_bool(json, "balanced", ledger__balances(ledger));
	write_count(json, "due", ledger->due);
	write_late(json, ledger);
	write_bool(json, "idle_excluded", ledger->idle_excluded);
	write_open(json, "coverage", '{');
	write_seconds(json, "sampled_s", ledger->sampled_ns);
	write_seconds(json, "ran_s", ledger->ran_ns);
	write_close(json, '}');
	write_stacks(json, ledger);
	write_count(json, "children_not_followed", ledger->children_not_followed);
	write_count(json, "processes_unnamed", ledger->processes_unnamed);
	write_count(json, "runtime_untracked", ledger->runtime_untracked);
	write_count(json, "records_lost", ledger->records_lost);
	write_count(json, "stacks_read", ledger->stacks_read);
	write_seconds(json, "stacks_read_s", ledger->stacks_read_ns);
	write_count(json, "drains", ledger->drains);
	write_seconds(json, "flip_s", ledger->flip_ns);
	write_close(json, '}');
}

static void write_cost(struct json *json, const struct cost *cost)
{
	write_open(json, "cost", '{');
	write_seconds(json, "user_s", cost->user_ns);
	write_seconds(json, "system_s", cost->system_ns);
	write_count(json, "resident_bytes", cost->resident_bytes);
	write_count(json, "peak_bytes", cost->peak_bytes);
	write_count(json, "kernel_bytes", cost->kernel_bytes);
	write_seconds(json, "drain_s", cost->drain_ns);
	write_seconds(json, "symbols_s", cost->symbols_ns);
	write_seconds(json, "display_s", cost->display_ns);
	write_count(json, "program_runs", cost->program_runs);
	write_seconds(json, "program_s", cost->program_ns);
	write_close(json, '}');
}

static void write_frame(struct json *json, const struct frame *frame)
{
	write_open(json, NULL, '{');
	write_string(json, "function", frame->function);
	write_string(json, "module", frame->module);
	write_string(json, "kind", frame_kind__name(frame->kind));
	/* Without a module the address would be that of one of many frames merged here. */
	if (!frame->function && frame->module)
		write_count(json, "offset", frame->address);
	write_close(json, '}');
}

static void write_sample(struct json *json, const struct dictionary *dictionary,
			 const struct row *row)
{
	const struct process *process = dictionary__process(dictionary, row->process);
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(dictionary, row->stack, &nr_frames);

	write_open(json, NULL, '{');
	write_id(json, "pid", process->pid);
	if (row->tid)
		write_id(json, "tid", row->tid);
	write_string(json, "comm", process->comm);
	write_count(json, "count", row->values[VALUE_COUNT]);
	write_count(json, "weight_ns", row->values[VALUE_WEIGHT]);
	write_open(json, "frames", '[');
	for (size_t i = 0; i < nr_frames; i++)
		write_frame(json, dictionary__frame(dictionary, frames[i]));
	write_close(json, ']');
	write_close(json, '}');
}

int json__write_interval(FILE *out, const struct interval *interval)
{
	struct json json = {.out = out};
	struct row *rows;
	/* By thread is by process where threads are not told apart. */
	long nr_rows = profile__top_stacks(interval->profile, MERGE_BY_THREAD, VALUE_COUNT,
					   SIZE_MAX, &rows);

	if (nr_rows < 0)
		return (int)nr_rows;
	write_open(&json, NULL, '{');
	write_string(&json, "schema", "topstacks.interval/1");
	write_time(&json, "time", interval->end_realtime_ns);
	write_seconds(&json, "duration_s", interval->duration_ns);
	write_string(&json, "target", interval->target);
	write_rate(&json, "asked_hz", interval->asked_hz);
	write_rate(&json, "delivered_hz", interval->delivered_hz);
	write_count(&json, "cpus", interval->nr_cpus);
	write_ledger(&json, &interval->ledger);
	write_cost(&json, &interval->cost);
	write_open(&json, "samples", '[');
	for (long i = 0; i < nr_rows; i++)
		write_sample(&json, profile__dictionary(interval->profile), &rows[i]);
	write_close(&json, ']');
	write_close(&json, '}');
	putc('\n', out);
	free(rows);
	return text__stream_error(out);
}
