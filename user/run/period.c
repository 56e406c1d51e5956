// SPDX-License-Identifier: GPL-2.0-only
#include "run/period.h"

#include "capture/batch.h"
#include "capture/capture.h"
#include "capture/events/source.h"
#include "profile/profile.h"
#include "run/late.h"
#include "run/sampler.h"
#include "symbols/symbols.h"

/* An empty profile, with the metrics of the event. NULL: out of memory. */
static struct profile *new_profile(const struct event *event, struct dictionary *dictionary)
{
	struct profile *profile = profile__new(dictionary);

	if (profile && profile__set_metrics(profile, &event->metrics)) {
		profile__free(profile);
		return NULL;
	}
	return profile;
}

int period__begin(struct period *period, const struct events *events, struct dictionary *dictionary,
		  uint64_t now_ns)
{
	struct period fresh = {.nr_events = events->nr, .start_ns = now_ns};
	size_t i;
	int code = 0;

	for (i = 0; i < events->nr; i++) {
		fresh.is_level[i] = events->list[i].source->is_level;
		fresh.profiles[i] = period->profiles[i];
		if (fresh.profiles[i]) {
			profile__clear(fresh.profiles[i]);
			profile__show(fresh.profiles[i], events->list[i].metrics.shown);
		} else {
			fresh.profiles[i] = new_profile(&events->list[i], dictionary);
		}
		if (!fresh.profiles[i])
			code = -ENOMEM;
	}
	*period = fresh;
	return code;
}

void period__free(struct period *period)
{
	size_t i;

	for (i = 0; i < period->nr_events; i++)
		profile__free(period->profiles[i]);
	*period = (struct period){0};
}

/* Takes the counted samples out of `events`, too; lost ones stay in. */
static void forget_samples(struct ledger *ledger)
{
	ledger->events -= ledger->counted;
	ledger->counted = ledger->whole = ledger->unverified = ledger->early = 0;
	ledger->unmapped = ledger->undrained = ledger->sampled_ns = 0;
	memset(ledger->cut, 0, sizeof(ledger->cut));
	memset(ledger->missing, 0, sizeof(ledger->missing));
}

static void forget_levels(struct period *period)
{
	for (size_t i = 0; i < period->nr_events; i++)
		if (period->is_level[i]) {
			profile__clear(period->profiles[i]);
			forget_samples(&period->ledgers[i]);
		}
}

void period__add(struct period *period, const struct batch *batch)
{
	size_t i;

	for (i = 0; i < period->nr_events; i++)
		ledger__add(&period->ledgers[i], &batch->ledgers[i]);
	period->drain_ns += batch->cpu_ns;
}

int period__merge(struct period *sum, const struct period *more)
{
	size_t i;

	forget_levels(sum);
	sum->drain_ns += more->drain_ns;
	sum->symbols_ns += more->symbols_ns;
	for (i = 0; i < sum->nr_events; i++) {
		ledger__add(&sum->ledgers[i], &more->ledgers[i]);
		if (profile__merge(sum->profiles[i], more->profiles[i]))
			return -ENOMEM;
	}
	return 0;
}

int period__condense(const struct period *period, size_t nr_kept, struct dictionary *fresh,
		     struct period *condensed)
{
	bool failed = false;
	size_t i;

	*condensed = *period;
	for (i = 0; i < period->nr_events; i++) {
		condensed->profiles[i] = profile__condense(period->profiles[i], nr_kept, fresh);
		failed |= !condensed->profiles[i];
	}
	if (!failed)
		return 0;
	period__free(condensed);
	return -ENOMEM;
}

int period__rename(struct period *period, struct late *late, uint64_t *nr_samples)
{
	size_t i;
	int code = 0;

	for (i = 0; i < period->nr_events && !code; i++)
		code = late__rename_profile(late, &period->profiles[i], nr_samples);
	return code;
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

/* Converts a time of CLOCK_MONOTONIC to the wall clock. */
static int64_t realtime_of(uint64_t then_ns)
{
	return (int64_t)(clock_ns(CLOCK_REALTIME) - (monotonic_ns() - then_ns));
}

/* The cost of the period; runs of the BPF programs are counted from its begin. */
static struct cost cost_of(const struct period_source *source, const struct period *period)
{
	struct cost cost = {
		.drain_ns = period->drain_ns,
		.symbols_ns = period->symbols_ns,
		.symbols_bytes = symbols__memory_bytes(sampler__symbols(source->sampler)),
		.kernel_bytes = sampler__kernel_bytes(source->sampler),
	};

	sampler__program_time(source->sampler, &cost.program_runs, &cost.program_ns);
	cost.program_runs -= period->start.program_runs;
	cost.program_ns -= period->start.program_ns;
	usage__cost(&period->start, source->helpers, &cost);
	return cost;
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

/* The recordings of the other events follow the first. All have the same cost: that of the run. */
int period__tell(struct period *period, const struct period_source *source,
		 struct recording *interval)
{
	struct recording *of = interval, *next;
	struct capture_facts facts;
	struct cost cost;
	size_t i;

	sampler__facts(source->sampler, &facts);
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
