// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls
/*
 * meetings MILLISECONDS: functions wait, measure their waits themselves, and know which function
 * ends them: let_go unlocks, send_word writes, and a sleep ends by itself, while bystand computes.
 * Two functions wait for one lock, and one of them for another as well. This lasts from SIGUSR1 on
 * for MILLISECONDS. At the end the program prints:
 *	{"here_first": {"function": "wait_here", "lock": "0x5581a0", "waker": "let_go",
 *	 "switches": 512, "least_ns": 2001234567, "most_ns": 2003456789}}
 *
 * The time that a function waited is between least_ns and most_ns. most_ns is by the clock, from
 * before the function is called until it has returned. least_ns is by the clock within it, less the
 * CPU time meanwhile, of the calls in which it was never preempted. switches is how often it gave
 * up its CPU, as the kernel counts.
 */
#include <pthread.h>

#include "gate.h"

#define REST_NS (2 * MS) /* the mean */

struct meeting {
	const char *name, *function, *waker;
	void (*wait)(struct meeting *waiter);
	pthread_mutex_t *lock; /* NULL: it waits for none */
	pthread_t thread;
	uint32_t random;
	uint64_t begin_ns, begin_cpu_ns;
	struct rusage begin;
	uint64_t least_ns, most_ns;
	long switches;
};

static uint64_t deadline;
static volatile bool finished;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int words[2];

static inline __attribute__((always_inline)) void nap(uint64_t ns)
{
	const struct timespec rest = {.tv_nsec = (long)ns};

	raw_syscall(SYS_nanosleep, (long)&rest, 0, 0);
}

static inline __attribute__((always_inline)) void enter(struct meeting *waiter)
{
	raw_syscall(SYS_getrusage, RUSAGE_THREAD, (long)&waiter->begin, 0);
	waiter->begin_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	waiter->begin_ns = clock_ns(CLOCK_MONOTONIC);
}

static inline __attribute__((always_inline)) void leave(struct meeting *waiter)
{
	const uint64_t ns = clock_ns(CLOCK_MONOTONIC) - waiter->begin_ns;
	const uint64_t cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - waiter->begin_cpu_ns;
	struct rusage end;

	raw_syscall(SYS_getrusage, RUSAGE_THREAD, (long)&end, 0);
	if (end.ru_nivcsw == waiter->begin.ru_nivcsw && ns > cpu_ns)
		waiter->least_ns += ns - cpu_ns;
	waiter->switches += end.ru_nvcsw - waiter->begin.ru_nvcsw;
}

/* ---- functions that wait ---- */

static FRAME void wait_here(struct meeting *waiter)
{
	enter(waiter);
	pthread_mutex_lock(waiter->lock);
	leave(waiter);
	KEEP_FRAME();
}

static FRAME void wait_there(struct meeting *waiter)
{
	enter(waiter);
	pthread_mutex_lock(waiter->lock);
	leave(waiter);
	KEEP_FRAME();
}

static FRAME void wait_word(struct meeting *waiter)
{
	char byte;

	enter(waiter);
	raw_syscall(SYS_read, words[0], (long)&byte, 1);
	leave(waiter);
	KEEP_FRAME();
}

static FRAME void wait_time(struct meeting *waiter)
{
	enter(waiter);
	nap(random_near(REST_NS, &waiter->random));
	leave(waiter);
	KEEP_FRAME();
}

/* ---- functions that end waits ---- */

static FRAME void let_go(pthread_mutex_t *lock)
{
	pthread_mutex_unlock(lock);
	KEEP_FRAME();
}

static FRAME void send_word(void)
{
	raw_syscall(SYS_write, words[1], (long)"", 1);
	KEEP_FRAME();
}

static void *run_holder(void *lock)
{
	uint32_t random = 17;

	while (!finished) {
		pthread_mutex_lock(lock);
		nap(random_near(REST_NS, &random));
		let_go(lock);
		nap(MS / 5);
	}
	return NULL;
}

static void *run_sender(void *argument)
{
	uint32_t random = 23;

	while (!finished) {
		nap(random_near(REST_NS, &random));
		send_word();
	}
	return argument;
}

static FRAME void *bystand(void *argument)
{
	while (!finished)
		spin(MS);
	return argument;
}

static struct meeting waiters[] = {
	{"here_first", "wait_here", "let_go", .wait = wait_here, .lock = &first},
	{"there_first", "wait_there", "let_go", .wait = wait_there, .lock = &first},
	{"here_second", "wait_here", "let_go", .wait = wait_here, .lock = &second},
	{"word", "wait_word", "send_word", .wait = wait_word},
	{"time", "wait_time", "", .wait = wait_time},
};
#define NR_WAITERS (sizeof(waiters) / sizeof(waiters[0]))

static void *run_waiter(void *argument)
{
	struct meeting *waiter = argument;

	while (!past(deadline)) {
		const uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);

		waiter->wait(waiter);
		waiter->most_ns += clock_ns(CLOCK_MONOTONIC) - begin_ns;
		if (waiter->lock) {
			let_go(waiter->lock);
			nap(MS / 5);
		}
	}
	return NULL;
}

static void start(pthread_t *thread, void *(*run)(void *), void *argument)
{
	if (pthread_create(thread, NULL, run, argument))
		exit(1);
}

static void run_all(uint64_t ns)
{
	pthread_t helpers[4];

	deadline = clock_ns(CLOCK_MONOTONIC) + ns;
	start(&helpers[0], run_holder, &first);
	start(&helpers[1], run_holder, &second);
	start(&helpers[2], run_sender, NULL);
	start(&helpers[3], bystand, NULL);
	for (size_t i = 0; i < NR_WAITERS; i++) {
		waiters[i].random = 1000 + (uint32_t)i;
		start(&waiters[i].thread, run_waiter, &waiters[i]);
	}
	for (size_t i = 0; i < NR_WAITERS; i++)
		pthread_join(waiters[i].thread, NULL);
	finished = true;
	for (size_t i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++)
		pthread_join(helpers[i], NULL);
}

static void print_truth(const struct meeting *waiter)
{
	printf("{\"%s\": {\"function\": \"%s\", \"lock\": \"0x%lx\", \"waker\": \"%s\", "
	       "\"switches\": %ld, "
	       "\"least_ns\": %llu, \"most_ns\": %llu}}\n",
	       waiter->name, waiter->function, (unsigned long)waiter->lock, waiter->waker,
	       waiter->switches, (unsigned long long)waiter->least_ns,
	       (unsigned long long)waiter->most_ns);
}

int main(int argc, char **argv)
{
	const uint64_t ns = (uint64_t)(argument(argc, argv, 1, 1000) * MS);

	gate_close();
	if (pipe(words))
		return 1;
	workload_ready();
	gate_rest();
	run_all(ns);
	for (size_t i = 0; i < NR_WAITERS; i++)
		print_truth(&waiters[i]);
	gate_done();
	return 0;
}
