// SPDX-License-Identifier: GPL-2.0-only
/* The facts of a recording in words, in the order of their use: the first ones may be all that fits.
 */
#include "formats/fact_list.h"

#include <stdio.h>
#include <time.h>

#include "base/numbers.h"

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

void fact_list__fill(struct fact_list *list, const struct recording *recording)
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
