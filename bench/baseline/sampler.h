/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This is the user space that all baselines share: options, perf events, the account. They are
 * small programs that end at the first error, so these functions print and exit rather than return
 * it.
 */
#ifndef BENCH_SAMPLER_H
#define BENCH_SAMPLER_H

#include <bpf/libbpf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define MAX_TARGETS 64

struct sampler_options {
	pid_t pids[MAX_TARGETS]; /* none: every process */
	size_t nr_pids;
	unsigned int rate_hz;
	double duration_s;
	unsigned int nr_buckets; /* stackmap */
	bool reuse;		 /* stackmap */
	unsigned int ring_bytes; /* streaming; a power of two */
};

/* The attached events of one run. */
struct perf_sampler {
	struct bpf_link **links;
	int nr_cpus;
};

/* Wrong usage ends the program with status 2. */
void sampler__parse(struct sampler_options *options, int argc, char **argv);

/* Call before the first sample: fills the map of wanted processes. */
void sampler__fill_pids(const struct sampler_options *options, const struct bpf_map *pids);

/* One event per online CPU, on which `program` then runs. */
void sampler__start(struct perf_sampler *sampler, const struct sampler_options *options,
		    const struct bpf_program *program);
void sampler__stop(struct perf_sampler *sampler);

/* Sum over the CPUs of one slot of the map `account`. */
uint64_t sampler__account(const struct bpf_map *account, uint32_t slot);

/*
 * Prints one JSON object on standard error: samples seen, samples lost, bytes moved to user space.
 */
void sampler__report(const struct bpf_map *account, uint64_t bytes_moved);

/* Seconds of the monotonic clock. */
double sampler__now(void);

/* Ends the program with status 1 and "what: cause" if `err` is negative. */
void sampler__check(int err, const char *what);

#endif
