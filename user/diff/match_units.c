// SPDX-License-Identifier: GPL-2.0-only
/*
 * Subjects to units: one that samples end in has a self unit, one that more samples have in their
 * stacks a total unit as well. With one run a side, self units are counted by slices, too.
 */
#include "diff/match_units.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/sums.h"
#include "diff/statistics.h"

static bool has_counts(const uint64_t *counts, size_t nr_runs)
{
	for (size_t run = 0; run < nr_runs; run++) {
		if (counts[run])
			return true;
	}
	return false;
}

static double find_effect(const struct match *match, const struct subject *subject)
{
	const struct match_options *options = &match->frames.options;

	for (size_t i = options->nr_effects; i-- > 0;) {
		if (!fnmatch(options->effects[i].pattern, subject__function(subject)->name, 0))
			return options->effects[i].min_effect;
	}
	return 0;
}

static size_t add_unit(struct match *match, struct subject *subject, enum unit_kind kind)
{
	size_t unit = match->comparison.nr_units++;

	match->owners[unit] = subject;
	match->units[unit] = (struct unit){
		.kind = kind,
		.machine = subject->machine,
		.min_effect = find_effect(match, subject),
		.counts = kind == UNIT_SELF ? subject->self : subject->total,
	};
	return unit;
}

int match__make_units(struct match *match)
{
	size_t bytes = match->frames.nr_runs * sizeof(uint64_t);

	match->units = calloc(2 * match->frames.subjects.nr + 1, sizeof(*match->units));
	match->owners = calloc(2 * match->frames.subjects.nr + 1, sizeof(*match->owners));
	if (!match->units || !match->owners)
		return -ENOMEM;
	for (size_t i = 0; i < match->frames.subjects.nr; i++) {
		struct subject *subject = match->frames.subjects.list[i];

		if (has_counts(subject->self, match->frames.nr_runs))
			subject->self_unit = add_unit(match, subject, UNIT_SELF);
		if (has_counts(subject->total, match->frames.nr_runs) &&
		    memcmp(subject->self, subject->total, bytes) != 0)
			subject->total_unit = add_unit(match, subject, UNIT_TOTAL);
	}
	return 0;
}

/* ---- slices ---- */

static int count_slice(struct match *match, size_t run, const struct profile *slice,
		       uint64_t *counts, size_t nr_intervals)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(slice, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		struct chain chain = chain__of(&match->frames, run, &samples[i]);
		const struct subject *subject = chain__owner(&chain, &match->frames);
		uint64_t *count;

		if (!subject)
			return -ENOMEM;
		if (subject->self_unit == SIZE_MAX)
			continue;
		count = &counts[subject->self_unit * nr_intervals];
		*count = sum_of(*count, samples[i].values[VALUE_COUNT]);
	}
	return 0;
}

/* Neighbouring slices are joined here already: thousands of counts by unit would be too many. */
static int count_slices(struct match *match, size_t index)
{
	const struct run *run = &match->frames.runs[index];
	size_t nr = run->nr_slices < MAX_INTERVALS ? run->nr_slices : MAX_INTERVALS;
	uint64_t *counts;
	int err = 0;

	if (nr < 2)
		return 0;
	counts = calloc(match->comparison.nr_units + 1, nr * sizeof(*counts));
	if (!counts)
		return -ENOMEM;
	match->slices[run->side] = counts;
	for (size_t i = 0; i < run->nr_slices && !err; i++) {
		if (run->slices[i])
			err = count_slice(match, index, run->slices[i],
					  &counts[i * nr / run->nr_slices], nr);
	}
	for (size_t u = 0; u < match->comparison.nr_units; u++) {
		if (match->units[u].kind == UNIT_SELF)
			match->units[u].slices[run->side] = &counts[u * nr];
	}
	match->comparison.nr_slices[run->side] = nr;
	return err;
}

int match__make_slices(struct match *match)
{
	int err = 0;

	if (match->frames.nr_runs != 2 || match->frames.runs[0].side == match->frames.runs[1].side)
		return 0;
	for (size_t run = 0; run < match->frames.nr_runs && !err; run++)
		err = count_slices(match, run);
	return err;
}
