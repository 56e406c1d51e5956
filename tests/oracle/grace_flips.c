// SPDX-License-Identifier: GPL-2.0-only
/*
 * grace_flips hits|switches NUMBER [careless]: changes generations NUMBER times under a program.
 * The program runs at every getppid(), or at every switch of a CPU to another thread on the
 * machine, and threads on each CPU do nothing else. After each change grace_flips waits as
 * topstacks does (capture/kernel/grace.c, capture/sources/every_cpu.c), and closes the generation
 * that was left. It prints
 *
 *   {"flips": N, "runs": N, "late": N, "longest_us": N}
 *
 * With "careless" it does not wait, which shows that the test would see a run that is late.
 */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/perf_event.h>

#include "base/clock.h"
#include "capture/events/tracefs.h"
#include "capture/events/tracepoint.h"
#include "capture/host/cpus.h"
#include "capture/kernel/grace.h"
#include "capture/sources/every_cpu.h"
#include "grace_flips.h"
#include "grace_flips.skel.h"

#define MAX_THREADS 64

static volatile bool is_over;

static void *hit(void *context)
{
	while (!is_over)
		syscall(SYS_getppid);
	return context;
}

/* Makes its CPU switch to another thread. There are two of these threads on each CPU. */
static void *switch_over(void *context)
{
	while (!is_over)
		sched_yield();
	return context;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* The two ways to wait: for programs at hits, or for those at switches. One of them is open. */
struct waits {
	struct grace grace;
	struct every_cpu *every_cpu; /* NULL: the other one */
};

static void attach_to_hits(struct grace_flips *skeleton)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr)};
	struct tracepoint tracepoint;
	struct error err = {.text = "no such tracepoint"};
	const int tracefs = tracefs__open(&err);
	int fd;

	if (tracefs < 0 ||
	    tracepoint__read(&tracepoint, tracefs, "syscalls:sys_enter_getppid", &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	attr.config = tracepoint.id;
	fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0 || !bpf_program__attach_perf_event(skeleton->progs.on_hit, fd))
		fail("attach");
	tracepoint__free(&tracepoint);
}

static void open_waits(struct waits *waits, struct grace_flips *skeleton, bool is_of_switches)
{
	struct cpus cpus = {0};
	struct error err;
	int code;

	if (is_of_switches)
		code = every_cpu__open(&waits->every_cpu, &err);
	else
		code = grace__open(&waits->grace, bpf_map__fd(skeleton->maps.passages),
				   (size_t)libbpf_num_possible_cpus(), &cpus, &err);
	if (code)
		fail("open");
	if (!is_of_switches)
		attach_to_hits(skeleton);
	else if (!bpf_program__attach(skeleton->progs.on_switch))
		fail("attach");
}

static int wait_for_all(const struct waits *waits, __u32 old)
{
	struct error err;

	return waits->every_cpu ? every_cpu__wait(waits->every_cpu, &err)
				: grace__wait(&waits->grace, old, &err);
}

static double flip(struct flips *flips, const struct waits *waits)
{
	const __u32 old = flips->generation & 1;
	const uint64_t start_ns = monotonic_ns();

	flips->is_closed[old ^ 1] = 0;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	__atomic_store_n(&flips->generation, old ^ 1, __ATOMIC_SEQ_CST);
	if (!flips->is_careless && wait_for_all(waits, old))
		fail("wait");
	__atomic_store_n(&flips->is_closed[old], 1, __ATOMIC_SEQ_CST);
	return (double)(monotonic_ns() - start_ns) / 1e3;
}

static void start_threads(bool is_of_switches)
{
	const long nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	const long nr_threads = is_of_switches ? 2 * nr_cpus : nr_cpus;
	pthread_t thread;

	for (long i = 0; i < nr_threads && i < MAX_THREADS; i++)
		if (pthread_create(&thread, NULL, is_of_switches ? switch_over : hit, NULL))
			fail("thread");
}

int main(int argc, char **argv)
{
	const bool is_of_switches = argc > 1 && !strcmp(argv[1], "switches");
	const long nr_flips = argc > 2 ? atol(argv[2]) : 3000;
	struct grace_flips *skeleton = grace_flips__open_and_load();
	struct waits waits = {.every_cpu = NULL};
	double longest_us = 0, us;
	long i;

	if (!skeleton)
		fail("load");
	skeleton->bss->flips.is_careless = argc > 3 && !strcmp(argv[3], "careless");
	open_waits(&waits, skeleton, is_of_switches);
	start_threads(is_of_switches);
	for (i = 0; i < nr_flips; i++) {
		us = flip(&skeleton->bss->flips, &waits);
		longest_us = us > longest_us ? us : longest_us;
		usleep(300);
	}
	is_over = true;
	printf("{\"flips\": %ld, \"runs\": %llu, \"late\": %llu, \"longest_us\": %.0f}\n", nr_flips,
	       skeleton->bss->flips.nr_runs, skeleton->bss->flips.nr_late, longest_us);
	fflush(stdout);
	_exit(0);
}
