// SPDX-License-Identifier: GPL-2.0-only
#include "push/pusher.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/output/destination.h"
#include "push/sender.h"
#include "push/spool.h"
#include "push/waiting.h"

#define METRICS_NS UINT64_C(1000000000) /* no more often, however many files there are */

struct pusher {
	const struct push_options *options;
	struct push_signals signals;
	struct push_state state;
	struct series_table series;
	struct push_sender sender;
	struct push_spool spool;
	uint64_t metrics_ns; /* when they were written */
	int lock;
};

/* ---- what is told ---- */

static void print_ledger(const struct pusher *pusher)
{
	struct push_waiting waiting;

	waiting__count(&waiting, pusher->options->spool, &pusher->state, true);
	push_ledger__print(stdout, &pusher->state.account, &waiting);
	fflush(stdout);
}

/* Writes the metrics. On failure the old ones stay, and their readers see that they are old. */
static void write_metrics(struct pusher *pusher)
{
	struct destination destination;
	struct push_waiting waiting;

	if (!pusher->options->metrics ||
	    destination__open(&destination, pusher->options->metrics, DESTINATION_SHARED, NULL))
		return;
	waiting__count(&waiting, pusher->options->spool, &pusher->state, false);
	push_ledger__print_metrics(destination.out, &pusher->state.account, &waiting);
	destination__close(&destination, 0, NULL);
	pusher->metrics_ns = monotonic_ns();
}

static void on_wait(void *context)
{
	struct pusher *pusher = context;

	signals__wait(&pusher->signals, 0);
	if (monotonic_ns() - pusher->metrics_ns > METRICS_NS)
		write_metrics(pusher);
	if (!pusher->signals.must_report)
		return;
	pusher->signals.must_report = false;
	print_ledger(pusher);
}

static bool should_stop(void *context)
{
	struct pusher *pusher = context;

	signals__wait(&pusher->signals, 0);
	return pusher->signals.must_stop;
}

/* ---- a file ---- */

/*
 * Counts the files deleted between the last one and this one. Where numbers begin, none is missing.
 */
static void advance(struct push_state *state, const struct spool_entry *entry)
{
	if (entry->number > state->number + 1 && state->number)
		state->account.of[COUNT_FILES_DELETED] += entry->number - state->number - 1;
	if (entry->number) {
		state->number = entry->number;
		strcpy(state->last, entry->name);
	} else {
		strcpy(state->name, entry->name);
	}
	*state->file = '\0';
}

static void skip(struct push_state *state, const struct spool_entry *entry, enum push_count count)
{
	fprintf(stderr, "topstacks-push: %s is rejected: it %s\n", entry->name,
		count == COUNT_FILES_DAMAGED ? "is damaged, or no recording" : "cannot be read");
	state->account.of[count]++;
	advance(state, entry);
}

/* How parts are made beside what is in the file. */
static uint64_t plan_of(const struct push_options *options)
{
	return (uint64_t)options->max_series << 8 | options->format;
}

/* The same file is cut into the same parts. */
static bool is_same(const struct push_state *state, const struct push_upload *upload, uint64_t plan)
{
	uint64_t before = upload->nr_items;

	if (memcmp(state->file_id, upload->id, sizeof(upload->id)) != 0 || state->plan != plan)
		return false;
	for (uint64_t i = 0; i < state->nr_ends; i++) {
		if (state->ends[i] > before || state->ends[i] <= state->next)
			return false;
		before = state->ends[i] - 1;
	}
	return state->next <= upload->nr_items;
}

static int begin(struct pusher *pusher, const struct spool_entry *entry,
		 const struct push_upload *upload, struct error *err)
{
	struct push_state *state = &pusher->state;

	strcpy(state->file, entry->name);
	memcpy(state->file_id, upload->id, sizeof(upload->id));
	state->file_number = entry->number;
	state->plan = plan_of(pusher->options);
	state->before = state->account;
	state->account.of[COUNT_RECORDED] += upload->nr_samples;
	state->account.of[COUNT_FILES]++;
	state->next = state->nr_ends = 0;
	state->is_trying = false;
	return series_table__write(&pusher->series, pusher->options->state, err);
}

static void go_on(struct push_state *state, const struct push_upload *upload)
{
	if (state->is_trying && state->nr_ends)
		state->account.of[COUNT_UNCONFIRMED] +=
			upload__count(upload, state->next, state->ends[state->nr_ends - 1]);
	state->is_trying = false;
}

static int load(struct pusher *pusher, const struct spool_entry *entry, const char *bytes,
		size_t nr_bytes, struct push_upload *upload)
{
	struct push_state *state = &pusher->state;
	bool is_begun = !strcmp(state->file, entry->name);
	int code;

	if (is_begun) {
		code = upload__load(upload, bytes, nr_bytes, &pusher->series, false);
		if (!code && is_same(state, upload, plan_of(pusher->options)))
			return 0;
		upload__clear(upload);
		const uint64_t sent = state->account.of[COUNT_SENT] - state->before.of[COUNT_SENT];
		const uint64_t unconfirmed = state->account.of[COUNT_UNCONFIRMED] + sent;

		state->account = state->before;
		state->account.of[COUNT_UNCONFIRMED] = unconfirmed;
		*state->file = '\0';
	}
	series_table__forget_old(&pusher->series, time(NULL));
	return upload__load(upload, bytes, nr_bytes, &pusher->series, true);
}

