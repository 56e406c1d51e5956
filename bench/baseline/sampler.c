// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options, perf events and accounts of the baselines. Events are opened in frequency mode, one per
 * CPU and for whatever runs there, as the tools that these programs stand for do.
 */
#include "sampler.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "records.h"

static void usage(const char *name)
{
	fprintf(stderr,
		"usage: %s [-a | -p PID[,PID...]] [-F HZ] [-d SECONDS] [-b BUCKETS] [-R] [-r "
		"KIB]\n",
		name);
	exit(2);
}

void sampler__check(int err, const char *what)
{
	if (err >= 0)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(-err));
	exit(1);
}

static bool parse_pids(struct sampler_options *options, char *text)
{
	for (char *pid = strtok(text, ","); pid; pid = strtok(NULL, ",")) {
		if (options->nr_pids == MAX_TARGETS || atoi(pid) <= 0)
			return false;
		options->pids[options->nr_pids++] = atoi(pid);
	}
	return options->nr_pids > 0;
}

void sampler__parse(struct sampler_options *options, int argc, char **argv)
{
	int option;

	*options = (struct sampler_options){
		.rate_hz = 99, .duration_s = 5, .nr_buckets = 1024, .ring_bytes = 8 << 20};
	while ((option = getopt(argc, argv, "ap:F:d:b:Rr:")) != -1) {
		if (option == 'a')
			options->nr_pids = 0;
		else if (option == 'p' && parse_pids(options, optarg))
			continue;
		else if (option == 'F')
			options->rate_hz = strtoul(optarg, NULL, 10);
		else if (option == 'd')
			options->duration_s = strtod(optarg, NULL);
		else if (option == 'b')
			options->nr_buckets = strtoul(optarg, NULL, 10);
		else if (option == 'R')
			options->reuse = true;
		else if (option == 'r')
			options->ring_bytes = strtoul(optarg, NULL, 10) << 10;
		else
			usage(argv[0]);
	}
	if (optind != argc || !options->rate_hz || options->duration_s <= 0)
		usage(argv[0]);
}

void sampler__fill_pids(const struct sampler_options *options, const struct bpf_map *pids)
{
	uint8_t wanted = 1;

	for (size_t i = 0; i < options->nr_pids; i++) {
		uint32_t pid = options->pids[i];

		sampler__check(bpf_map__update_elem(pids, &pid, sizeof(pid), &wanted,
						    sizeof(wanted), BPF_ANY),
			       "cannot set the filter");
	}
}

static int open_event(int cpu, unsigned int rate_hz)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.freq = 1,
		.sample_freq = rate_hz,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

void sampler__start(struct perf_sampler *sampler, const struct sampler_options *options,
		    const struct bpf_program *program)
{
	sampler->nr_cpus = libbpf_num_possible_cpus();
	sampler__check(sampler->nr_cpus, "cannot count CPUs");
	sampler->links = calloc(sampler->nr_cpus, sizeof(*sampler->links));
	sampler__check(sampler->links ? 0 : -ENOMEM, "links");
	for (int cpu = 0; cpu < sampler->nr_cpus; cpu++) {
		int fd = open_event(cpu, options->rate_hz);

		if (fd == -ENODEV) /* offline */
			continue;
		sampler__check(fd, "cannot open a perf event");
		sampler->links[cpu] = bpf_program__attach_perf_event(program, fd);
		sampler__check(sampler->links[cpu] ? 0 : -errno, "cannot attach");
	}
}

void sampler__stop(struct perf_sampler *sampler)
{
	for (int cpu = 0; cpu < sampler->nr_cpus; cpu++)
		bpf_link__destroy(sampler->links[cpu]);
	free(sampler->links);
}

uint64_t sampler__account(const struct bpf_map *account, uint32_t slot)
{
	int nr_cpus = libbpf_num_possible_cpus();
	uint64_t *values = calloc(nr_cpus, sizeof(*values)), sum = 0;

	sampler__check(values ? 0 : -ENOMEM, "cannot read the account");
	sampler__check(bpf_map__lookup_elem(account, &slot, sizeof(slot), values,
					    nr_cpus * sizeof(*values), 0),
		       "cannot read the account");
	for (int cpu = 0; cpu < nr_cpus; cpu++)
		sum += values[cpu];
	free(values);
	return sum;
}

void sampler__report(const struct bpf_map *account, uint64_t bytes_moved)
{
	fprintf(stderr, "{\"samples\":%llu,\"lost\":%llu,\"bytes_moved\":%llu}\n",
		(unsigned long long)sampler__account(account, ACCOUNT_SAMPLES),
		(unsigned long long)sampler__account(account, ACCOUNT_LOST),
		(unsigned long long)bytes_moved);
}

double sampler__now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}
