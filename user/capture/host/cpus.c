// SPDX-License-Identifier: GPL-2.0-only
#include "capture/host/cpus.h"

#include <bpf/libbpf.h>

#include "base/files.h"

#define ONLINE_CPUS "/sys/devices/system/cpu/online"

/* Returns 1 if other CPUs are online than before. */
static int read_online(struct cpus *cpus, struct error *err)
{
	bool *now, changed;
	char *text;
	const int code = files__read(ONLINE_CPUS, 65536, &text, NULL);

	if (code)
		return error__set(err, EXIT_SYSTEM, code, "cannot read %s", ONLINE_CPUS);
	now = xcalloc(cpus->nr_possible, sizeof(*now));
	cpu_list__parse(text, now, cpus->nr_possible);
	free(text);
	changed = memcmp(now, cpus->online, cpus->nr_possible * sizeof(*now)) != 0;
	memcpy(cpus->online, now, cpus->nr_possible * sizeof(*now));
	free(now);
	return changed;
}

int cpus__open(struct cpus *cpus, const bool *wanted, size_t nr_wanted, struct error *err)
{
	int nr_possible, code;
	char *online;

	libbpf_set_print(NULL); /* errors are our own sentences, not libbpf's lines */
	nr_possible = libbpf_num_possible_cpus();
	*cpus = (struct cpus){.wanted = wanted, .nr_wanted = nr_wanted};
	if (nr_possible <= 0)
		return error__set(err, EXIT_SYSTEM, nr_possible, "cannot count the CPUs");
	cpus->nr_possible = (size_t)nr_possible;
	cpus->online = xcalloc(cpus->nr_possible, sizeof(*cpus->online));
	cpus->returned = xcalloc(cpus->nr_possible, sizeof(*cpus->returned));
	code = read_online(cpus, err);
	if (code >= 0 && !cpus__count(cpus)) {
		if (files__read(ONLINE_CPUS, 65536, &online, NULL))
			online = NULL;
		code = error__say(err, EXIT_USAGE, -ENODEV,
				  "none of the CPUs asked for is online (online: %.*s)",
				  online ? (int)strcspn(online, "\n") : 1, online ? online : "?");
		free(online);
	}
	if (code >= 0)
		return 0;
	cpus__close(cpus);
	return code;
}

void cpus__close(struct cpus *cpus)
{
	free(cpus->online);
	free(cpus->returned);
	*cpus = (struct cpus){0};
}

int cpus__refresh(struct cpus *cpus, struct error *err)
{
	memset(cpus->returned, 0, cpus->nr_possible * sizeof(*cpus->returned));
	return read_online(cpus, err);
}

bool cpus__is_wanted(const struct cpus *cpus, size_t cpu)
{
	return !cpus->wanted || (cpu < cpus->nr_wanted && cpus->wanted[cpu]);
}

size_t cpus__next(const struct cpus *cpus, size_t cpu)
{
	while (cpu < cpus->nr_possible && !(cpus->online[cpu] && cpus__is_wanted(cpus, cpu)))
		cpu++;
	return cpu;
}

unsigned int cpus__count(const struct cpus *cpus)
{
	unsigned int nr = 0;
	size_t cpu;

	for (cpu = cpus__next(cpus, 0); cpu < cpus->nr_possible; cpu = cpus__next(cpus, cpu + 1))
		nr++;
	return nr;
}

int cpus__first(const struct cpus *cpus)
{
	unsigned int cpu;

	for (cpu = 0; cpu < cpus->nr_possible; cpu++)
		if (cpus->online[cpu])
			return (int)cpu;
	return 0;
}
