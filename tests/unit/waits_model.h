/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Profiles of waits, for tests: in model.h's notation, with the kind of each wait and its length.
 */
#ifndef TOPSTACKS_TESTS_WAITS_MODEL_H
#define TOPSTACKS_TESTS_WAITS_MODEL_H

#include "model.h"

#define MS 1000000ULL

/* A recording of waits has these metrics. */
static const struct metrics wait_metrics __attribute__((unused)) = {
	.of = {[VALUE_COUNT] = {.name = "waits",
				.unit = "count",
				.is_events = true,
				.title = "Waits",
				.heading = "WAITS"},
	       [VALUE_WEIGHT] = {.name = "off_cpu",
				 .unit = "nanoseconds",
				 .title = "Time off the CPU",
				 .heading = "TIME"}},
	.shown = VALUE_WEIGHT,
};

static inline struct model waits__new(void)
{
	struct model model = model__new();

	profile__set_metrics(model.profile, &wait_metrics);
	return model;
}

/* Time in a state, for something; nr: of the waits that ended. */
static inline void add_thread_wait(struct model *model, int32_t pid, int32_t tid, uint32_t wait,
				   uint64_t nr, uint64_t ns, const char *stack)
{
	struct sample sample = {.process = model__process(model, "server", pid),
				.stack = model__stack(model, stack),
				.tid = tid,
				.wait = wait,
				.values = {nr, ns}};

	profile__add(model->profile, &sample);
}

static inline void add_wait(struct model *model, int32_t pid, uint32_t wait, uint64_t nr,
			    uint64_t ns, const char *stack)
{
	add_thread_wait(model, pid, 0, wait, nr, ns, stack);
}

#endif