static int send_bytes(struct pusher *pusher, const struct spool_entry *entry, const char *bytes,
		      size_t nr_bytes, struct error *err)
{
	struct push_state *state = &pusher->state;
	struct push_upload upload;
	int code = load(pusher, entry, bytes, nr_bytes, &upload);

	if (code == -ENOMEM) {
		memory__error(err);
	} else if (code) {
		skip(state, entry, COUNT_FILES_DAMAGED);
		code = 0;
	} else {
		if (*state->file)
			go_on(state, &upload);
		else
			code = begin(pusher, entry, &upload, err);
		if (!code)
			code = sender__send(&pusher->sender, &upload, err);
		if (!code)
			advance(state, entry);
	}
	upload__clear(&upload);
	return code;
}

static int send_file(struct pusher *pusher, const struct spool_entry *entry, struct error *err)
{
	struct push_state *state = &pusher->state;
	char *bytes = NULL;
	size_t nr_bytes;
	int code = spool__read(&pusher->spool, entry->name, &bytes, &nr_bytes);

	if (code == -ENOENT) { /* meanwhile; the next number tells, if it has one */
		if (!entry->number) {
			state->account.of[COUNT_FILES_DELETED]++;
			advance(state, entry);
		}
		code = 0;
	} else if (code == -ENOMEM) {
		memory__error(err);
	} else if (code) {
		skip(state, entry, code == -EFBIG ? COUNT_FILES_DAMAGED : COUNT_FILES_UNREADABLE);
		code = 0;
	} else {
		code = send_bytes(pusher, entry, bytes, nr_bytes, err);
	}
	free(bytes);
	return code;
}

/* ---- all files ---- */

/* The file that was under way is gone. */
static void abandon(struct push_state *state)
{
	struct spool_entry entry = {state->file, state->file_number};
	char name[NAME_MAX + 1];

	strcpy(name, state->file);
	entry.name = name;
	if (state->is_trying && state->nr_ends) /* the size of the range that may have arrived is
						 * not known any more */
		state->account.of[COUNT_UNCONFIRMED] += push_ledger__rest(&state->account);
	state->account.of[COUNT_DELETED] += push_ledger__rest(&state->account);
	advance(state, &entry);
}

/* The file that is under way is the first. */
static int list(struct pusher *pusher, struct error *err)
{
	struct push_spool *spool = &pusher->spool;
	int code = spool__list(spool, &pusher->state, err);
	size_t at = 0;

	if (code || !*pusher->state.file)
		return code;
	while (at < spool->nr_entries && strcmp(spool->entries[at].name, pusher->state.file) != 0)
		at++;
	if (at == spool->nr_entries) {
		abandon(&pusher->state);
	} else {
		struct spool_entry first = spool->entries[at];

		memmove(&spool->entries[1], &spool->entries[0], at * sizeof(first));
		spool->entries[0] = first;
	}
	return 0;
}

static int send_all(struct pusher *pusher, struct error *err)
{
	int code = list(pusher, err);

	for (size_t i = 0; i < pusher->spool.nr_entries && !code; i++) {
		code = send_file(pusher, &pusher->spool.entries[i], err);
		if (!code && pusher->signals.must_stop)
			code = -EINTR;
	}
	return code;
}

static void rest(struct pusher *pusher)
{
	const uint64_t end_ns = monotonic_ns() + (uint64_t)(pusher->options->every_s * 1e9);
	uint64_t now_ns;

	write_metrics(pusher);
	while (!pusher->signals.must_stop && (now_ns = monotonic_ns()) < end_ns) {
		signals__wait(&pusher->signals, (double)(end_ns - now_ns) / 1e9);
		on_wait(pusher);
	}
}

static int push(struct pusher *pusher, struct error *err)
{
	struct error unwritten = {0};
	int code;

	do {
		code = send_all(pusher, err);
		if (state__write(&pusher->state, pusher->options->state, &unwritten) &&
		    (!code || code == -EINTR)) {
			*err = unwritten;
			code = err->code;
		}
		if (!code && !pusher->options->once)
			rest(pusher);
	} while (!code && !pusher->options->once && !pusher->signals.must_stop);
	return code == -EINTR ? 0 : code;
}

static int open_pusher(struct pusher *pusher, struct error *err)
{
	const char *state = pusher->options->state;
	int code = state__lock(state, &pusher->lock, err);

	if (!code)
		code = state__read(&pusher->state, state, err);
	if (!code)
		code = series_table__read(&pusher->series, state, err);
	if (!code)
		code = http__open(&pusher->sender.http, pusher->options, pusher->sender.target,
				  should_stop, pusher, err);
	return code;
}

int pusher__run(const struct push_options *options, struct error *err)
{
	struct pusher pusher = {
		.options = options,
		.series = {.most = options->max_series},
		.spool = {.directory = options->spool},
		.lock = -1,
	};
	int code;

	pusher.sender = (struct push_sender){
		.options = options,
		.target = target__of(options->format),
		.state = &pusher.state,
		.signals = &pusher.signals,
		.on_wait = on_wait,
		.context = &pusher,
	};
	code = open_pusher(&pusher, err);
	if (!code) {
		code = push(&pusher, err);
		write_metrics(&pusher);
		print_ledger(&pusher);
	}
	spool__clear(&pusher.spool);
	series_table__clear(&pusher.series);
	http__close(pusher.sender.http);
	if (pusher.lock >= 0)
		close(pusher.lock);
	return code;
}

int pusher__print_status(const struct push_options *options, struct error *err)
{
	struct push_waiting waiting;
	struct push_state state;
	int code = state__read(&state, options->state, err);

	if (code)
		return code;
	waiting__count(&waiting, options->spool, &state, true);
	push_ledger__print(stdout, &state.account, &waiting);
	return 0;
}
