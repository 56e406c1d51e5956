// SPDX-License-Identifier: GPL-2.0-only
/*
 * A common dictionary makes adding and comparing cheap, but it only grows. When it is too large,
 * the newer half of the intervals is copied to a fresh one, one interval at a time so that the
 * display never stalls. Then the fresh dictionary replaces the old one, and the older half is
 * dropped.
 */
#include "live/rows/history.h"

#include <math.h>

#define SAMPLE_BYTES 128  /* of a profile, approximately, including the index */
#define SUMMED_BYTES 2048 /* bytes of the bound for each stack that keeps its frames in a sum */

/* ---- copies ---- */

static void drop_renewed(struct kept *kept)
{
	for (size_t i = 0; kept->renewed && kept->renewed[i]; i++)
		profile__free(kept->renewed[i]);
	free(kept->renewed);
	kept->renewed = NULL;
}

static void drop(struct kept *kept)
{
	drop_renewed(kept);
	recording__fini(&kept->recording);
	*kept = (struct kept){0};
}

/* ---- init and fini ---- */

static void cancel_renewal(struct history *history)
{
	for (size_t i = 0; i < history->nr_intervals; i++)
		drop_renewed(&history->intervals[i]);
	dictionary__free(history->fresh);
	history->fresh = NULL;
}

static void begin_sums(struct history *history)
{
	struct dictionary *dictionary = history->dictionary;

	recording__replace_profile(&history->sum.recording, profile__new(dictionary));
	recording__replace_profile(&history->decayed.recording, profile__new(dictionary));
}

void history__init(struct history *history, size_t max_bytes)
{
	*history = (struct history){.dictionary = dictionary__new(), .max_bytes = max_bytes};
	begin_sums(history);
}

static void drop_oldest(struct history *history, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		drop(&history->intervals[i]);
	history->nr_intervals -= nr;
	memmove(history->intervals, history->intervals + nr,
		history->nr_intervals * sizeof(*history->intervals));
}

void history__fini(struct history *history)
{
	cancel_renewal(history);
	if (history->nr_intervals)
		drop_oldest(history, history->nr_intervals);
	free(history->intervals);
	drop(&history->sum);
	drop(&history->decayed);
	for (int i = 0; i < HELDS; i++)
		drop(&history->held[i]);
	dictionary__free(history->dictionary);
	free(history->event);
	*history = (struct history){0};
}

void history__reset(struct history *history)
{
	cancel_renewal(history);
	if (history->nr_intervals)
		drop_oldest(history, history->nr_intervals);
	drop(&history->sum);
	drop(&history->decayed);
	begin_sums(history);
}

/* ---- bounds ---- */

static size_t profile_bytes(const struct kept *kept)
{
	const struct recording *event = kept->recording.profile ? &kept->recording : NULL;
	size_t nr_samples, nr_bytes = sizeof(*kept);

	for (; event; event = event->more) {
		profile__samples(event->profile, &nr_samples);
		nr_bytes += sizeof(*event) + nr_samples * SAMPLE_BYTES;
	}
	return nr_bytes;
}

static size_t memory_bytes(const struct history *history)
{
	size_t nr_bytes = dictionary__memory_bytes(history->dictionary) +
			  profile_bytes(&history->sum) + profile_bytes(&history->decayed);

	for (size_t i = 0; i < history->nr_intervals; i++)
		nr_bytes += profile_bytes(&history->intervals[i]);
	for (int i = 0; i < HELDS; i++)
		nr_bytes += profile_bytes(&history->held[i]);
	return nr_bytes;
}

/* Copies the profiles of all events to the fresh dictionary. */
static void renew(const struct history *history, struct kept *kept)
{
	const struct recording *event = &kept->recording;
	size_t nr = 0;

	if (!event->profile)
		return;
	kept->renewed = xcalloc(recording__nr_events(event) + 1, sizeof(struct profile *));
	for (; event; event = event->more)
		kept->renewed[nr++] = profile__condense(
			event->profile, history->max_bytes / SUMMED_BYTES + 1, history->fresh);
}

static void replace(struct kept *kept)
{
	struct recording *event = &kept->recording;

	for (size_t i = 0; kept->renewed && event; i++, event = event->more)
		recording__replace_profile(event, kept->renewed[i]);
	free(kept->renewed);
	kept->renewed = NULL;
}

/* Does the rest at once, because the sums change with every interval. */
static void finish_renewal(struct history *history)
{
	size_t nr_old = 0;

	renew(history, &history->sum);
	renew(history, &history->decayed);
	for (int i = 0; i < HELDS; i++)
		renew(history, &history->held[i]);
	while (nr_old < history->nr_intervals && !history->intervals[nr_old].renewed)
		nr_old++;
	drop_oldest(history, nr_old);

	replace(&history->sum);
	replace(&history->decayed);
	for (size_t i = 0; i < history->nr_intervals; i++)
		replace(&history->intervals[i]);
	for (int i = 0; i < HELDS; i++)
		replace(&history->held[i]);
	dictionary__free(history->dictionary);
	history->dictionary = history->fresh;
	history->fresh = NULL;
}

