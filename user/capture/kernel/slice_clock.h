/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Slices of time, by which samples are told apart. The kernel numbers them in rounds (WHAT_SLICE);
 * this clock turns these numbers into numbers that grow over the whole run.
 */
#ifndef TOPSTACKS_CAPTURE_KERNEL_SLICE_CLOCK_H
#define TOPSTACKS_CAPTURE_KERNEL_SLICE_CLOCK_H

#include "base/common.h"

struct topstacks_bpf;

struct slice_clock {
	uint64_t slice_ns; /* length of a slice; 0: no slices */
	uint64_t begin_ns; /* begin of the first slice; CLOCK_MONOTONIC */
	uint64_t end_ns;   /* the samples being read were taken before this time, or hardly later */
};

/* Makes the first slice begin at then_ns. */
void slice_clock__begin(struct slice_clock *clock, struct topstacks_bpf *skeleton,
			uint64_t then_ns);

/*
 * Returns the mask of slice numbers in a round, which is longer than the time between drains. 0: no
 * slices.
 */
uint32_t slice_clock__mask(uint64_t slice_ns);

/* Returns 1 + the slice's number in the run, from its number in the round; 0: no slices. */
uint64_t slice_clock__number(const struct slice_clock *clock, uint32_t in_round);

#endif
