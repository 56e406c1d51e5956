/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_BASE_CLOCK_H
#define TOPSTACKS_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline uint64_t monotonic_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static inline uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Sleeps for ns, or until a signal comes. */
static inline void clock_sleep(uint64_t ns)
{
	const struct timespec pause = {.tv_sec = (time_t)(ns / 1000000000),
				       .tv_nsec = (long)(ns % 1000000000)};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
}

#endif
