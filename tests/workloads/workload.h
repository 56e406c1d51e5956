/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gives all workloads a bounded life, and work whose amount is measured, not guessed.
 *
 * The C library has no frame pointers, so a stack that passes through it loses callers. Therefore
 * the clocks are read by raw system calls from our own frames, and code that runs while a profiler
 * may watch does not call the library. Everything ends by itself after SECONDS, at SIGTERM or
 * SIGINT, or with its parent. A workload that computes defines WORKLOAD_CLOCK as a clock of CPU
 * time: on a busy machine it takes longer, and does as much.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WORKLOAD_MAX_SECONDS 120.0

#ifndef WORKLOAD_CLOCK
#define WORKLOAD_CLOCK CLOCK_MONOTONIC
#endif

#define MS 1000000ull

/* Keeps a function one: never inlined, cloned, merged with an equal one or optimized through. */
#define FRAME __attribute__((noipa, noinline))

/* Ends a FRAME, so that the last call before it cannot become a jump. */
#define KEEP_FRAME() __asm__ volatile("" ::: "memory")

static volatile sig_atomic_t workload_stopped;
static volatile sig_atomic_t workload_signalled; /* SIGUSR1 */

static inline __attribute__((always_inline)) long raw_syscall6(long number, long a, long b, long c,
							       long d, long e, long f)
{
#ifdef __x86_64__
	long result;
	register long fourth __asm__("r10") = d;
	register long fifth __asm__("r8") = e;
	register long sixth __asm__("r9") = f;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
			 : "rcx", "r11", "memory");
	return result;
#elif defined(__aarch64__)
	register long call __asm__("x8") = number;
	register long first __asm__("x0") = a;
	register long second __asm__("x1") = b;
	register long third __asm__("x2") = c;
	register long fourth __asm__("x3") = d;
	register long fifth __asm__("x4") = e;
	register long sixth __asm__("x5") = f;

	__asm__ volatile("svc #0"
			 : "+r"(first)
			 : "r"(call), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
			 : "memory");
	return first;
#else
	return syscall(number, a, b, c, d, e, f);
#endif
}

static inline __attribute__((always_inline)) long raw_syscall4(long number, long a, long b, long c,
							       long d)
{
	return raw_syscall6(number, a, b, c, d, 0, 0);
}

static inline __attribute__((always_inline)) long raw_syscall(long number, long a, long b, long c)
{
	return raw_syscall4(number, a, b, c, 0);
}

/* Waits until a signal. aarch64 has no such call: there it is a long sleep. */
static inline __attribute__((always_inline)) void raw_pause(void)
{
#ifdef SYS_pause
	raw_syscall(SYS_pause, 0, 0, 0);
#else
	raw_syscall(SYS_nanosleep, (long)&(const struct timespec){.tv_sec = 1000000}, 0, 0);
#endif
}

static inline __attribute__((always_inline)) uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	raw_syscall(SYS_clock_gettime, clock, (long)&now, 0);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

static inline uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/*
 * Returns from half of the mean to one and a half, so that the work is in step with no sampling
 * rate.
 */
static inline uint64_t random_near(uint64_t mean, uint32_t *state)
{
	return mean / 2 + next_random(state) % mean;
}

/* Uses ns of the calling thread's CPU time, or less at the end. Returns the time that it used. */
static FRAME __attribute__((unused)) uint64_t spin(uint64_t ns)
{
	uint64_t start = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	uint64_t used = 0;

	while (used < ns && !workload_stopped) {
		for (volatile int i = 0; i < 4000; i++)
			;
		used = clock_ns(CLOCK_THREAD_CPUTIME_ID) - start;
	}
	return used;
}

static inline __attribute__((always_inline)) bool past(uint64_t deadline_ns)
{
	return workload_stopped || clock_ns(WORKLOAD_CLOCK) >= deadline_ns;
}

static inline void on_stop(int signal)
{
	(void)signal;
	workload_stopped = 1;
}

static inline void on_usr1(int signal)
{
	(void)signal;
	workload_signalled = 1;
}

/*
 * Ends this process when its parent ends. Forked children call it, too, as they do not inherit it.
 */
static inline void die_with_parent(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* Returns the number in argv[index], or fallback; ends the program if it is none. */
static inline double argument(int argc, char **argv, int index, double fallback)
{
	char *end;
	double value;

	if (index >= argc)
		return fallback;
	value = strtod(argv[index], &end);
	if (*end || end == argv[index] || !(value >= 0)) {
		fprintf(stderr, "%s: not a number: %s\n", argv[0], argv[index]);
		exit(2);
	}
	return value;
}

/* Bounds the life of the program; returns the time by WORKLOAD_CLOCK at which it should end. */
static inline uint64_t workload_begin(double seconds)
{
	struct sigaction stop = {.sa_handler = on_stop}, usr1 = {.sa_handler = on_usr1};

	if (seconds > WORKLOAD_MAX_SECONDS)
		seconds = WORKLOAD_MAX_SECONDS;
	die_with_parent();
	sigaction(SIGTERM, &stop, NULL);
	sigaction(SIGINT, &stop, NULL);
	sigaction(SIGUSR1, &usr1, NULL);
	alarm((unsigned int)WORKLOAD_MAX_SECONDS + 5); /* kills a program that got stuck */
	return clock_ns(WORKLOAD_CLOCK) + (uint64_t)(seconds * 1e9);
}

/* Returns how often the kernel changed from this program and its children to others. */
static inline long nr_switches(void)
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	return self.ru_nvcsw + self.ru_nivcsw + children.ru_nvcsw + children.ru_nivcsw;
}

static inline void workload_ready(void)
{
	printf("ready\n");
	fflush(stdout);
}

#endif
