/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waits for programs that run with interrupts off on any CPU, sampled or not. Each CPU has a
 * descriptor, and reading it interrupts that CPU (perf_event_read, kernel/events/core.c). CPUs may
 * come and go.
 */
#ifndef TOPSTACKS_CAPTURE_SOURCES_EVERY_CPU_H
#define TOPSTACKS_CAPTURE_SOURCES_EVERY_CPU_H

#include "base/common.h"

struct every_cpu;

/* Opens a descriptor on each online CPU. Returns 0 or negative errno. */
int every_cpu__open(struct every_cpu **every_cpu, struct error *err);
/* NULL is fine. */
void every_cpu__close(struct every_cpu *every_cpu);

/*
 * Waits until no program that ran with interrupts off at the call runs any more. Takes some 20 us a
 * CPU, and some 10 ms once for a CPU that is new since the last call. Returns 0 or negative errno.
 */
int every_cpu__wait(struct every_cpu *every_cpu, struct error *err);

#endif
