/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waits for programs that run with interrupts off, on whichever CPU, those of no run's interest
 * included: a descriptor on each, whose reading interrupts it (perf_event_read,
 * kernel/events/core.c). CPUs may come and go.
 */
#ifndef TOPSTACKS_CAPTURE_SOURCES_EVERY_CPU_H
#define TOPSTACKS_CAPTURE_SOURCES_EVERY_CPU_H

#include "base/error.h"

struct every_cpu;

/* A descriptor on each CPU that is online. 0 or negative errno. */
int every_cpu__open(struct every_cpu **every_cpu, struct error *err);
/* NULL is fine. */
void every_cpu__close(struct every_cpu *every_cpu);

/*
 * No program runs any more that ran at the call, with interrupts off. Some 20 us a CPU; a CPU that
 * has come since the last call costs some 10 ms once. 0 or negative errno.
 */
int every_cpu__wait(struct every_cpu *every_cpu, struct error *err);

#endif
