// SPDX-License-Identifier: GPL-2.0-only
#include "run/usage.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/files.h"

static uint64_t timeval_ns(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_usec * 1000;
}

void usage__read(struct usage *usage)
{
	struct rusage self;

	getrusage(RUSAGE_SELF, &self);
	usage->user_ns = timeval_ns(self.ru_utime);
	usage->system_ns = timeval_ns(self.ru_stime);
}

/* "VmHWM:\t    5264 kB" */
static uint64_t field_bytes(const char *status, const char *name)
{
	const char *line = strstr(status, name);

	return line ? strtoull(line + strlen(name), NULL, 10) * 1024 : 0;
}

void usage__cost(const struct usage *start, struct cost *cost)
{
	struct usage now;
	char *status;

	usage__read(&now);
	cost->user_ns = now.user_ns - start->user_ns;
	cost->system_ns = now.system_ns - start->system_ns;
	if (files__read("/proc/self/status", 65536, &status, NULL))
		return;
	cost->resident_bytes = field_bytes(status, "\nVmRSS:");
	cost->peak_bytes = field_bytes(status, "\nVmHWM:");
	free(status);
}
