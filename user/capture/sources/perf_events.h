/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Perf events that run a BPF program: one a CPU, each with a period of its own. For the sources
 * that are made of them: they are such a source's state, and what takes a state is one of its verbs.
 */
#ifndef TOPSTACKS_CAPTURE_SOURCES_PERF_EVENTS_H
#define TOPSTACKS_CAPTURE_SOURCES_PERF_EVENTS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
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
	uint64_t count, running_ns;    /* when it was last read; 0: it was not */
	uint64_t nr_due, nr_throttled; /* for the source's account: what the ledger has of it */
	bool is_dead;		       /* its time stood still: the CPU was away */
};

struct perf_events {
	struct perf_event_attr attr; /* of all, but for the period */
	struct perf_event *events;
	size_t nr_events, capacity;
	const struct bpf_program *program;
	struct cpus *cpus;
	double rate_hz;
	unsigned int cookie; /* the event's number */
	uint64_t (*period)(double rate_hz, unsigned int cpu);
	uint64_t nr_due, nr_lost; /* for the source's account, of all */
	bool stopped;
};

/*
 * Opens an event on every CPU that is online and wanted, and counts it (-ENOENT: none does), not yet
 * enabled: of type, config and what else attr says. period: the one that belongs to a rate there; NULL: attr has it, or a frequency.
 * 0 or negative errno; nothing stays open on error.
 */
int perf_events__open(void **state, const struct perf_event_attr *attr,
		      const struct source_options *options,
		      uint64_t (*period)(double rate_hz, unsigned int cpu), struct error *err);

/* Attaches the program, which enables the events. */
int perf_events__start(void *state, struct topstacks_bpf *skeleton,
		       const struct bpf_program *program, struct error *err);
/* Disables the events; when it returns none of their programs runs any more. */
void perf_events__stop(void *state);
void perf_events__close(void *state); /* NULL is fine */

/* Opens all events anew with another rate, and starts them. 0 or negative errno. */
int perf_events__reopen(struct perf_events *events, double rate_hz, struct error *err);

/*
 * Reads every event. That is a grace period for their programs, too: the read interrupts the CPU
 * where an event is active, which cannot happen inside its program. 0 or negative errno.
 */
int perf_events__settle(void *state, struct error *err);

/*
 * Opens events on CPUs that came online and drops those of CPUs that left. The descriptor of a CPU
 * that left stays dead for good, also if the CPU is back before anyone looked (as after a suspend).
 * Call right after perf_events__settle. 1: something changed; 0 or negative errno.
 */
int perf_events__follow_cpus(void *state, struct error *err);

/* From one tick of the kernel to the next: 1 / CONFIG_HZ. */
double perf_events__tick_seconds(void);

/* The least kernel.perf_event_max_sample_rate with which no CPU is throttled at this rate. */
double perf_events__needed_limit_hz(double rate_hz, double tick_seconds);

/* A period for events that count ns: ± 1 to 2 % of the asked one, different on every CPU. */
uint64_t perf_events__period_ns(double rate_hz, unsigned int cpu);

#endif
