/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recordings of several events, for tests: a run in which all of them saw "f", and each a stack of
 * its own.
 */
#ifndef TOPSTACKS_TESTS_EVENTS_MODEL_H
#define TOPSTACKS_TESTS_EVENTS_MODEL_H

#include "expect.h"
#include "model.h"
#include "profile/recording.h"

static const struct metrics fault_metrics __attribute__((unused)) = {
	.of = {[VALUE_COUNT] = {.name = "page-faults", .unit = "count", .is_events = true},
	       [VALUE_WEIGHT] = {.name = "page-faults", .unit = "events"}},
};

/*
 * One event of a run; more: the others, which it owns. Stacks of both are "f" and one of its own.
 */
static inline struct recording *add_event(struct recording *first, const char *event,
					  const struct metrics *metrics, uint64_t count)
{
	struct recording *made =
		first->facts[FACT_EVENT] ? recording__add_event(first, event) : first;
	struct model model = {profile__dictionary(made->profile), made->profile};

	made->facts[FACT_EVENT] = recording__keep(made, event);
	profile__set_metrics(made->profile, metrics);
	add(&model, "prog", 1, count, "f@p main@p");
	add(&model, event, 2, 1, "g@p main@p");
	made->has_ledger = true;
	made->ledger.events = made->ledger.counted = count + 1;
	made->duration_ns = 1000000000;
	return made;
}

/* The CPU clock with count samples, and with faults of them page faults; or the other way round. */
static inline struct recording two_events(uint64_t count, uint64_t faults, bool is_turned)
{
	struct recording recording;

	recording__init(&recording);
	if (is_turned)
		add_event(&recording, "page-faults", &fault_metrics, faults);
	add_event(&recording, "cpu-clock", &cpu_metrics, count);
	if (!is_turned)
		add_event(&recording, "page-faults", &fault_metrics, faults);
	return recording;
}

#endif
