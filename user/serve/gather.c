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

void time_line__make(struct store *store, uint32_t uid, const struct recording *shown,
		     struct flame_time_line *line, struct flame_slice **slices)
{
	const struct span always = {0, INT64_MAX / 4, false};
	struct slices held;

	store__hold(store, &always, &held);
	*slices = xcalloc(held.nr + 1, sizeof(**slices));
	for (size_t i = 0; i < held.nr; i++)
		(*slices)[i] = (struct flame_slice){
			.start_ns = held.list[i]->start_realtime_ns,
			.duration_ns = held.list[i]->end_ns - held.list[i]->start_ns,
			.value = weight_of(held.list[i], uid),
		};
	*line = (struct flame_time_line){
		.slices = *slices,
		.nr_slices = held.nr,
		.metric = &profile__metrics(shown->profile)->of[VALUE_WEIGHT],
		.shown_ns = shown->start_realtime_ns,
		.shown_duration_ns = shown->duration_ns,
	};
	store__let_go(store, &held);
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

/* Reduces a slice to the wanted owner, event and part. The owner comes first, of all events. */
static int choose(struct recording *recording, const struct gathering *wanted, struct error *err)
{
	const struct recording *event = recording;

	if (wanted->owner != SERVE_NO_UID)
		recording__choose_owner(recording, wanted->owner, wanted->with_kernel);
	if (wanted->event[0] || !wanted->all_events) {
		if (wanted->event[0])
			event = recording__find_event(recording, wanted->event);
		if (!event)
			return -ENOENT;
		recording__show_event(recording, (struct recording *)event);
		recording__drop_others(recording);
	}
	if (choice__is_all(wanted->choice))
		return 0;
	/* Ledgers are of all samples, and say nothing about a part. */
	for (struct recording *one = recording; one; one = one->more) {
		one->ledger = (struct ledger){0};
		one->has_ledger = false;
	}
	return recording__choose(recording, wanted->choice, err);
}

int gather(struct store *store, const struct slices *slices, const struct gathering *wanted,
	   struct recording *recording, struct error *err)
{
	int code = 0;

	if (!slices->nr)
		return -ENODATA;
	recording__init(recording);
	recording->slice_ns = wanted->slice_ns;
	for (size_t i = 0; i < slices->nr && !code; i++) {
		const struct slice *slice = slices->list[i];
		/* Slices that a request had cut are joined again by the grid of the first one. */
		const uint64_t middle_ns = slice->start_ns + (slice->end_ns - slice->start_ns) / 2;
		const size_t cell = wanted->slice_ns
					    ? (size_t)((middle_ns - slices->list[0]->start_ns) /
						       wanted->slice_ns)
					    : NO_SLICE;
		struct recording part;

		code = store__read(store, slice, &part);
		if (code)
			break;
		code = choose(&part, wanted, err);
		if (!code)
			code = recording__append_as(recording, &part, cell);
		recording__fini(&part);
	}
	/* The machine's facts stand where the recording has none. */
	for (int fact = 0; fact < FACTS && !code; fact++)
		if (!recording->facts[fact])
			recording->facts[fact] = recording__keep(recording, wanted->facts[fact]);
	if (code)
		recording__fini(recording);
	return code;
}
