// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline
/*
 * slowed PERCENT [ROUNDS]: the same work in every run, but for one function that is slower by
 * PERCENT.
 *
 * A round is 10 ms of CPU time: large 4, medium 3, small 2, and hot 1, plus PERCENT of that. What a
 * function does is CPU time by its own clock, so that the truth holds on any machine and beside any
 * load. Prints the rounds done, for --per work.
 */
#include "workload.h"

#define WORK(name)                    \
	FRAME void name(uint64_t ns); \
	FRAME void name(uint64_t ns)  \
	{                             \
		spin(ns);             \
		KEEP_FRAME();         \
	}

WORK(large)
WORK(medium)
WORK(small)
WORK(hot)

/* In slices of a fifth, so that no sampling rate is in step with them. */
static FRAME void work(double rounds, double factor)
{
	for (int i = 0; i < 5 * rounds && !workload_stopped; i++) {
		large(4 * MS / 5);
		medium(3 * MS / 5);
		small(2 * MS / 5);
		hot((uint64_t)(factor * MS / 5));
	}
	KEEP_FRAME();
}

int main(int argc, char **argv)
{
	double percent = argument(argc, argv, 1, 0), rounds = argument(argc, argv, 2, 60);

	workload_begin(WORKLOAD_MAX_SECONDS);
	work(rounds, 1 + percent / 100);
	printf("%.0f\n", rounds);
	return 0;
}
