// SPDX-License-Identifier: GPL-2.0-only
/*
 * grace_flips NUMBER [careless]: changes generations so often under a program that every getppid() on the
 * machine runs, with a thread for each CPU that does nothing else. Each time it waits as topstacks does
 * (capture/grace.c), and closes the generation that was left. Prints
 *
 *   {"flips": N, "runs": N, "late": N, "longest_us": N}
 *
 * careless: without the wait, which shows that the test would see somebody who is late.
 */
#include <pthread.h>
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
#include "capture/cpus.h"
#include "capture/grace.h"
#include "capture/tracefs.h"
#include "capture/tracepoint.h"
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

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void attach(struct grace_flips *skeleton)
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

static double flip(struct flips *flips, const struct grace *grace, bool is_careless)
{
	const __u32 old = flips->generation & 1;
	const uint64_t start_ns = monotonic_ns();
	struct error err;

	flips->is_closed[old ^ 1] = 0;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	__atomic_store_n(&flips->generation, old ^ 1, __ATOMIC_SEQ_CST);
	if (!is_careless && grace__wait(grace, old, &err))
		fail("wait");
	__atomic_store_n(&flips->is_closed[old], 1, __ATOMIC_SEQ_CST);
	return (double)(monotonic_ns() - start_ns) / 1e3;
}

int main(int argc, char **argv)
{
	const long nr_flips = argc > 1 ? atol(argv[1]) : 3000;
	const bool is_careless = argc > 2 && !strcmp(argv[2], "careless");
	const long nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct grace_flips *skeleton = grace_flips__open_and_load();
	struct cpus cpus = {0};
	struct grace grace;
	double longest_us = 0, us;
	struct error err;
	pthread_t thread;
	long i;

	if (!skeleton || grace__open(&grace, bpf_map__fd(skeleton->maps.passages),
				     (size_t)libbpf_num_possible_cpus(), &cpus, &err))
		fail("load");
	skeleton->bss->flips.is_careless = is_careless;
	attach(skeleton);
	for (i = 0; i < nr_cpus && i < MAX_THREADS; i++)
		if (pthread_create(&thread, NULL, hit, NULL))
			fail("thread");
	for (i = 0; i < nr_flips; i++) {
		us = flip(&skeleton->bss->flips, &grace, is_careless);
		longest_us = us > longest_us ? us : longest_us;
		usleep(300);
	}
	is_over = true;
	printf("{\"flips\": %ld, \"runs\": %llu, \"late\": %llu, \"longest_us\": %.0f}\n", nr_flips,
	       skeleton->bss->flips.nr_runs, skeleton->bss->flips.nr_late, longest_us);
	fflush(stdout);
	_exit(0);
}
