// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recording as a flame graph, which says where it comes from beside the stacks: first what is of
 * most use, since the first facts may be all that fits.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/numbers.h"
#include "flame/flame.h"
#include "formats/formats.h"

/* Events that a page can show, too; a file has at most 32. */
#define MOST_OTHERS 32

/* Points into itself and into the recording. */
struct fact_list {
	struct flame_fact facts[FACTS + 4];
	size_t nr_facts;
	char start[64], duration[32], rate[64], ledger[400];
	char events[400];
	const struct profile *others[MOST_OTHERS];
};

static void add(struct fact_list *list, const char *name, const char *text)
{
	list->facts[list->nr_facts++] = (struct flame_fact){name, text};
}

static void add_start(struct fact_list *list, int64_t start_realtime_ns)
{
	time_t seconds = (time_t)(start_realtime_ns / 1000000000);
	struct tm tm;

	if (start_realtime_ns && gmtime_r(&seconds, &tm) &&
	    strftime(list->start, sizeof(list->start), "%Y-%m-%d %H:%M:%S UTC", &tm))
		add(list, "start", list->start);
}

static void add_duration(struct fact_list *list, uint64_t duration_ns)
{
	if (!duration_ns)
		return;
	text__format_duration(list->duration, sizeof(list->duration), duration_ns);
	add(list, "duration", list->duration);
}

static void add_rate(struct fact_list *list, const struct recording *recording)
{
	if (recording->asked_hz <= 0)
		return;
	snprintf(list->rate, sizeof(list->rate), "%.1f Hz (asked %.6g Hz)", recording->delivered_hz,
		 recording->asked_hz);
	add(list, "rate", list->rate);
}

/* Only what is known. */
static void fill_list(struct fact_list *list, const struct recording *recording)
{
	list->nr_facts = 0;
	for (int fact = 0; fact < FACTS; fact++)
		if (recording->facts[fact])
			add(list, fact__name((enum fact)fact), recording->facts[fact]);
	add_start(list, recording->start_realtime_ns);
	add_duration(list, recording->duration_ns);
	add_rate(list, recording);
	if (recording->has_ledger) {
		ledger__line(&recording->ledger, list->ledger, sizeof(list->ledger));
		add(list, "ledger", list->ledger);
	}
}

static struct flame_options make_flame_options(const struct recording *recording,
					       const struct write_options *options,
					       struct fact_list *list)
{
	fill_list(list, recording);
	return (struct flame_options){
		.title = options->title,
		.facts = list->facts,
		.nr_facts = list->nr_facts,
		.merge = options->merge,
	};
}

/* What a page can show, instead of the one that a picture shows. */
static void name_events(struct fact_list *list, const struct recording *recording)
{
	size_t length = 0;

	for (; recording && length < sizeof(list->events); recording = recording->more)
		length += (size_t)snprintf(
			list->events + length, sizeof(list->events) - length, "%s%.60s",
			length ? ", " : "",
			recording->facts[FACT_EVENT] ? recording->facts[FACT_EVENT] : "[unnamed]");
	for (size_t i = 0; i < list->nr_facts; i++)
		if (!strcmp(list->facts[i].name, fact__name(FACT_EVENT)))
			list->facts[i].text = list->events;
}

int html__write(FILE *out, const struct recording *recording, const struct write_options *options)
{
	struct fact_list list;
	struct flame_options flame = make_flame_options(recording, options, &list);
	const struct recording *event = recording->more;

	for (; event && flame.nr_others < MOST_OTHERS; event = event->more)
		list.others[flame.nr_others++] = event->profile;
	flame.others = list.others;
	if (flame.nr_others)
		name_events(&list, recording);
	return flame__write_page(out, recording->profile, &flame);
}

int svg__write(FILE *out, const struct recording *recording, const struct write_options *options)
{
	struct fact_list list;
	const struct flame_options flame = make_flame_options(recording, options, &list);

	return flame__write_svg(out, recording->profile, &flame);
}
