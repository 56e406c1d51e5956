// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPU time is compared with the bound window by window. The first window does not count: symbols
 * are read in it once, at any rate. A part of the cost does not depend on the rate, so one step may
 * not suffice; and since one window may be an outlier, no step leaves less than a quarter.
 *
 * A window in which the samples alone have taken several times of what it may take ends at once, the first
 * one too: at such rates steps have to be quick. Samples take no more than the dearest ones would, so what is
 * read once cannot end a window of few samples.
 *
 * The period of what is counted grows by powers of two, up to where samples are so rare that the programs
 * which only count what happens are all that is left of their cost. A step that saved less than a quarter of
 * what it should have, in two windows, was in vain, unless there are so many samples that they may be what
 * costs: then the programs do more. After it there is no further step until the cost has doubled.
 *
 * Of samples that have a rate and those of what is counted, the more frequent give way first, down to as many
 * as there are of the others; from there on both do.
 */
#include "run/governor.h"

#include <math.h>

#define WINDOW_NS    2000000000ULL
#define SHORTEST_NS  500000000ULL /* window */
#define MOST_SPENT   4		  /* times of what a window may take */
#define MARGIN	     0.8	  /* of the bound is aimed at */
#define LEAST_FACTOR 0.25
#define LEAST_SAVED  0.25  /* of what a step should save */
#define DEAREST_NS   20000 /* no sample takes longer than that */
#define LEAST_HZ     1.0
#define LARGEST	     65536 /* one in so many */

/* What it took. */
struct window {
	double share; /* of a CPU */
	double used_ns, rated, counted;
};

static double lower(double rate_hz, double factor, double least_hz)
{
	double lowered = rate_hz * fmax(factor, LEAST_FACTOR);

	if (lowered > 10)
		lowered = floor(lowered);
	return fmin(rate_hz, fmax(lowered, least_hz > 0 ? least_hz : LEAST_HZ));
}

static uint64_t raise(uint64_t one_in, double factor)
{
	const double wanted = (double)one_in / fmax(factor, LEAST_FACTOR);
	uint64_t raised = one_in;

	while (raised && (double)raised < wanted && raised < LARGEST)
		raised *= 2;
	return raised;
}

/* What is left of either class, of which there were so many samples, when a factor is left of them all. */
static double factor_of(double own, double others, double factor)
{
	const double left = factor * (own + others);
	const double level = fmax(left / 2, left - others);

	return own > 0 ? fmin(1, level / own) : 1;
}

static struct pace slow_down(struct pace pace, const struct window *window, double factor,
			     double least_hz)
{
	const double rated = window->rated, counted = window->counted;

	if (rated + counted <= 0) /* who takes samples is not known */
		return (struct pace){lower(pace.rate_hz, factor, least_hz),
				     raise(pace.one_in, factor)};
	return (struct pace){lower(pace.rate_hz, factor_of(rated, counted, factor), least_hz),
			     raise(pace.one_in, factor_of(counted, rated, factor))};
}

/* Whether the last step has not helped; where the cost has grown since, nobody can tell. */
static bool was_in_vain(struct governor *governor, const struct window *window)
{
	const bool may_help = window->used_ns < DEAREST_NS * (window->rated + window->counted);
	const bool has_saved =
		window->share <= governor->vain_share && !governor__is_beyond(governor);

	if (governor->vain_share <= 0 || may_help || has_saved ||
	    window->share > 2 * governor->vain_share) {
		governor->nr_vain = 0;
		return false;
	}
	governor->nr_vain++;
	return true;
}

static struct pace judge(struct governor *governor, struct pace pace, const struct window *window)
{
	const double factor = fmax(governor->max_share * MARGIN / window->share, LEAST_FACTOR);

	if (window->share <= governor->max_share) {
		governor__forget(governor);
		return pace;
	}
	if (was_in_vain(governor, window))
		return pace;
	governor->vain_share = window->share * (1 - LEAST_SAVED * (1 - factor));
	return slow_down(pace, window, factor, governor->least_hz);
}

/* Samples alone have taken much more than the whole of a window may. */
static bool is_overspent(const struct governor *governor, const struct window *window,
			 uint64_t window_ns)
{
	const double samples_ns =
		fmin(window->used_ns, DEAREST_NS * (window->rated + window->counted));

	return window_ns >= SHORTEST_NS &&
	       samples_ns > MOST_SPENT * governor->max_share * (double)WINDOW_NS;
}

struct pace governor__pace(struct governor *governor, struct pace pace, uint64_t now_ns,
			   const struct load *load)
{
	const uint64_t window_ns = now_ns - governor->since_ns;
	const struct load *before = &governor->until;
	const struct window window = {
		.used_ns = (double)(load->used_ns - before->used_ns),
		.share = (double)(load->used_ns - before->used_ns) / (double)window_ns,
		.rated = (double)(load->rated - before->rated),
		.counted = (double)(load->counted - before->counted),
	};
	/* This call begins the first window, or ends it, or one of those that do not count, either. */
	const bool is_spared = governor->nr_windows < 2 + governor->nr_spared;
	const bool is_over = governor->since_ns && is_overspent(governor, &window, window_ns);

	if (governor->max_share <= 0)
		return pace;
	if (governor->since_ns && window_ns < WINDOW_NS && !is_over)
		return pace;
	governor->since_ns = now_ns;
	governor->until = *load;
	if (is_spared)
		governor->nr_windows++;
	return is_spared && !is_over ? pace : judge(governor, pace, &window);
}

bool governor__is_beyond(const struct governor *governor)
{
	return governor->nr_vain > 1;
}

void governor__forget(struct governor *governor)
{
	governor->vain_share = 0;
	governor->nr_vain = 0;
}
