// SPDX-License-Identifier: GPL-2.0-only
#include "capture/every_cpu.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/rights.h"
#include "capture/cpus.h"
#include "capture/features.h"

struct every_cpu {
	struct cpus cpus; /* all of them, whichever are sampled */
	int *descriptors; /* by CPU; -1: none */
};

/* Counts nothing, and is active: only then does reading it interrupt its CPU. */
static int open_counter(size_t cpu)
{
	const uint64_t before = rights__raise(RIGHTS_TO_OPEN_EVENTS);
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_DUMMY};
	const int fd =
		(int)syscall(SYS_perf_event_open, &attr, -1, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);

	rights__restore(before);
	return fd < 0 ? -errno : fd;
}

/* Those of CPUs that are gone are closed: they would be dead when the CPU comes back. 1: there are new ones. */
static int follow(struct every_cpu *every_cpu, struct error *err)
{
	int changed = 0;
	size_t cpu;

	for (cpu = 0; cpu < every_cpu->cpus.nr_possible; cpu++) {
		int *fd = &every_cpu->descriptors[cpu];

		if (!every_cpu->cpus.online[cpu] && *fd >= 0) {
			close(*fd);
			*fd = -1;
		}
		if (!every_cpu->cpus.online[cpu] || *fd >= 0)
			continue;
		*fd = open_counter(cpu);
		if (*fd < 0 && *fd != -ENODEV) /* it went offline just now */
			return features__explain(NULL, err, *fd, "open perf events");
		changed = 1;
	}
	return changed;
}

int every_cpu__open(struct every_cpu **out, struct error *err)
{
	struct every_cpu *every_cpu = calloc(1, sizeof(*every_cpu));
	size_t cpu;
	int code;

	if (!every_cpu)
		return error__no_memory(err);
	code = cpus__open(&every_cpu->cpus, NULL, 0, err);
	if (!code)
		every_cpu->descriptors =
			calloc(every_cpu->cpus.nr_possible, sizeof(*every_cpu->descriptors));
	if (!code && !every_cpu->descriptors)
		code = error__no_memory(err);
	for (cpu = 0; !code && cpu < every_cpu->cpus.nr_possible; cpu++)
		every_cpu->descriptors[cpu] = -1;
	if (!code)
		code = follow(every_cpu, err);
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
	for (cpu = 0; every_cpu->descriptors && cpu < every_cpu->cpus.nr_possible; cpu++)
		if (every_cpu->descriptors[cpu] >= 0)
			close(every_cpu->descriptors[cpu]);
	free(every_cpu->descriptors);
	cpus__close(&every_cpu->cpus);
	free(every_cpu);
}

int every_cpu__wait(struct every_cpu *every_cpu, struct error *err)
{
	uint64_t count;
	size_t cpu;
	int code;

	for (cpu = 0; cpu < every_cpu->cpus.nr_possible; cpu++)
		if (every_cpu->descriptors[cpu] >= 0 &&
		    read(every_cpu->descriptors[cpu], &count, sizeof(count)) < 0)
			return error__set(err, EXIT_INTERNAL, -errno,
					  "cannot read the perf event of CPU %zu", cpu);
	/* One that came back between two calls has a descriptor that is dead, which nobody can tell. */
	code = cpus__refresh(&every_cpu->cpus, err);
	if (code >= 0)
		code = follow(every_cpu, err);
	if (code > 0 && syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		return error__set(err, EXIT_INTERNAL, -errno, "cannot wait for the BPF programs");
	return code < 0 ? code : 0;
}
