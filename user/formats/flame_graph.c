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
	char asked[64], lowered[48] = "";

	if (recording->asked_hz <= 0)
		return;
	if (!asked_rates__format(&recording->asked_rates, asked, sizeof(asked)))
		snprintf(asked, sizeof(asked), "%.6g", recording->asked_hz);
	if (recording->lowered_hz > 0)
		snprintf(lowered, sizeof(lowered), ", lowered to %.6g Hz", recording->lowered_hz);
	snprintf(list->rate, sizeof(list->rate), "%.1f Hz (asked %s Hz%s)", recording->delivered_hz,
		 asked, lowered);
	add(list, "rate", list->rate);
}

/* Adds facts that each event of a run has. */
static void add_event(struct fact_list *list, const struct recording *recording)
{
	if (recording->facts[FACT_EVENT])
		add(list, fact__name(FACT_EVENT), recording->facts[FACT_EVENT]);
}

/* Adds the account of an event; for waits also the time of threads, by two clocks. */
static void add_account(struct fact_list *list, const struct recording *recording)
{
	add_rate(list, recording);
	if (!recording->has_ledger)
		return;
	ledger__line(&recording->ledger, list->ledger, sizeof(list->ledger));
	add(list, "ledger", list->ledger);
	if (!ledger__has_wall(&recording->ledger))
		return;
	ledger__wall_line(&recording->ledger, list->wall, sizeof(list->wall));
	add(list, "wall", list->wall);
	ledger__scheduler_line(&recording->ledger, list->scheduler, sizeof(list->scheduler));
	add(list, "scheduler", list->scheduler);
}

static void add_run(struct fact_list *list, const struct recording *recording)
{
	for (int fact = 0; fact < FACTS; fact++)
		if (fact != FACT_EVENT && recording->facts[fact])
			add(list, fact__name((enum fact)fact), recording->facts[fact]);
	add_start(list, recording->start_realtime_ns);
	add_duration(list, recording->duration_ns);
}

/* Finds the error bars of both values. 0 or -ENOMEM. */
static int find_errors(struct flame_error errors[VALUES], const struct recording *recording)
{
	struct certainty certainty;
	int code = 0;

	for (int value = 0; value < VALUES && !code; value++) {
		code = certainty__init_value(&certainty, recording, (enum value)value);
		if (code || certainty.lack)
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
	return code;
}

/* Options for one event, with all facts that are known. */
static struct flame_options make_flame_options(const struct recording *recording,
					       const struct write_options *options,
					       struct fact_list *list)
{
	list->nr_facts = 0;
	add_event(list, recording);
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
	struct fact_list *lists = calloc(MOST_EVENTS + 1, sizeof(*lists)), *run = lists;
	struct flame_event events[MOST_EVENTS];
	struct flame_options flame = {.title = options->title,
				      .events = events,
				      .merge = options->merge,
				      .time_line = options->time_line,
				      .recording = recording};
	const struct recording *event = recording;
	int code = 0;

	if (!lists)
		return -ENOMEM;
	add_run(run, recording);
	flame.facts = run->facts;
	flame.nr_facts = run->nr_facts;
	for (; event && flame.nr_events < MOST_EVENTS && !code; event = event->more) {
		struct fact_list *list = &lists[flame.nr_events + 1];

		add_event(list, event);
		add_account(list, event);
		events[flame.nr_events] = (struct flame_event){
			.profile = event->profile,
			.facts = list->facts,
			.nr_facts = list->nr_facts,
		};
		code = find_errors(events[flame.nr_events++].errors, event);
	}
	if (!code)
		code = flame__write_page(out, recording->profile, &flame);
	free(lists);
	return code;
}

int html__write(FILE *out, const struct recording *recording, const struct write_options *options)
{
	struct flame_options flame;
	struct fact_list list;
	int code;

	if (recording->more)
		return write_events(out, recording, options);
	flame = make_flame_options(recording, options, &list);
	code = find_errors(flame.errors, recording);
	return code ? code : flame__write_page(out, recording->profile, &flame);
}

int svg__write(FILE *out, const struct recording *recording, const struct write_options *options)
{
	struct fact_list list;
	const struct flame_options flame = make_flame_options(recording, options, &list);

	return flame__write_svg(out, recording->profile, &flame);
}
