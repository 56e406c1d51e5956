/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recordings of waits, for tests: a server that waits for the network and for a lock, and then for
 * a CPU.
 */
#ifndef TOPSTACKS_TESTS_WAITING_MODEL_H
#define TOPSTACKS_TESTS_WAITING_MODEL_H

#include "expect.h"
#include "model.h"
#include "profile/recording.h"

static const struct metrics waits_metrics __attribute__((unused)) = {
	.of = {[VALUE_COUNT] = {.name = "waits", .unit = "count", .is_events = true},
	       [VALUE_WEIGHT] = {.name = "off_cpu", .unit = "nanoseconds"}},
	.shown = VALUE_WEIGHT,
};

/* So many waits that ended, and ns off the CPU. */
static inline void add_waiting(struct model *model, const char *comm, uint32_t wait, uint64_t count,
			       uint64_t ns, const char *stack)
{
	const struct sample sample = {.process = model__process(model, comm, 42),
				      .stack = model__stack(model, stack),
				      .wait = wait,
				      .values = {count, ns}};

	profile__add(model->profile, &sample);
}

#define NET_WAIT   WAIT(WAIT_INTERRUPTIBLE, WAIT_FOR_NET)
#define LOCK_WAIT  WAIT(WAIT_INTERRUPTIBLE, WAIT_FOR_LOCK)
#define POLL_WAIT  WAIT(WAIT_INTERRUPTIBLE, WAIT_FOR_POLL)
#define SLEEP_WAIT WAIT(WAIT_INTERRUPTIBLE, WAIT_FOR_SLEEP)
#define DISK_WAIT  WAIT(WAIT_DISK, WAIT_FOR_DISK)
#define LOCK_WOKEN WAIT(WAIT_WOKEN, WAIT_FOR_LOCK)
#define PREEMPTED  WAIT(WAIT_PREEMPTED, WAIT_FOR_NOTHING)
#define STOPPED	   WAIT(WAIT_STOPPED, WAIT_FOR_NOTHING)

/* 1 s: 40 % net and 30 % lock, 20 % woken from it, 4 % disk, 5 % preempted, 1 % stopped. */
static inline void add_server(struct model *model)
{
	profile__set_metrics(model->profile, &waits_metrics);
	add_waiting(model, "server", NET_WAIT, 4, 400000000,
		    "schedule@[kernel] recv@libc main@server");
	add_waiting(model, "server", LOCK_WAIT, 3, 300000000,
		    "schedule@[kernel] lock@libc main@server");
	add_waiting(model, "server", LOCK_WOKEN, 0, 200000000,
		    "schedule@[kernel] lock@libc main@server");
	add_waiting(model, "server", DISK_WAIT, 1, 40000000,
		    "schedule@[kernel] fsync@libc main@server");
	add_waiting(model, "server", PREEMPTED, 9, 50000000, "parse@server main@server");
	add_waiting(model, "server", STOPPED, 1, 10000000, "parse@server main@server");
}

static inline struct recording waiting_recording(void)
{
	struct recording recording;
	struct model model;

	recording__init(&recording);
	model = (struct model){profile__dictionary(recording.profile), recording.profile};
	recording.facts[FACT_EVENT] = recording__keep(&recording, "off-cpu");
	add_server(&model);
	recording.has_ledger = true;
	recording.ledger.events = recording.ledger.counted = recording.ledger.whole = 18;
	recording.duration_ns = 1000000000;
	return recording;
}

/* Nanoseconds of all samples with this wait. */
static inline uint64_t ns_of_wait(const struct profile *profile, uint32_t wait)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);
	uint64_t ns = 0;

	for (size_t i = 0; i < nr_samples; i++)
		ns += samples[i].wait == wait ? samples[i].values[VALUE_WEIGHT] : 0;
	return ns;
}

#endif
