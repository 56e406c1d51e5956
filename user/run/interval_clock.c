// SPDX-License-Identifier: GPL-2.0-only
#include "run/interval_clock.h"

/* Pause between two checks whether the interval before has been written. */
#define BUSY_OUTPUT_NS 20000000ULL

static uint64_t after(uint64_t start_ns, double seconds)
{
	return start_ns + (uint64_t)(seconds * 1e9);
}

/*
 * Plans the end one length after then_ns, or after now_ns if that has passed: a late interval is
 * not followed by another late one.
 */
static void plan_end(struct interval_clock *clock, uint64_t then_ns, uint64_t now_ns,
		     double interval_s)
{
	clock->end_ns = UINT64_MAX;
	if (interval_s > 0) {
		clock->end_ns = after(then_ns, interval_s);
		if (clock->end_ns < now_ns)
			clock->end_ns = after(now_ns, interval_s);
	}
	clock->until_ns = earlier(clock->end_ns, clock->last_ns);
	clock->is_changed = false;
	clock->is_cut = false;
}

void interval_clock__start(struct interval_clock *clock, uint64_t now_ns, double interval_s,
			   double duration_s, double rate_hz, bool soon)
{
	*clock = (struct interval_clock){
		.interval_s = interval_s,
		.start_ns = now_ns,
		.last_ns = duration_s > 0 ? after(now_ns, duration_s) : UINT64_MAX,
		.asked_hz = rate_hz,
		.next_hz = rate_hz,
	};
	plan_end(clock, now_ns, now_ns,
		 soon && interval_s > FIRST_INTERVAL_S ? FIRST_INTERVAL_S : interval_s);
}

void interval_clock__next(struct interval_clock *clock, uint64_t now_ns)
{
	clock->asked_hz = clock->next_hz;
	if (clock->has_new_rate)
		clock->lowered_hz = 0;
	clock->has_new_rate = false;
	if (clock->is_cut && !clock->is_changed && now_ns < clock->end_ns) {
		clock->is_cut = false;
		return;
	}
	plan_end(clock, clock->is_changed ? now_ns : clock->end_ns, now_ns, clock->interval_s);
}

void interval_clock__change(struct interval_clock *clock, double interval_s, double rate_hz)
{
	if (interval_s > 0)
		clock->interval_s = interval_s;
	if (rate_hz > 0)
		clock->next_hz = rate_hz;
	clock->has_new_rate |= rate_hz > 0;
	clock->is_changed |= interval_s > 0 || rate_hz > 0;
}

enum interval_state interval_clock__look(struct interval_clock *clock, uint64_t now_ns,
					 bool is_busy)
{
	if (now_ns >= clock->last_ns)
		return INTERVAL_LAST;
	if (clock->is_changed || clock->is_cut)
		return INTERVAL_OVER;
	if (now_ns < clock->end_ns)
		return INTERVAL_RUNS;
	if (!is_busy)
		return INTERVAL_OVER;
	clock->until_ns = earlier(now_ns + BUSY_OUTPUT_NS, clock->last_ns);
	return INTERVAL_WAITS;
}

uint64_t interval_clock__cut_ns(const struct interval_clock *clock)
{
	return clock->until_ns == clock->last_ns ? 0 : clock->until_ns;
}

uint64_t interval_clock__left_ns(const struct interval_clock *clock, uint64_t now_ns)
{
	if (clock->last_ns == UINT64_MAX)
		return UINT64_MAX;
	return clock->last_ns - earlier(now_ns, clock->last_ns);
}
