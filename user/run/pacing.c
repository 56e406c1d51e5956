// SPDX-License-Identifier: GPL-2.0-only
#include "run/pacing.h"

#include "capture/batch.h"
#include "capture/capture.h"
#include "run/sampler.h"

void pacing__read_usage(const struct pacing *pacing, struct usage *usage)
{
	usage__read(usage, &pacing->helpers);
	sampler__program_time(pacing->sampler, &usage->program_runs, &usage->program_ns);
}

void pacing__count(struct pacing *pacing, const struct batch *batch)
{
	struct capture_facts facts;
	size_t i;

	sampler__facts(pacing->sampler, &facts);
	for (i = 0; i < facts.events->nr; i++)
		if (facts.events->list[i].has_rate)
			pacing->load.rated += batch->ledgers[i].counted;
		else
			pacing->load.counted += batch->ledgers[i].counted;
}

struct pace pacing__next(struct pacing *pacing)
{
	struct pace next = {.rate_hz = pacing->wanted_hz};
	const struct pace now = pacing->pace;
	struct usage used;

	if (pacing->is_stopped)
		return (struct pace){0};
	pacing->wanted_hz = 0;
	if (next.rate_hz > 0) {
		governor__forget(&pacing->governor);
		return next;
	}
	pacing__read_usage(pacing, &used);
	pacing->load.used_ns = usage__cpu_ns(&used);
	next = governor__pace(&pacing->governor, now, monotonic_ns(), &pacing->load);
	return (struct pace){next.rate_hz < now.rate_hz ? next.rate_hz : 0,
			     next.one_in > now.one_in ? next.one_in : 0};
}

bool pace__changes(const struct pace *next)
{
	return next->rate_hz > 0 || next->one_in;
}

int pacing__drain(struct pacing *pacing, enum drain_moment moment, const struct pace *next,
		  uint64_t *number, struct error *err)
{
	if (next->rate_hz > 0)
		pacing->pace.rate_hz = next->rate_hz;
	if (next->one_in) {
		pacing->pace.one_in = next->one_in;
		if (!pacing->thinned_ns)
			pacing->thinned_ns = monotonic_ns();
	}
	return sampler__drain(pacing->sampler, moment, pace__changes(next) ? next : NULL, number,
			      err);
}

int pacing__govern(struct pacing *pacing, struct error *err)
{
	const bool was_beyond = governor__is_beyond(&pacing->governor);
	const struct pace next = pacing__next(pacing);
	uint64_t number;

	pacing->nr_named = 0;
	pacing->is_slower |=
		pace__changes(&next) || (governor__is_beyond(&pacing->governor) && !was_beyond);
	return pace__changes(&next) ? pacing__drain(pacing, DRAIN_MIDDLE, &next, &number, err) : 0;
}
