// SPDX-License-Identifier: GPL-2.0-only
#include "samples.h"

#include <errno.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "chance.h"
#include "probes.h"
#include "settings.h"
#include "state.h"

/*
 * Declarations of pthread_atfork(): glibc's own is linked into programs statically, and musl has
 * only the usual one.
 */
extern int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
			     void *object) __attribute__((weak));
extern int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
	__attribute__((weak));

_Thread_local struct thread_state thread_state;
struct marks marks;
uint64_t nr_told;

/* A seed that differs from those of all other threads, also of other runs. */
static uint64_t make_seed(void)
{
	struct timespec now = {0};
	uint64_t state;

	clock_gettime(CLOCK_MONOTONIC, &now);
	state = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	state = chance__next(&state) ^ (uint64_t)(uintptr_t)&thread_state;
	state = chance__next(&state) ^ (uint64_t)getpid();
	return chance__next(&state);
}

/*
 * Draws new gaps in a child, which would otherwise be hit where its parent is. Exponential gaps
 * have no memory, so that is allowed.
 */
static void on_fork(void)
{
	const uint64_t mean = thread_state.gaps.mean;

	if (mean)
		gaps__begin(&thread_state.gaps, mean, make_seed());
}

static void watch_forks(void)
{
	if (__register_atfork)
		__register_atfork(NULL, NULL, on_fork, NULL);
	else if (pthread_atfork)
		pthread_atfork(NULL, NULL, on_fork);
}

/*
 * The mean for all threads, from the environment. 0: not known yet, as the C library is starting,
 * or another thread reads it.
 */
static uint64_t process_mean(void)
{
	static uint64_t mean;
	static bool has_begun;

	if (!environ || __atomic_exchange_n(&has_begun, true, __ATOMIC_RELAXED))
		return __atomic_load_n(&mean, __ATOMIC_RELAXED);
	__atomic_store_n(&mean, settings__mean(environ), __ATOMIC_RELAXED);
	if (settings__alone(environ))
		settings__leave(environ);
	watch_forks();
	topstacks_begins();
	return __atomic_load_n(&mean, __ATOMIC_RELAXED);
}

static void tell(void *block, size_t size)
{
	struct sampled sampled;

	gaps__take(&thread_state.gaps, size, &sampled);
	marks__add(&marks, block);
	topstacks_alloc_fired(block, size, sampled.weight, sampled.since,
			      __atomic_add_fetch(&nr_told, 1, __ATOMIC_SEQ_CST));
}

uint64_t samples__nr_told(void)
{
	return __atomic_load_n(&nr_told, __ATOMIC_SEQ_CST);
}

static void look_at(void *block, size_t size)
{
	struct gaps *const gaps = &thread_state.gaps;

	if (!gaps->mean) {
		const uint64_t mean = process_mean();

		if (!mean)
			return;
		gaps__begin(gaps, mean, make_seed());
	}
	if (!gaps__pass(gaps, size))
		tell(block, size);
}

/*
 * Reports the rest that the thread calling exit() has allocated; that of other threads is not
 * reported.
 */
__attribute__((destructor)) static void end(void)
{
	const struct gaps *gaps = &thread_state.gaps;

	if (gaps->mean && !thread_state.is_busy)
		topstacks_ends(gaps->gap - gaps->left);
}

/*
 * Allocations of a signal handler during this function, some microseconds for each sample, are not
 * sampled.
 */
void samples__look_at(void *block, size_t size)
{
	const int code = errno;

	gaps__give_back(&thread_state.gaps, size);
	if (!block || thread_state.is_busy)
		return;
	thread_state.is_busy = true;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	look_at(block, size);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	thread_state.is_busy = false;
	errno = code;
}
