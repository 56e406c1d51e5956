/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracks when a timer fired that is due in equal steps, and when it should have fired. */
#ifndef TOPSTACKS_KERN_ACCOUNT_STEPS_BPF_H
#define TOPSTACKS_KERN_ACCOUNT_STEPS_BPF_H

#include <stdbool.h>

#include "topstacks/abi.h"

#define DELAY_SHIFT 6

/*
 * Notes that the timer has fired. A CPU that sleeps, or that a hypervisor took away, fires it late.
 * So the steps go on from the old phase, unless the timer came earlier; a delay that shifted the
 * phase wears off. Returns true if this is the late firing that steps__are_due counted as lost.
 */
static inline __attribute__((always_inline)) bool steps__fired(struct timer_phase *phase,
							       __u64 now_ns, __u64 period)
{
	__u64 steps = 0, due_ns = now_ns;
	bool was_missed;

	if (period && phase->period == period) {
		steps = (now_ns - phase->due_ns + period / 2) / period;
		due_ns = phase->due_ns + steps * period;
	}
	was_missed = phase->missed && phase->missed == steps;
	phase->due_ns = now_ns < due_ns ? now_ns : due_ns + ((now_ns - due_ns) >> DELAY_SHIFT);
	phase->period = period;
	phase->missed = 0;
	return was_missed;
}

/* Returns true if the timer fell due between start and end, and that was not reported yet. */
static inline __attribute__((always_inline)) bool steps__are_due(struct timer_phase *phase,
								 __u64 start_ns, __u64 end_ns)
{
	__u64 steps;

	if (!phase->period || start_ns < phase->due_ns)
		return false;
	steps = (end_ns - phase->due_ns) / phase->period;
	if (steps == (start_ns - phase->due_ns) / phase->period || steps == phase->missed)
		return false;
	phase->missed = steps;
	return true;
}

#endif
