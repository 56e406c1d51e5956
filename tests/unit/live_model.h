/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Intervals for tests of the live view, in the notation of model.h:
 *
 *	struct model interval = model__new();
 *	add(&interval, "redis", 1, 60, "read@libc main@redis");
 *	give(&live, &interval);			 (which ends the model)
 */
#ifndef TOPSTACKS_TESTS_LIVE_MODEL_H
#define TOPSTACKS_TESTS_LIVE_MODEL_H

#include "expect.h"
#include "live/live.h"
#include "model.h"

static inline void give_interval(struct live *live, struct model *model,
				 const struct recording *interval)
{
	EXPECT_EQ(live__add(live, interval), 0);
	while (live__work(live) > 0)
		;
	model__free(model);
}

static inline struct recording interval_of(const struct model *model, uint64_t lost)
{
	uint64_t counted = profile__total(model->profile, VALUE_COUNT);
	return (struct recording){
		.profile = model->profile,
		.facts = {[FACT_EVENT] = "cpu-clock", [FACT_TARGET] = "redis (pid 1)"},
		.has_ledger = true,
		.ledger = {.events = counted + lost,
			   .counted = counted,
			   .whole = counted,
			   .lost = {[LOSS_THROTTLED] = lost},
			   .sampled_ns = 1000000000,
			   .ran_ns = 1000000000},
		.cost = {.user_ns = 1000000, .resident_bytes = 12300000},
		.start_realtime_ns = 1000000000LL * 45295, /* it ends at 12:34:56 */
		.duration_ns = 1000000000,
		.asked_hz = 99,
		.delivered_hz = 98.9,
		.nr_cpus = 2,
	};
}

static inline void give_events(struct live *live, struct model *model, uint64_t lost)
{
	struct recording interval = interval_of(model, lost);

	give_interval(live, model, &interval);
}

static inline void give(struct live *live, struct model *model)
{
	give_events(live, model, 0);
}

/* An interval of functions a, b, c... that main calls, with so many samples each. */
static inline void give_counts(struct live *live, const uint64_t *counts, size_t nr)
{
	struct model model = model__new();

	for (size_t i = 0; i < nr; i++) {
		char stack[64];

		snprintf(stack, sizeof(stack), "%c@redis main@redis", (int)('a' + i));
		if (counts[i])
			add(&model, "redis", 1, counts[i], stack);
	}
	give(live, &model);
}

#define GIVE(live, ...)                                    \
	give_counts(live, (const uint64_t[]){__VA_ARGS__}, \
		    sizeof((const uint64_t[]){__VA_ARGS__}) / 8)

#endif
