// SPDX-License-Identifier: GPL-2.0-only
/* Who calls a function, by samples: what may have been inlined into whom. */
#include "diff/match_callers.h"

#include <stdlib.h>

#include "diff/match_units.h"

/* The first other function above the innermost frame of subject; NULL: there is none. */
static struct subject *find_caller(const struct chain *chain, const struct subject *subject)
{
	bool inside = false;

	for (size_t i = 0; i < chain->nr_frames; i++) {
		struct subject *at = chain__subject(chain, i);

		if (at == subject)
			inside = true;
		else if (inside)
			return at;
	}
	return NULL;
}

size_t match__caller(const struct match *match, size_t unit, enum side side, double *part)
{
	const struct subject *subject = match->owners[unit];
	double *counts = calloc(match->comparison.nr_units + 1, sizeof(*counts)), sum = 0;
	size_t best = SIZE_MAX;

	*part = 0;
	for (size_t run = 0; counts && run < match->frames.nr_runs; run++) {
		size_t nr_samples;
		const struct sample *samples =
			profile__samples(match->frames.runs[run].profile, &nr_samples);

		for (size_t i = 0; i < nr_samples && match->frames.runs[run].side == side; i++) {
			struct chain chain = chain__of(&match->frames, run, &samples[i]);
			struct subject *caller = find_caller(&chain, subject);

			if (!caller || chain__leaf(&chain, &match->frames)->machine)
				continue;
			sum += (double)samples[i].values[VALUE_COUNT];
			if (caller->self_unit != SIZE_MAX)
				counts[caller->self_unit] += (double)samples[i].values[VALUE_COUNT];
		}
	}
	for (size_t u = 0; counts && u < match->comparison.nr_units; u++) {
		if (counts[u] > 0 && (best == SIZE_MAX || counts[u] > counts[best]))
			best = u;
	}
	if (best != SIZE_MAX)
		*part = counts[best] / sum;
	free(counts);
	return best;
}
