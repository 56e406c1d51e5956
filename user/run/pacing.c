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

/* Samples count when they are sampled, however long they wait for their names. */
static struct load load_of(const struct pacing *pacing)
{
	const struct events *events = sampler__events(pacing->sampler);
	struct load load = {.is_behind = pacing->named < pacing->paced};
	struct usage used;
	size_t i;

	pacing__read_usage(pacing, &used);
	load.used_ns = usage__cpu_ns(&used);
	for (i = 0; i < events->nr; i++)
		if (events->list[i].has_rate)
			load.rated += batch_queue__counted(pacing->queue, i);
		else
			load.counted += batch_queue__counted(pacing->queue, i);
	return load;
}

struct pace pacing__next(struct pacing *pacing)
{
	struct pace next = {.rate_hz = pacing->wanted_hz};
	const struct pace now = pacing->pace;
	struct load load;

	if (pacing->is_stopped || (pacing->end_ns && monotonic_ns() >= pacing->end_ns))
		return (struct pace){0};
	pacing->wanted_hz = 0;
	if (next.rate_hz > 0) {
		governor__forget(&pacing->governor);
		return next;
	}
	load = load_of(pacing);
	next = governor__pace(&pacing->governor, now, monotonic_ns(), &load);
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
	const bool changes = pace__changes(next);
	struct load load;
	int code;

	if (next->rate_hz > 0)
		pacing->pace.rate_hz = next->rate_hz;
	if (next->one_in) {
		pacing->pace.one_in = next->one_in;
		if (!pacing->thinned_ns)
			pacing->thinned_ns = monotonic_ns();
	}
	code = sampler__drain(pacing->sampler, moment, changes ? next : NULL, number, err);
	if (code || !changes)
		return code;
	pacing->paced = *number;
	load = load_of(pacing);
	governor__begin(&pacing->governor, monotonic_ns(), &load);
	return 0;
}

int pacing__govern(struct pacing *pacing, struct error *err)
{
	const bool was_beyond = governor__is_beyond(&pacing->governor);
	const struct pace next = pacing__next(pacing);
	uint64_t number;

	pacing->governed_ns = monotonic_ns();
	pacing->is_slower |=
		pace__changes(&next) || (governor__is_beyond(&pacing->governor) && !was_beyond);
	return pace__changes(&next) ? pacing__drain(pacing, DRAIN_MIDDLE, &next, &number, err) : 0;
}
