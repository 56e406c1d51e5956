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

/* Takes over the profile. NULL: -ENOMEM. */
static int put(struct recording *event, struct profile *profile)
{
	return profile ? recording__replace_profile(event, profile) : -ENOMEM;
}

/* ---- init and fini ---- */

static void cancel_renewal(struct history *history)
{
	for (size_t i = 0; i < history->nr_intervals; i++)
		drop_renewed(&history->intervals[i]);
	dictionary__free(history->fresh);
	history->fresh = NULL;
}

static int begin_sums(struct history *history)
{
	int code = put(&history->sum.recording, profile__new(history->dictionary));

	return code ? code : put(&history->decayed.recording, profile__new(history->dictionary));
}

int history__init(struct history *history, size_t max_bytes)
{
	*history = (struct history){.dictionary = dictionary__new(), .max_bytes = max_bytes};
	return history->dictionary ? begin_sums(history) : -ENOMEM;
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

int history__reset(struct history *history)
{
	cancel_renewal(history);
	if (history->nr_intervals)
		drop_oldest(history, history->nr_intervals);
	drop(&history->sum);
	drop(&history->decayed);
	return begin_sums(history);
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
static int renew(const struct history *history, struct kept *kept)
{
	const struct recording *event = &kept->recording;
	size_t nr = 0;

	if (!event->profile)
		return 0;
	kept->renewed = xcalloc(recording__nr_events(event) + 1, sizeof(struct profile *));
	for (; event; event = event->more) {
		kept->renewed[nr] = profile__condense(
			event->profile, history->max_bytes / SUMMED_BYTES + 1, history->fresh);
		if (!kept->renewed[nr++])
			return -ENOMEM;
	}
	return 0;
}

static int replace(struct kept *kept)
{
	struct recording *event = &kept->recording;
	int code = 0;

	for (size_t i = 0; kept->renewed && event; i++, event = event->more)
		if (put(event, kept->renewed[i]))
			code = -ENOMEM;
	free(kept->renewed);
	kept->renewed = NULL;
	return code;
}

/* Does the rest at once, because the sums change with every interval. */
static int finish_renewal(struct history *history)
{
	size_t nr_old = 0;
	int code = renew(history, &history->sum);

	if (!code)
		code = renew(history, &history->decayed);
	for (int i = 0; i < HELDS && !code; i++)
		code = renew(history, &history->held[i]);
	if (code)
		return code;
	while (nr_old < history->nr_intervals && !history->intervals[nr_old].renewed)
		nr_old++;
	drop_oldest(history, nr_old);

	code = replace(&history->sum);
	if (!code)
		code = replace(&history->decayed);
	for (size_t i = 0; i < history->nr_intervals && !code; i++)
		code = replace(&history->intervals[i]);
	for (int i = 0; i < HELDS && !code; i++)
		code = replace(&history->held[i]);
	if (code)
		return code;
	dictionary__free(history->dictionary);
	history->dictionary = history->fresh;
	history->fresh = NULL;
	return 2;
}

int history__work(struct history *history)
{
	if (!history->fresh) {
		if (history->nr_at_renewal == history->nr_added ||
		    memory_bytes(history) <= history->max_bytes)
			return 0;
		history->nr_at_renewal = history->nr_added;
		history->fresh = dictionary__new();
		return history->fresh ? 1 : -ENOMEM;
	}
	/* The newer half of the intervals is copied, the newest first. */
	for (size_t i = history->nr_intervals; i-- > history->nr_intervals / 2;)
		if (!history->intervals[i].renewed)
			return renew(history, &history->intervals[i]) ? -ENOMEM : 1;
	return finish_renewal(history);
}

/* ---- adding ---- */

static int decay(struct recording *sum, const struct recording *event)
{
	double factor = pow(0.5, 1.0 / DECAY_HALF);
	struct profile *more = profile__scale(event->profile, DECAY_UNIT, 0);
	int code = more ? put(sum, profile__scale(sum->profile, factor, DECAY_UNIT / 32)) : -ENOMEM;

	if (!code)
		code = profile__merge(sum->profile, more);
	profile__free(more);
	return code;
}

static int add_samples(struct recording *sum, const struct recording *event)
{
	return profile__merge(sum->profile, event->profile);
}

/*
 * Adds each event to its counterpart, with the circumstances of all intervals and the quality of
 * the last one.
 */
static int add_to_sum(struct kept *sum, const struct kept *kept,
		      int (*add)(struct recording *sum, const struct recording *event))
{
	const struct recording *next = &kept->recording;
	int code = 0;

	for (const struct recording *event = next; event && !code; event = event->more) {
		struct recording *own = recording__event_for(&sum->recording, next, event);

		code = own ? add(own, event) : -ENOMEM;
		if (code)
			break;
		own->quality = event->quality;
		code = recording__append_circumstances(own, event);
	}
	sum->number = kept->number;
	return code;
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

int history__add(struct history *history, const struct recording *interval)
{
	struct kept kept = {.number = ++history->nr_added};
	int code = recording__copy(&kept.recording, interval, history->dictionary);

	if (!code) {
		show(&kept, history->event);
		code = add_to_sum(&history->sum, &kept, add_samples);
	}
	if (!code)
		code = add_to_sum(&history->decayed, &kept, decay);
	if (code) {
		drop(&kept);
		return code;
	}
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
	return 0;
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

int history__hold(struct history *history, enum held held, const struct kept *kept)
{
	struct kept made = {.number = kept->number};
	int code = recording__copy(&made.recording, &kept->recording, history->dictionary);

	if (code)
		return code;
	drop(&history->held[held]);
	history->held[held] = made;
	return 0;
}

void history__release(struct history *history, enum held held)
{
	drop(&history->held[held]);
}