int history__work(struct history *history)
{
	if (!history->fresh) {
		if (history->nr_at_renewal == history->nr_added ||
		    memory_bytes(history) <= history->max_bytes)
			return 0;
		history->nr_at_renewal = history->nr_added;
		history->fresh = dictionary__new();
		return 1;
	}
	/* The newer half of the intervals is copied, the newest first. */
	for (size_t i = history->nr_intervals; i-- > history->nr_intervals / 2;) {
		if (history->intervals[i].renewed)
			continue;
		renew(history, &history->intervals[i]);
		return 1;
	}
	finish_renewal(history);
	return 2;
}

/* ---- adding ---- */

static void decay(struct recording *sum, const struct recording *event)
{
	const double factor = pow(0.5, 1.0 / DECAY_HALF);
	struct profile *more = profile__scale(event->profile, DECAY_UNIT, 0);

	recording__replace_profile(sum, profile__scale(sum->profile, factor, DECAY_UNIT / 32));
	profile__merge(sum->profile, more);
	profile__free(more);
}

static void add_samples(struct recording *sum, const struct recording *event)
{
	profile__merge(sum->profile, event->profile);
}

/*
 * Adds each event to its counterpart, with the circumstances of all intervals and the quality of
 * the last one.
 */
static void add_to_sum(struct kept *sum, const struct kept *kept,
		       void (*add)(struct recording *sum, const struct recording *event))
{
	const struct recording *next = &kept->recording;

	for (const struct recording *event = next; event; event = event->more) {
		struct recording *own = recording__event_for(&sum->recording, next, event);

		add(own, event);
		own->quality = event->quality;
		recording__append_circumstances(own, event);
	}
	sum->number = kept->number;
}

/* ---- the shown event ---- */

static void show(struct kept *kept, const char *event)
{
	const struct recording *found = event && kept->recording.profile
						? recording__find_event(&kept->recording, event)
						: NULL;

	if (found)
		recording__show_event(&kept->recording, (struct recording *)found);
}

void history__show_event(struct history *history, const char *event)
{
	char *copy = xstrdup(event);

	free(history->event);
	history->event = copy;
	cancel_renewal(history); /* it depends on the order of events */
	show(&history->sum, copy);
	show(&history->decayed, copy);
	for (size_t i = 0; i < history->nr_intervals; i++)
		show(&history->intervals[i], copy);
	for (int i = 0; i < HELDS; i++)
		show(&history->held[i], copy);
}

/* ---- the shown value ---- */

static void show_weight(struct kept *kept, const struct recording *of)
{
	const struct recording *event =
		kept->recording.profile ? recording__same_event(&kept->recording, of, of) : NULL;

	if (event)
		profile__show(event->profile, VALUE_WEIGHT);
}

/* ---- adding an interval ---- */

void history__add(struct history *history, const struct recording *interval)
{
	struct kept kept = {.number = ++history->nr_added};

	recording__copy(&kept.recording, interval, history->dictionary);
	show(&kept, history->event);
	add_to_sum(&history->sum, &kept, add_samples);
	add_to_sum(&history->decayed, &kept, decay);
	/* If the sum shows its weight, all intervals do, so that they can be compared. */
	recording__show_spent(&history->sum.recording);
	for (struct recording *event = &history->sum.recording; event; event = event->more) {
		if (profile__metrics(event->profile)->shown != VALUE_WEIGHT)
			continue;
		show_weight(&kept, event);
		show_weight(&history->decayed, event);
		for (size_t i = 0; i < history->nr_intervals; i++)
			show_weight(&history->intervals[i], event);
		for (int i = 0; i < HELDS; i++)
			show_weight(&history->held[i], event);
	}
	array__reserve(&history->intervals, &history->capacity, history->nr_intervals + 1);
	history->intervals[history->nr_intervals++] = kept;
}

/* ---- queries ---- */

const struct kept *history__find(const struct history *history, uint64_t number)
{
	uint64_t oldest;

	if (!history->nr_intervals)
		return NULL;
	oldest = history->intervals[0].number;
	if (number <= oldest)
		return &history->intervals[0];
	if (number - oldest >= history->nr_intervals)
		return &history->intervals[history->nr_intervals - 1];
	return &history->intervals[number - oldest];
}

const struct kept *history__before(const struct history *history, const struct kept *kept)
{
	if (!history->nr_intervals || kept->number <= history->intervals[0].number)
		return NULL;
	return history__find(history, kept->number - 1);
}

void history__hold(struct history *history, enum held held, const struct kept *kept)
{
	struct kept made = {.number = kept->number};

	recording__copy(&made.recording, &kept->recording, history->dictionary);
	drop(&history->held[held]);
	history->held[held] = made;
}

void history__release(struct history *history, enum held held)
{
	drop(&history->held[held]);
}
