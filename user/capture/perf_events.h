/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The perf events: one a CPU, each with a period of its own. Reading them all is also the grace
 * period after a change of generations: the read interrupts the CPU where an event is active, and
 * that cannot happen inside its program.
 */
#ifndef TOPSTACKS_CAPTURE_PERF_EVENTS_H
#define TOPSTACKS_CAPTURE_PERF_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct bpf_link;
struct bpf_program;
struct ledger;

struct perf_event {
	unsigned int cpu;
	int fd;
	struct bpf_link *link;
	uint64_t period_ns;
	uint64_t nr_due, nr_throttled; /* since the event was opened */
	uint64_t running_ns;	       /* when it was last read; 0: it was not */
	bool is_dead;		       /* its time stood still: the CPU was away */
};

struct perf_events {
	struct perf_event *events;
	size_t nr_events;
	const struct bpf_program *program;
	double rate_hz;
	bool exclude_idle;
	const bool *wanted; /* by CPU number; NULL: all */
	size_t nr_wanted;
	char *online; /* text of cpu/online when the events were opened */
	bool stopped;
};

/*
 * Opens an event on every CPU that is online and wanted, not yet enabled. wanted is borrowed.
 * 0 or negative errno; nothing stays open on error.
 */
int perf_events__open(struct perf_events *events, double rate_hz, bool exclude_idle,
		      const bool *wanted, size_t nr_wanted, struct error *err);

/* Attaches the program, which enables the events. */
int perf_events__start(struct perf_events *events, const struct bpf_program *program,
		       struct error *err);
/* Disables the events; when it returns none of their programs runs any more. */
void perf_events__stop(struct perf_events *events);
void perf_events__close(struct perf_events *events);

/*
 * Opens all events anew with another rate: period and phase of an open one cannot be changed. What
 * the old ones have to say goes to the ledger first. 0 or negative errno.
 */
int perf_events__set_rate(struct perf_events *events, double rate_hz, struct ledger *ledger,
			  struct error *err);

/* Reads every event (the grace period) and adds due and throttled periods since the last time. */
int perf_events__account(struct perf_events *events, struct ledger *ledger, struct error *err);

/*
 * Opens events on CPUs that came online and drops those of CPUs that left. The descriptor of a CPU
 * that left stays dead for good, also if the CPU is back before anyone looked (as after a suspend).
 * Call right after perf_events__account. 1: something changed; 0 or negative errno.
 */
int perf_events__follow_cpus(struct perf_events *events, struct error *err);

/* Whether the last perf_events__follow_cpus opened an event on this CPU: it had been away. */
bool perf_events__was_away(const struct perf_events *events, unsigned int cpu);

/* When it was last looked. */
bool perf_events__is_online(const struct perf_events *events, unsigned int cpu);

/*
 * Whether idle CPUs can be sampled at this rate. One whose tick is stopped throttles: the kernel
 * allows so many samples a tick, and resets their number at the next tick only.
 */
bool perf_events__can_sample_idle(double rate_hz);

/* From one tick of the kernel to the next: 1 / CONFIG_HZ. */
double perf_events__tick_seconds(void);

/* The least kernel.perf_event_max_sample_rate with which no CPU is throttled at this rate. */
double perf_events__needed_limit_hz(double rate_hz, double tick_seconds);

/* ± 1 to 2 % of the asked period, different on every CPU. In ns. */
uint64_t perf_events__period_ns(double rate_hz, unsigned int cpu);

#endif
