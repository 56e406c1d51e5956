// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recording as a flame graph, with its facts beside the stacks: the most useful ones first, as
 * only these may fit.
 */
#include <time.h>

#include "flame/flame.h"
#include "formats/formats.h"
#include "profile/certainty.h"

#define MOST_EVENTS 32 /* that a page can show; no file has more */

/* Facts and their texts; points into itself and into the recording, so it must not be copied. */
struct fact_list {
	struct flame_fact facts[FACTS + 6];
	size_t nr_facts;
	char start[64], duration[32], rate[480], ledger[400], wall[200], scheduler[200];
};

static void add(struct fact_list *list, const char *name, const char *text)
{
	list->facts[list->nr_facts++] = (struct flame_fact){name, text};
}

/* Adds the account of an event; for waits also the time of threads, by two clocks. */
static void add_account(struct fact_list *list, const struct recording *recording)
{
	const struct ledger *ledger = &recording->ledger;
	char asked[64], lowered[48] = "";

	if (recording->asked_hz > 0) {
		if (!asked_rates__format(&recording->asked_rates, asked, sizeof(asked)))
			snprintf(asked, sizeof(asked), "%.6g", recording->asked_hz);
		if (recording->lowered_hz > 0)
			snprintf(lowered, sizeof(lowered), ", lowered to %.6g Hz",
				 recording->lowered_hz);
		snprintf(list->rate, sizeof(list->rate), "%.1f Hz (asked %s Hz%s)",
			 recording->delivered_hz, asked, lowered);
		add(list, "rate", list->rate);
	}
	if (!recording->has_ledger)
		return;
	ledger__line(ledger, list->ledger, sizeof(list->ledger));
	add(list, "ledger", list->ledger);
	if (!ledger__has_wall(ledger))
		return;
	ledger__wall_line(ledger, list->wall, sizeof(list->wall));
	add(list, "wall", list->wall);
	ledger__scheduler_line(ledger, list->scheduler, sizeof(list->scheduler));
	add(list, "scheduler", list->scheduler);
}

static void add_run(struct fact_list *list, const struct recording *recording)
{
	const time_t seconds = (time_t)(recording->start_realtime_ns / 1000000000);
	struct tm tm;

	for (int fact = 0; fact < FACTS; fact++)
		if (fact != FACT_EVENT && recording->facts[fact])
			add(list, fact__name((enum fact)fact), recording->facts[fact]);
	if (recording->start_realtime_ns && gmtime_r(&seconds, &tm) &&
	    strftime(list->start, sizeof(list->start), "%Y-%m-%d %H:%M:%S UTC", &tm))
		add(list, "start", list->start);
	if (recording->duration_ns) {
		text__format_duration(list->duration, sizeof(list->duration),
				      recording->duration_ns);
		add(list, "duration", list->duration);
	}
}

/* Finds the error bars of both values. */
static void find_errors(struct flame_error errors[VALUES], const struct recording *recording)
{
	struct certainty certainty;

	for (int value = 0; value < VALUES; value++) {
		certainty__init_value(&certainty, recording, (enum value)value);
		if (certainty.lack)
			continue;
		errors[value] = (struct flame_error){
			.samples = certainty__worth(&certainty) * certainty.scatter.factor,
			.spread =
				certainty.quantile * certainty.quantile * certainty.scatter.factor,
			.mean = certainty.weighs && profile__weighs_differently(recording->profile)
					? certainty.squares / certainty.whole
					: 0,
		};
	}
}

/* Options for one event, with all facts that are known. */
static struct flame_options options_of_one(const struct recording *recording,
					   const struct write_options *options,
					   struct fact_list *list)
{
	list->nr_facts = 0;
	if (recording->facts[FACT_EVENT])
		add(list, fact__name(FACT_EVENT), recording->facts[FACT_EVENT]);
	add_run(list, recording);
	add_account(list, recording);
	return (struct flame_options){
		.title = options->title,
		.facts = list->facts,
		.nr_facts = list->nr_facts,
		.merge = options->merge,
		.time_line = options->time_line,
		.recording = recording,
	};
}

/* Writes several events, each with its own account; facts of the run are written once. */
static int write_events(FILE *out, const struct recording *recording,
			const struct write_options *options)
{
	struct fact_list *lists = xcalloc(MOST_EVENTS + 1, sizeof(*lists)), *run = lists;
	struct flame_event events[MOST_EVENTS];
	struct flame_options flame = {.title = options->title,
				      .events = events,
				      .merge = options->merge,
				      .time_line = options->time_line,
				      .recording = recording};
	const struct recording *event = recording;
	int code;

	add_run(run, recording);
	flame.facts = run->facts;
	flame.nr_facts = run->nr_facts;
	for (; event && flame.nr_events < MOST_EVENTS; event = event->more) {
		struct fact_list *list = &lists[flame.nr_events + 1];

		if (event->facts[FACT_EVENT])
			add(list, fact__name(FACT_EVENT), event->facts[FACT_EVENT]);
		add_account(list, event);
		events[flame.nr_events] = (struct flame_event){
			.profile = event->profile,
			.facts = list->facts,
			.nr_facts = list->nr_facts,
		};
		find_errors(events[flame.nr_events++].errors, event);
	}
	code = flame__write_page(out, recording->profile, &flame);
	free(lists);
	return code;
}

int html__write(FILE *out, const struct recording *recording, const struct write_options *options)
{
	struct flame_options flame;
	struct fact_list list;

	if (recording->more)
		return write_events(out, recording, options);
	flame = options_of_one(recording, options, &list);
	find_errors(flame.errors, recording);
	return flame__write_page(out, recording->profile, &flame);
}

int svg__write(FILE *out, const struct recording *recording, const struct write_options *options)
{
	struct fact_list list;
	const struct flame_options flame = options_of_one(recording, options, &list);

	return flame__write_svg(out, recording->profile, &flame);
}
