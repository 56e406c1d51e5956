// SPDX-License-Identifier: GPL-2.0-only
#include "run/period_facts.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "capture/capture.h"
#include "profile/profile.h"
#include "run/feed.h"
#include "run/period.h"
#include "symbols/symbols.h"

/* 0: the event has no rate. */
static double delivered_hz(const struct period_source *source, const struct event *event,
			   const struct recording *interval)
{
	const struct ledger *ledger = &interval->ledger;
	uint64_t lost = ledger->lost[LOSS_THROTTLED];
	uint64_t delivered = ledger->idle_excluded ? ledger->due - lost : ledger->events - lost;

	if (!event->has_rate || source->pace.rate_hz <= 0 || !interval->duration_ns ||
	    !interval->nr_cpus)
		return 0;
	return (double)delivered * 1e9 / (double)interval->duration_ns / interval->nr_cpus;
}

/* The wall clock's time of a moment on the monotonic clock. */
static int64_t realtime_of(uint64_t then_ns)
{
	return (int64_t)(clock_ns(CLOCK_REALTIME) - (monotonic_ns() - then_ns));
}

/* Runs of the program and their time are those since the period began. */
static struct cost cost_of(const struct period_source *source, const struct period *period)
{
	const struct feed *feed = source->feed;
	struct cost cost = {
		.drain_ns = period->drain_ns,
		.symbols_ns = period->symbols_ns,
		.symbols_bytes = symbols__memory_bytes(feed->symbols),
		.kernel_bytes = feed->kernel_bytes(feed->context),
	};

	feed->program_time(feed->context, &cost.program_runs, &cost.program_ns);
	cost.program_runs -= period->start.program_runs;
	cost.program_ns -= period->start.program_ns;
	usage__cost(&period->start, source->helpers, &cost);
	return cost;
}

/* What was asked for at the end of a time is of the next one. */
static struct thinned thinned(const struct period_source *source, const struct recording *interval,
			      const struct period *period)
{
	const uint64_t at_ns = source->thinned_ns;
	struct thinned thinned = {.one_in = source->pace.one_in};

	if (at_ns > period->start_ns)
		thinned.since_ns = at_ns - period->start_ns;
	if (thinned.since_ns > interval->duration_ns)
		thinned.since_ns = interval->duration_ns;
	return thinned;
}

static int fill_event(const struct period_source *source, const struct period *period,
		      const struct capture_facts *facts, size_t event, struct recording *interval)
{
	const struct event *of = &facts->events->list[event];

	*interval = (struct recording){
		.profile = period->profiles[event],
		.ledger = period->ledgers[event],
		.has_ledger = true,
		.start_realtime_ns = realtime_of(period->start_ns),
		.duration_ns = source->end_ns - period->start_ns,
		.end_ns = source->end_ns,
		.facts = {[FACT_EVENT] = of->name, [FACT_UNWINDING] = facts->unwinding},
		.nr_cpus = facts->nr_cpus,
		.has_cycles = facts->has_cycles,
	};
	if (facts->lost_abilities)
		memcpy(interval->lost_abilities, facts->lost_abilities,
		       sizeof(interval->lost_abilities));
	interval->delivered_hz = delivered_hz(source, of, interval);
	if (!of->has_rate && source->thinned_ns)
		interval->thinned = thinned(source, interval, period);
	return quality__measure(&interval->quality, interval->profile, &interval->ledger,
				recording__has_tables(interval));
}

/* Of several events the others are lent with the first, and cost as much as it: that is the run's. */
int period__tell(struct period *period, const struct period_source *source,
		 struct recording *interval)
{
	struct recording *of = interval, *next;
	struct capture_facts facts;
	struct cost cost;
	size_t i;

	source->feed->facts(source->feed->context, &facts);
	cost = cost_of(source, period);
	for (i = 0; i < period->nr_events; i++, of = next) {
		if (fill_event(source, period, &facts, i, of))
			return -ENOMEM;
		of->cost = cost;
		next = i + 1 < period->nr_events ? &period->more[i] : NULL;
		of->more = next;
	}
	recording__show_spent(interval);
	return 0;
}
