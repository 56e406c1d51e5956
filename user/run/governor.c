// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPU time is compared with the bound window by window. The first window does not count, because
 * symbols are read once in it at any rate. A part of the cost does not depend on the rate, so one
 * step may not suffice. As one window may be an outlier, no step leaves less than a quarter.
 *
 * A window, even the first, ends at once when its samples alone have cost several times its budget:
 * at such rates steps have to be quick. Each sample is charged at most what the dearest one costs,
 * so a one-off cost such as reading symbols cannot end a window of few samples.
 *
 * The period of counted events grows by powers of two, until samples are so rare that only the
 * programs that count the events are left of the cost. A step is in vain if it saved less than a
 * quarter of the expected saving in two windows, unless there are so many samples that they may be
 * the cost: then the programs simply do more. After a step in vain there is no further one until
 * the cost has doubled.
 *
 * Each pace begins a window. If naming is behind, a part of its cost comes from samples of an
 * earlier pace; then the window is judged by its own samples alone, each at the price of the
 * dearest one.
 *
 * Of samples with a rate and samples of counted events, the more frequent class gives way first,
 * until both are equally frequent; from there on both do.
 */
#include "run/governor.h"

#include <math.h>

#define WINDOW_NS    2000000000ULL
#define SHORTEST_NS  500000000ULL /* of a window */
#define MOST_SPENT   4		  /* times the budget of a window */
#define MARGIN	     0.8	  /* part of the bound to aim at */
#define LEAST_FACTOR 0.25
#define LEAST_SAVED  0.25  /* part of the expected saving */
#define DEAREST_NS   20000 /* upper limit of one sample's cost */
#define LEAST_HZ     1.0
#define LARGEST	     65536 /* period of counted events */

/* The cost of one window. */
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

/*
 * The factor for one class of samples. own, others: samples of this class and of the other one in
 * the window. factor: the part of all samples that may stay.
 */
static double factor_of(double own, double others, double factor)
{
	const double left = factor * (own + others);
	const double level = fmax(left / 2, left - others);

	return own > 0 ? fmin(1, level / own) : 1;
}

/*
 * Whether the last step did not help. False if it cannot be told because the cost has grown since.
 */
static bool was_in_vain(struct governor *governor, const struct window *window)
{
	const bool may_help = window->used_ns <= DEAREST_NS * (window->rated + window->counted);
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
	const double rated = window->rated, counted = window->counted;
	double rated_factor = factor, counted_factor = factor;

	if (window->share <= governor->max_share) {
		governor__forget(governor);
		return pace;
	}
	if (was_in_vain(governor, window))
		return pace;
	governor->vain_share = window->share * (1 - LEAST_SAVED * (1 - factor));
	if (rated + counted > 0) { /* else the class that takes the samples is not known */
		rated_factor = factor_of(rated, counted, factor);
		counted_factor = factor_of(counted, rated, factor);
	}
	return (struct pace){lower(pace.rate_hz, rated_factor, governor->least_hz),
			     raise(pace.one_in, counted_factor)};
}

/* The cost of the window's own samples at most. */
static double samples_ns(const struct window *window)
{
	return fmin(window->used_ns, DEAREST_NS * (window->rated + window->counted));
}

void governor__begin(struct governor *governor, uint64_t now_ns, const struct load *load)
{
	governor->since_ns = now_ns;
	governor->until = *load;
	governor->is_behind = false;
}

struct pace governor__pace(struct governor *governor, struct pace pace, uint64_t now_ns,
			   const struct load *load)
{
	const uint64_t window_ns = now_ns - governor->since_ns;
	const struct load *before = &governor->until;
	struct window window = {
		.used_ns = (double)(load->used_ns - before->used_ns),
		.rated = (double)(load->rated - before->rated),
		.counted = (double)(load->counted - before->counted),
	};
	/* This call begins the first window, ends it, or ends one of the spared windows. */
	const bool is_spared = governor->nr_windows < 2 + governor->nr_spared;
	const double budget_ns = governor->max_share * (double)WINDOW_NS;
	const bool is_over = governor->since_ns && window_ns >= SHORTEST_NS &&
			     samples_ns(&window) > MOST_SPENT * budget_ns;

	if (governor->max_share <= 0)
		return pace;
	governor->is_behind |= load->is_behind;
	if (governor->since_ns && window_ns < WINDOW_NS && !is_over)
		return pace;
	if (governor->is_behind)
		window.used_ns = samples_ns(&window);
	window.share = window.used_ns / (double)window_ns;
	governor__begin(governor, now_ns, load);
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
