// SPDX-License-Identifier: GPL-2.0-only
#include "capture/sources/every_cpu.h"

#include <linux/membarrier.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/system/rights.h"
#include "capture/host/cpus.h"
#include "capture/host/features.h"

struct cpu_counter {
	int fd;		     /* -1: none */
	uint64_t running_ns; /* as of the last read */
	bool is_dead;	     /* its CPU went offline, and may be back */
};

struct every_cpu {
	struct cpus cpus;	      /* all CPUs, whether sampled or not */
	struct cpu_counter *counters; /* by CPU */
};

/* Opens an event that counts nothing, but is active: only then does a read interrupt its CPU. */
static int open_counter(size_t cpu)
{
	const uint64_t before = rights__raise(RIGHTS_TO_OPEN_EVENTS);
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.read_format = PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	const int fd =
		(int)syscall(SYS_perf_event_open, &attr, -1, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);

	rights__restore(before);
	return fd < 0 ? -errno : fd;
}

static void close_counter(struct cpu_counter *counter)
{
	if (counter->fd >= 0)
		close(counter->fd);
	*counter = (struct cpu_counter){.fd = -1};
}

/*
 * Opens counters of new CPUs, and closes those of CPUs that went offline, which stay dead when the
 * CPU comes back. Returns 1 if there are new ones.
 */
static int follow(struct every_cpu *every_cpu, struct error *err)
{
	int changed = 0;
	size_t cpu;

	for (cpu = 0; cpu < every_cpu->cpus.nr_possible; cpu++) {
		struct cpu_counter *counter = &every_cpu->counters[cpu];

		if (!every_cpu->cpus.online[cpu] || counter->is_dead)
			close_counter(counter);
		if (!every_cpu->cpus.online[cpu] || counter->fd >= 0)
			continue;
		counter->fd = open_counter(cpu);
		if (counter->fd < 0 && counter->fd != -ENODEV) /* the CPU went offline just now */
			return features__explain(NULL, err, counter->fd, "open perf events");
		changed = 1;
	}
	return changed;
}

int every_cpu__open(struct every_cpu **out, struct error *err)
{
	struct every_cpu *every_cpu = xcalloc(1, sizeof(*every_cpu));
	size_t cpu;
	int code = cpus__open(&every_cpu->cpus, NULL, 0, err);

	if (!code) {
		every_cpu->counters =
			xcalloc(every_cpu->cpus.nr_possible, sizeof(*every_cpu->counters));
		for (cpu = 0; cpu < every_cpu->cpus.nr_possible; cpu++)
			every_cpu->counters[cpu].fd = -1;
		code = follow(every_cpu, err);
	}
	if (code < 0) {
		every_cpu__close(every_cpu);
		return code;
	}
	*out = every_cpu;
	return 0;
}

void every_cpu__close(struct every_cpu *every_cpu)
{
	size_t cpu;

	if (!every_cpu)
		return;
	for (cpu = 0; every_cpu->counters && cpu < every_cpu->cpus.nr_possible; cpu++)
		close_counter(&every_cpu->counters[cpu]);
	free(every_cpu->counters);
	cpus__close(&every_cpu->cpus);
	free(every_cpu);
}

int every_cpu__wait(struct every_cpu *every_cpu, struct error *err)
{
	size_t cpu;
	int code;

	for (cpu = 0; cpu < every_cpu->cpus.nr_possible; cpu++) {
		struct cpu_counter *counter = &every_cpu->counters[cpu];
		struct {
			uint64_t count, running_ns;
		} now = {0};
		ssize_t got;

		if (counter->fd < 0)
			continue;
		got = read(counter->fd, &now, sizeof(now));
		if (got < 0)
			return error__set(err, EXIT_INTERNAL, -errno,
					  "cannot read the perf event of CPU %zu", cpu);
		counter->is_dead = got != sizeof(now) || now.running_ns == counter->running_ns;
		counter->running_ns = now.running_ns;
	}
	code = cpus__refresh(&every_cpu->cpus, err);
	if (code >= 0)
		code = follow(every_cpu, err);
	if (code > 0 && syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		return error__set(err, EXIT_INTERNAL, -errno, "cannot wait for the BPF programs");
	return code < 0 ? code : 0;
}
