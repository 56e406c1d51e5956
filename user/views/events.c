// SPDX-License-Identifier: GPL-2.0-only
#include "views/events.h"

#include <math.h>

#include "profile/recording.h"

static const struct metric *weight_of(const struct recording *event)
{
	return &profile__metrics(event->profile)->of[VALUE_WEIGHT];
}

static const struct metric *count_of(const struct recording *event)
{
	return &profile__metrics(event->profile)->of[VALUE_COUNT];
}

bool event__covers_time(const struct recording *event)
{
	return event->asked_hz > 0 && metric__unit_ns(weight_of(event));
}

bool event__is_counted(const struct recording *event)
{
	return weight_of(event)->name && event->facts[FACT_EVENT] && !event__covers_time(event);
}

static bool is_live(const struct recording *event)
{
	const struct metric *weight = weight_of(event);

	return weight->name && !strcmp(weight->name, metrics__live.of[VALUE_WEIGHT].name);
}

struct ledger_subject event__subject(const struct recording *event, bool has_others)
{
	return (struct ledger_subject){
		.is_counted = event->facts[FACT_EVENT] && !(event->asked_hz > 0),
		.is_live = is_live(event),
		.has_others = has_others,
		.has_targets = !event->whole_system && !event__covers_time(event),
	};
}

bool event__lost_of_others(const struct recording *event)
{
	const uint64_t lost = ledger__lost(&event->ledger);

	return !event->whole_system && !event__covers_time(event) && lost &&
	       lost == ledger__lost_of_anyone(&event->ledger);
}

bool event__lost_little(const struct recording *event)
{
	return event__lost_of_others(event) &&
	       ledger__lost_of_target(&event->ledger) * 100 <= event->ledger.counted;
}

/*
 * With less CPU time the two accounts may differ by half without a reason (docs/ledger.md has the
 * terms).
 */
#define LEAST_RAN_NS 200000000

double event__coverage(const struct recording *event)
{
	return event->ledger.ran_ns < LEAST_RAN_NS ? -1 : ledger__coverage(&event->ledger);
}

const struct metric *event__told_metric(const struct recording *event, uint64_t *value)
{
	const struct metrics *metrics = profile__metrics(event->profile);

	*value = event->ledger.counted;
	if (metrics->of[VALUE_COUNT].name)
		return &metrics->of[VALUE_COUNT];
	if (!metrics__shown(metrics)->name)
		return &metric__samples;
	*value = profile__shown_total(event->profile);
	return metrics__shown(metrics);
}

int event__describe_weight(const struct recording *event, double unit, char *text, size_t size)
{
	const struct metric *metric = weight_of(event);
	const uint64_t weight = profile__total(event->profile, VALUE_WEIGHT);
	const uint64_t count = profile__total(event->profile, VALUE_COUNT);
	const bool has_unit = metric->name && metric__brings_unit(metric);
	char number[32], samples[64];

	/* ", 3.2 MB, worth 6 samples": large blocks are worth fewer samples than their number. */
	if (heap__samples(event, 1) > 0) {
		const double bytes = (double)weight / unit;
		const uint64_t nr_samples = (uint64_t)llround(heap__samples(event, bytes));

		metric__format(metric, (uint64_t)bytes, number, sizeof(number));
		metric__describe(&metric__samples, nr_samples, samples, sizeof(samples));
		return snprintf(text, size, ", %s, worth %s", number, samples);
	}
	*text = '\0';
	if (!metric->name || !count_of(event)->name || (!has_unit && weight == count))
		return 0;
	metric__format(metric, (uint64_t)((double)weight / unit), number, sizeof(number));
	if (has_unit)
		return snprintf(text, size, ", %s", number);
	if (!strcmp(metric->unit, "events"))
		return snprintf(text, size, ", standing for %s", number);
	return snprintf(text, size, ", %s %.40s", number, metric->unit);
}

int event__describe_thinned(const struct recording *event, char *text, size_t size)
{
	const struct thinned *thinned = &event->thinned;
	char number[32], since[48] = "";

	*text = '\0';
	if (thinned->one_in < 2)
		return 0;
	text__format_count(number, sizeof(number), thinned->one_in);
	if (thinned->since_ns)
		snprintf(since, sizeof(since), "from %.1f s on ", (double)thinned->since_ns / 1e9);
	return snprintf(text, size,
			"%sfewer are sampled, at the end one in %s, to stay within --max-overhead",
			since, number);
}

void event__describe_account(const struct recording *event, char *text, size_t size)
{
	const struct ledger *ledger = &event->ledger;
	const uint64_t placed = ledger->events - ledger__lost(ledger);
	char events[32], sampled[32], allocated[32];

	*text = '\0';
	if (!event->has_ledger)
		return;
	text__format_count(events, sizeof(events), ledger->events);
	if (ledger->allocated) { /* the part that samples stand for varies by chance */
		metric__format(weight_of(event), ledger->sampled_ns, sampled, sizeof(sampled));
		metric__format(weight_of(event), ledger->allocated, allocated, sizeof(allocated));
		snprintf(text, size, "%.1f %% of what was allocated (%s of %s)",
			 100 * (double)ledger->sampled_ns / (double)ledger->allocated, sampled,
			 allocated);
	} else if (!ledger->events) {
		snprintf(text, size, "none");
	} else {
		snprintf(text, size, "%.1f %% of %s accounted for%s",
			 100.0 * (double)placed / (double)ledger->events, events,
			 ledger->lost_unmeasured
				 ? "; more may be lost, which is not verifiable here"
				 : "");
	}
}

int event__describe(const struct recording *event, char *text, size_t size)
{
	const char *name = event->facts[FACT_EVENT];
	char counted[64], weight[96], line[600], thinned[128], coverage[48] = "";
	const double percent = event__covers_time(event) ? event__coverage(event) : -1;
	const uint64_t count = profile__total(event->profile, VALUE_COUNT);
	char number[32];

	/* For memory, the event's name beside it says whether it is live. */
	text__format_count(number, sizeof(number), count);
	snprintf(counted, sizeof(counted), "%s%s%s", number, count_of(event)->noun ? " block" : "",
		 count_of(event)->noun ? text__plural(count) : "");
	event__describe_weight(event, 1, weight, sizeof(weight));
	ledger__line(&event->ledger, line, sizeof(line));
	event__describe_thinned(event, thinned, sizeof(thinned));
	if (event->has_ledger && percent >= 0)
		snprintf(coverage, sizeof(coverage), "; coverage %.1f %%", percent);
	return snprintf(text, size, "%.100s  %s%s%s%s%s%s%s", name ? name : "[unnamed]", counted,
			weight, event->has_ledger ? ": " : "", event->has_ledger ? line : "",
			coverage, *thinned ? "; " : "", thinned);
}
