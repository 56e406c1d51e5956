// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events of a run are recordings in a list. When lists are added up, events of equal names
 * belong together. Two recordings of one event each always belong together; only their metrics are
 * compared.
 */

#include "profile/recording.h"

size_t recording__nr_events(const struct recording *recording)
{
	size_t nr = 0;

	for (; recording; recording = recording->more)
		nr++;
	return nr;
}

struct recording *recording__add_event(struct recording *recording, const char *event)
{
	struct recording *made = xcalloc(1, sizeof(*made)), *last = recording;

	made->profile = profile__new(profile__dictionary(recording->profile));
	memcpy(made->facts, recording->facts, sizeof(made->facts));
	memcpy(made->lost_abilities, recording->lost_abilities, sizeof(made->lost_abilities));
	made->slice_ns = recording->slice_ns;
	made->facts[FACT_EVENT] = recording__keep(made, event);
	while (last->more)
		last = last->more;
	last->more = made;
	return made;
}

/* ---- pairs ---- */

const struct recording *recording__find_event(const struct recording *recording, const char *event)
{
	for (; recording; recording = recording->more) {
		const char *own = recording->facts[FACT_EVENT];

		if (own && event && !strcmp(own, event))
			return recording;
	}
	return NULL;
}

struct recording *recording__event_for(struct recording *sum, const struct recording *next,
				       const struct recording *part)
{
	const char *event = part->facts[FACT_EVENT];
	const bool is_alone = !sum->more && !next->more;
	const struct recording *found;

	if (part == next && (is_alone || !sum->facts[FACT_EVENT] || !event))
		return sum;
	found = recording__find_event(sum, event);
	return found ? (struct recording *)found : recording__add_event(sum, event);
}

const struct recording *recording__same_event(const struct recording *recording,
					      const struct recording *other,
					      const struct recording *part)
{
	if (!recording->more && !other->more)
		return recording;
	return recording__find_event(recording, part->facts[FACT_EVENT]);
}

/* ---- whether lists go together ---- */

/* "samples in count, cpu in nanoseconds"; the shown value comes first */
static void list_metrics(const struct metrics *metrics, char *text, size_t size)
{
	const struct metric *shown = metrics__shown(metrics), *other = metrics__other(metrics);
	int length = 0;

	*text = '\0';
	if (shown->name)
		length = snprintf(text, size, "%.40s in %.40s", shown->name, shown->unit);
	if (other->name)
		snprintf(text + length, size - (size_t)length, "%s%.40s in %.40s",
			 length ? ", " : "", other->name, other->unit);
}

static int check_metrics(const struct recording *left_one, const struct recording *right_one,
			 struct error *err)
{
	const struct metrics *a = profile__metrics(left_one->profile);
	const struct metrics *b = profile__metrics(right_one->profile);
	char names[2][200];
	struct quoted left, right;
	bool same = a->shown == b->shown || metrics__stand_for_weight(a);

	for (int value = 0; value < VALUES; value++)
		same &= metric__equal(&a->of[value], &b->of[value]);
	if (same)
		return 0;
	list_metrics(a, names[0], sizeof(names[0]));
	list_metrics(b, names[1], sizeof(names[1]));
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "files of different sample types cannot be added up: %s, and %s",
			  quote(&left, names[0]), quote(&right, names[1]));
}

static void list_events(const struct recording *recording, char *text, size_t size)
{
	size_t length = 0;

	*text = '\0';
	for (const struct recording *part = recording; part && length < size; part = part->more)
		length += (size_t)snprintf(
			text + length, size - length, "%s%.120s", part == recording ? "" : ", ",
			part->facts[FACT_EVENT] ? part->facts[FACT_EVENT] : "of no name");
}

static int refuse_events(const struct recording *a, const struct recording *b, struct error *err)
{
	char names[2][512];
	struct quoted left, right;

	list_events(a, names[0], sizeof(names[0]));
	list_events(b, names[1], sizeof(names[1]));
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "files of different events cannot be added up: %s, and %s",
			  quote(&left, names[0]), quote(&right, names[1]));
}

int recording__check_events(const struct recording *a, const struct recording *b, struct error *err)
{
	const bool has_a_more = a->more, has_b_more = b->more;
	int code = 0;

	if ((has_a_more || has_b_more) && recording__nr_events(a) != recording__nr_events(b))
		return refuse_events(a, b, err);
	for (const struct recording *part = b; part; part = part->more)
		if (!recording__same_event(a, b, part))
			return refuse_events(a, b, err);
	for (const struct recording *part = a; part && !code; part = part->more) {
		const struct recording *same = recording__same_event(b, a, part);

		code = same ? check_metrics(part, same, err) : refuse_events(a, b, err);
	}
	return code;
}

/* ---- the shown event ---- */

/* Swaps the contents of both: the caller owns the memory of the first one, which stays in place. */
void recording__show_event(struct recording *recording, struct recording *shown)
{
	struct recording *before = recording, *last = shown, first = *recording;

	if (shown == recording)
		return;
	while (before->more != shown)
		before = before->more;
	while (last->more)
		last = last->more;
	*recording = *shown;
	*shown = first;
	if (last == shown)
		recording->more = shown;
	else
		last->more = shown;
	if (before == recording)
		shown->more = NULL;
	else
		before->more = NULL;
}
