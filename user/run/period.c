// SPDX-License-Identifier: GPL-2.0-only
#include "run/period.h"

#include <errno.h>
#include <string.h>

#include "capture/batch.h"
#include "capture/events/source.h"
#include "profile/profile.h"
#include "run/late.h"

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

/* What is not counted any more is none of its events, either; what was lost was. */
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
