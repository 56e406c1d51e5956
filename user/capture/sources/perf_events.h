/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Perf events that run a BPF program: one for each CPU, each with its own period. A source built of
 * them uses struct perf_events as its state, and the functions below that take a state as its
 * verbs.
 */
#ifndef TOPSTACKS_CAPTURE_SOURCES_PERF_EVENTS_H
#define TOPSTACKS_CAPTURE_SOURCES_PERF_EVENTS_H

#include <linux/perf_event.h>

#include "base/common.h"
#include "capture/host/event_link.h"

struct bpf_program;
struct cpus;
struct source_options;
struct topstacks_bpf;

struct perf_event {
	unsigned int cpu;
	int fd;
	struct event_link link;
	uint64_t period;
	uint64_t count, running_ns;    /* as of the last read; 0: never read */
	uint64_t nr_due, nr_throttled; /* for the source's account: already in the ledger */
	bool is_dead;		       /* its time stood still: its CPU was offline */
};

struct perf_events {
	struct perf_event_attr attr; /* of all events, except the period */
	struct perf_event *events;
	size_t nr_events, capacity;
	const struct bpf_program *program;
	struct cpus *cpus;
	double rate_hz;
	unsigned int cookie; /* number of the event */
	uint64_t (*period)(double rate_hz, unsigned int cpu);
	uint64_t nr_due, nr_lost; /* for the source's account: sums over all CPUs */
	bool stopped;
};

/*
 * Opens an event as described by attr on each wanted online CPU, disabled. period: returns the
 * period for a rate on a CPU; NULL: attr has a period or a frequency. Returns 0 or negative errno;
 * -ENOENT: no CPU counts the event; on error nothing stays open.
 */
int perf_events__open(void **state, const struct perf_event_attr *attr,
		      const struct source_options *options,
		      uint64_t (*period)(double rate_hz, unsigned int cpu), struct error *err);

/* Attaches the program, which enables the events. */
int perf_events__start(void *state, struct topstacks_bpf *skeleton,
		       const struct bpf_program *program, struct error *err);
/* Disables the events. No program of theirs runs any more on return. */
void perf_events__stop(void *state);
void perf_events__close(void *state); /* NULL is fine */

/* Opens all events anew at another rate and starts them. Returns 0 or negative errno. */
int perf_events__reopen(struct perf_events *events, double rate_hz, struct error *err);

/*
 * Reads every event. This is also a grace period for their programs: the read interrupts the CPU
 * where an event is active, which cannot happen inside its program. Returns 0 or negative errno.
 */
int perf_events__settle(void *state, struct error *err);

/*
 * Opens events on CPUs that came online, and drops those of CPUs that left. The descriptor of a CPU
 * that left stays dead, even if the CPU is back before the next look (as after a suspend). Call it
 * right after perf_events__settle. Returns 1 if something changed, else 0 or negative errno.
 */
int perf_events__follow_cpus(void *state, struct error *err);

/* Returns the length of a kernel tick, 1 / CONFIG_HZ. */
double perf_events__tick_seconds(void);

/* Returns the least kernel.perf_event_max_sample_rate at which no CPU is throttled at this rate. */
double perf_events__needed_limit_hz(double rate_hz, double tick_seconds);

/* Returns a period in ns: 1 to 2 % off the one asked for, and different on each CPU. */
uint64_t perf_events__period_ns(double rate_hz, unsigned int cpu);

#endif
