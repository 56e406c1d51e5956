// SPDX-License-Identifier: GPL-2.0-only
#include "serve/gather.h"

#include "base/files.h"
#include "profile/select/owner_choice.h"
#include "serve/messages.h"

static uint64_t weight_of(const struct slice *slice, uint32_t uid)
{
	if (uid == SERVE_NO_UID)
		return slice->weight;
	for (size_t i = 0; i < slice->nr_owners; i++)
		if (slice->owners[i].uid == uid)
			return slice->owners[i].weight;
	return 0;
}

int time_line__make(struct store *store, uint32_t uid, const struct recording *shown,
		    struct flame_time_line *line, struct flame_slice **slices)
{
	const struct span always = {0, INT64_MAX / 4, false};
	struct slices held;
	int code = store__hold(store, &always, &held);

	*slices = code ? NULL : calloc(held.nr + 1, sizeof(**slices));
	for (size_t i = 0; *slices && i < held.nr; i++)
		(*slices)[i] = (struct flame_slice){
			.start_ns = held.list[i]->start_realtime_ns,
			.duration_ns = held.list[i]->end_ns - held.list[i]->start_ns,
			.value = weight_of(held.list[i], uid),
		};
	*line = (struct flame_time_line){
		.slices = *slices,
		.nr_slices = *slices ? held.nr : 0,
		.metric = &profile__metrics(shown->profile)->of[VALUE_WEIGHT],
		.shown_ns = shown->start_realtime_ns,
		.shown_duration_ns = shown->duration_ns,
	};
	if (!code)
		store__let_go(store, &held);
	return *slices ? 0 : -ENOMEM;
}

#define MOST_BYTES 64

static long read_setting(const char *path)
{
	char *text;
	long value;

	if (files__read(path, MOST_BYTES, &text, NULL))
		return 9; /* more than any value of these settings */
	value = strtol(text, NULL, 10);
	free(text);
	return value;
}

bool kernel_secrets__are_kept(void)
{
	return read_setting("/proc/sys/kernel/perf_event_paranoid") > 1 ||
	       read_setting("/proc/sys/kernel/kptr_restrict") != 0;
}

/* Reduces a slice to the wanted event. */
static int choose_event(struct recording *recording, const struct gathering *wanted)
{
	const struct recording *event = recording;

	if (!wanted->event[0] && wanted->all_events)
		return 0;
	if (wanted->event[0])
		event = recording__find_event(recording, wanted->event);
	if (!event)
		return -ENOENT;
	recording__show_event(recording, (struct recording *)event);
	recording__drop_others(recording);
	return 0;
}

/* Drops the ledgers: they are of all samples, and say nothing about a part. */
static void drop_ledgers(struct recording *recording)
{
	for (; recording; recording = recording->more) {
		recording->ledger = (struct ledger){0};
		recording->has_ledger = false;
	}
}

static int choose_part(struct recording *recording, const struct gathering *wanted,
		       struct error *err)
{
	if (choice__is_all(wanted->choice))
		return 0;
	drop_ledgers(recording);
	return recording__choose(recording, wanted->choice, err);
}

static int choose(struct recording *recording, const struct gathering *wanted, struct error *err)
{
	int code = 0;

	/* Choose the owner first, while all events are there. */
	if (wanted->owner != SERVE_NO_UID)
		code = recording__choose_owner(recording, wanted->owner, wanted->with_kernel);
	if (!code)
		code = choose_event(recording, wanted);
	return code ? code : choose_part(recording, wanted, err);
}

static int read_slice(struct store *store, const struct slice *slice,
		      const struct gathering *wanted, struct recording *recording,
		      struct error *err)
{
	int code = store__read(store, slice, recording);

	if (code)
		return code;
	code = choose(recording, wanted, err);
	if (code)
		recording__fini(recording);
	return code;
}

/*
 * The cell of the grid that a slice is in. Slices that a request had cut are joined again by this.
 */
static size_t cell_of(const struct slice *slice, const struct slice *first, uint64_t slice_ns)
{
	const uint64_t middle_ns = slice->start_ns + (slice->end_ns - slice->start_ns) / 2;

	return (size_t)((middle_ns - first->start_ns) / slice_ns);
}

/* Adds a slice to the sum, in its cell. */
static int add_slice(struct store *store, const struct slice *slice, size_t cell,
		     const struct gathering *wanted, struct recording *sum, struct error *err)
{
	struct recording part;
	int code = read_slice(store, slice, wanted, &part, err);

	if (code)
		return code;
	code = recording__append_as(sum, &part, cell);
	recording__fini(&part);
	return code;
}

static int add_slices(struct store *store, const struct slices *slices,
		      const struct gathering *wanted, struct recording *sum, struct error *err)
{
	int code = 0;

	for (size_t i = 0; i < slices->nr && !code; i++) {
		const struct slice *slice = slices->list[i];
		const size_t cell = wanted->slice_ns
					    ? cell_of(slice, slices->list[0], wanted->slice_ns)
					    : NO_SLICE;

		code = add_slice(store, slice, cell, wanted, sum, err);
	}
	return code;
}

/* Adds the machine's facts where the recording has none. */
static int add_facts(struct recording *recording, const char *const *facts)
{
	bool failed = false;

	for (int fact = 0; fact < FACTS; fact++)
		if (!recording->facts[fact])
			recording->facts[fact] = recording__keep(recording, facts[fact], &failed);
	return failed ? -ENOMEM : 0;
}

int gather(struct store *store, const struct slices *slices, const struct gathering *wanted,
	   struct recording *recording, struct error *err)
{
	int code;

	if (!slices->nr)
		return -ENODATA;
	code = recording__init(recording);
	if (code)
		return code;
	recording->slice_ns = wanted->slice_ns;
	code = add_slices(store, slices, wanted, recording, err);
	if (!code)
		code = add_facts(recording, wanted->facts);
	if (code)
		recording__fini(recording);
	return code;
}
