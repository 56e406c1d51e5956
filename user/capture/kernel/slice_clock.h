/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Slices of time, where samples are told apart by them. The kernel numbers them in rounds (WHAT_SLICE);
 * here they get numbers that go on for as long as the run.
 */
#ifndef TOPSTACKS_CAPTURE_KERNEL_SLICE_CLOCK_H
#define TOPSTACKS_CAPTURE_KERNEL_SLICE_CLOCK_H

#include <stdint.h>

struct topstacks_bpf;

struct slice_clock {
	uint64_t slice_ns; /* 0: there are none */
	uint64_t begin_ns; /* of the first one; CLOCK_MONOTONIC */
	uint64_t end_ns;   /* what is read was sampled until then, or hardly later */
};

/* The first one begins then. */
void slice_clock__begin(struct slice_clock *clock, struct topstacks_bpf *skeleton,
			uint64_t then_ns);

/* Of the numbers of a round, which is longer than drains are apart. 0: slices are not told apart. */
uint32_t slice_clock__mask(uint64_t slice_ns);

/* 1 + the number of the slice, from its number in the round; 0: there are no slices. */
uint64_t slice_clock__number(const struct slice_clock *clock, uint32_t in_round);

#endif
