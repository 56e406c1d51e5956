// SPDX-License-Identifier: GPL-2.0-only
#include "run/period.h"

#include "capture/batch.h"
#include "capture/capture.h"
#include "capture/events/source.h"
#include "profile/profile.h"
#include "run/late.h"
#include "run/sampler.h"
#include "symbols/symbols.h"

void period__begin(struct period *period, const struct events *events,
		   struct dictionary *dictionary, uint64_t now_ns)
{
	struct period fresh = {.nr_events = events->nr, .start_ns = now_ns};
	size_t i;

	for (i = 0; i < events->nr; i++) {
		fresh.is_level[i] = events->list[i].source->is_level;
		fresh.profiles[i] = period->profiles[i];
		if (fresh.profiles[i]) {
			profile__clear(fresh.profiles[i]);
			profile__show(fresh.profiles[i], events->list[i].metrics.shown);
		} else {
			fresh.profiles[i] = profile__new(dictionary);
			profile__set_metrics(fresh.profiles[i], &events->list[i].metrics);
		}
	}
	*period = fresh;
}

void period__free(struct period *period)
{
	size_t i;

	for (i = 0; i < period->nr_events; i++)
		profile__free(period->profiles[i]);
	*period = (struct period){0};
}

void period__add(struct period *period, const struct batch *batch)
{
	size_t i;

	for (i = 0; i < period->nr_events; i++)
		ledger__add(&period->ledgers[i], &batch->ledgers[i]);
	period->drain_ns += batch->cpu_ns;
}

void period__merge(struct period *sum, const struct period *more)
{
	size_t i;

	sum->drain_ns += more->drain_ns;
	sum->symbols_ns += more->symbols_ns;
	for (i = 0; i < sum->nr_events; i++) {
		struct ledger *ledger = &sum->ledgers[i];

		if (sum->is_level[i]) {
			/* The last value counts: what was counted before leaves `events`, too. */
			profile__clear(sum->profiles[i]);
			ledger->events -= ledger->counted;
			ledger->counted = ledger->whole = ledger->unverified = ledger->early = 0;
			ledger->unmapped = ledger->undrained = ledger->sampled_ns = 0;
			memset(ledger->cut, 0, sizeof(ledger->cut));
			memset(ledger->missing, 0, sizeof(ledger->missing));
		}
		ledger__add(ledger, &more->ledgers[i]);
		profile__merge(sum->profiles[i], more->profiles[i]);
	}
}

void period__condense(struct period *period, size_t nr_kept, struct dictionary *fresh)
{
	for (size_t i = 0; i < period->nr_events; i++) {
		struct profile *condensed = profile__condense(period->profiles[i], nr_kept, fresh);

		profile__free(period->profiles[i]);
		period->profiles[i] = condensed;
	}
}

void period__rename(struct period *period, struct late *late, uint64_t *nr_samples)
{
	for (size_t i = 0; i < period->nr_events; i++)
		late__rename_profile(late, &period->profiles[i], nr_samples);
}

/* The rate at which samples really came, in Hz; 0: the event has no rate. */
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

/*
 * Since when, and how far, counted events were thinned. A pace asked for at the end of the period
 * belongs to the next one.
 */
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

static void fill_event(const struct period_source *source, const struct period *period,
		       const struct capture_facts *facts, size_t event, struct recording *interval)
{
	const struct event *of = &facts->events->list[event];
	const uint64_t age_ns = monotonic_ns() - period->start_ns;

	*interval = (struct recording){
		.profile = period->profiles[event],
		.ledger = period->ledgers[event],
		.has_ledger = true,
		.start_realtime_ns = (int64_t)(clock_ns(CLOCK_REALTIME) - age_ns),
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
	quality__measure(&interval->quality, interval->profile, &interval->ledger,
			 recording__has_tables(interval));
}

/* The recordings of the other events follow the first. All have the same cost: that of the run. */
void period__tell(struct period *period, const struct period_source *source,
		  struct recording *interval)
{
	struct recording *of = interval, *next;
	struct capture_facts facts;
	struct cost cost = {
		.drain_ns = period->drain_ns,
		.symbols_ns = period->symbols_ns,
		.symbols_bytes = symbols__memory_bytes(sampler__symbols(source->sampler)),
		.kernel_bytes = sampler__kernel_bytes(source->sampler),
	};
	size_t i;

	/* Runs of the BPF programs are counted from the period's begin. */
	sampler__program_time(source->sampler, &cost.program_runs, &cost.program_ns);
	cost.program_runs -= period->start.program_runs;
	cost.program_ns -= period->start.program_ns;
	usage__cost(&period->start, source->helpers, &cost);
	sampler__facts(source->sampler, &facts);
	for (i = 0; i < period->nr_events; i++, of = next) {
		fill_event(source, period, &facts, i, of);
		of->cost = cost;
		next = i + 1 < period->nr_events ? &period->more[i] : NULL;
		of->more = next;
	}
	recording__show_spent(interval);
}
