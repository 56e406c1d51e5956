/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The perf events: one a CPU, each with a period of its own. Reading them all is also the grace
 * period after a change of generations: the read interrupts the CPU where an event is active, and
 * that cannot happen inside its program.
 */
#ifndef TOPSTACKS_CAPTURE_EVENTS_H
#define TOPSTACKS_CAPTURE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "topstacks/error.h"

struct bpf_link;
struct bpf_program;
struct ledger;

struct event {
	unsigned int cpu;
	int fd;
	struct bpf_link *link;
	uint64_t period_ns;
	uint64_t nr_due, nr_throttled; /* since the event was opened */
};

struct events {
	struct event *events;
	size_t nr_events;
	const struct bpf_program *program;
	double rate_hz;
	bool exclude_idle;
	const bool *wanted; /* by CPU number; NULL: all */
	size_t nr_wanted;
	char *online; /* text of cpu/online when the events were opened */
};

/*
 * Opens an event on every CPU that is online and wanted, not yet enabled. wanted is borrowed.
 * 0 or negative errno; nothing stays open on error.
 */
int events__open(struct events *events, double rate_hz, bool exclude_idle, const bool *wanted,
		 size_t nr_wanted, struct error *err);

/* Attaches the program, which enables the events. */
int events__start(struct events *events, const struct bpf_program *program, struct error *err);
/* Disables the events; when it returns none of their programs runs any more. */
void events__stop(struct events *events);
void events__close(struct events *events);

/* Reads every event (the grace period) and adds due and throttled periods since the last time. */
int events__account(struct events *events, struct ledger *ledger, struct error *err);

/*
 * Opens events on CPUs that came online and drops those of CPUs that left, whose descriptors stay
 * dead for good. Call right after events__account. 1: something changed; 0 or negative errno.
 */
int events__follow_cpus(struct events *events, struct error *err);

/* When it was last looked. */
bool events__is_online(const struct events *events, unsigned int cpu);

/*
 * Whether idle CPUs can be sampled at this rate. One whose tick is stopped throttles: the kernel
 * allows so many samples a tick, and resets their number at the next tick only.
 */
bool events__can_sample_idle(double rate_hz);

/* How many samples the kernel allows on a CPU between two of its ticks. */
double events__samples_a_tick(void);

/* ± 1 to 2 % of the asked period, different on every CPU. In ns. */
uint64_t events__period_ns(double rate_hz, unsigned int cpu);

#endif
