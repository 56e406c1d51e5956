// SPDX-License-Identifier: GPL-2.0-only
#include "run/usage.h"

#include <sys/resource.h>

#include "base/files.h"
#include "base/system/spawner.h"
#include "lines/lines.h"
#include "readers/readers.h"
#include "symbols/symbols.h"

static uint64_t timeval_ns(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_usec * 1000;
}

/*
 * The profiled command is reaped after its run is over, so its CPU time is not in RUSAGE_CHILDREN
 * here.
 */
void usage__read(struct usage *usage, const struct usage_sources *sources)
{
	struct rusage self, children;

	usage->now_ns = monotonic_ns();
	getrusage(RUSAGE_SELF, &self);
	usage->user_ns = timeval_ns(self.ru_utime);
	usage->system_ns = timeval_ns(self.ru_stime);
	getrusage(RUSAGE_CHILDREN, &children);
	usage->children_ns = timeval_ns(children.ru_utime) + timeval_ns(children.ru_stime);
	if (sources->readers)
		usage->children_ns += readers__cpu_ns(sources->readers);
	if (sources->openers)
		usage->children_ns += spawner__cpu_ns(sources->openers);
	if (sources->attachers)
		usage->children_ns += spawner__cpu_ns(sources->attachers);
	if (sources->symbols)
		usage->children_ns += symbols__reading_ns(sources->symbols);
	if (sources->lines)
		usage->children_ns += lines__reading_ns(sources->lines);
}

uint64_t usage__cpu_ns(const struct usage *usage)
{
	return usage->user_ns + usage->system_ns + usage->children_ns + usage->program_ns;
}

/* The value of a line such as "VmHWM:\t 5264 kB", in bytes. */
static uint64_t field_bytes(const char *status, const char *name)
{
	const char *line = strstr(status, name);

	return line ? strtoull(line + strlen(name), NULL, 10) * 1024 : 0;
}

void usage__cost(const struct usage *start, const struct usage_sources *sources, struct cost *cost)
{
	struct usage now;
	char *status;

	usage__read(&now, sources);
	cost->user_ns = now.user_ns - start->user_ns;
	/* The kernel counts an ended helper by the microsecond, so its time may get smaller. */
	if (now.children_ns > start->children_ns)
		cost->user_ns += now.children_ns - start->children_ns;
	cost->system_ns = now.system_ns - start->system_ns;
	cost->elapsed_ns = now.now_ns - start->now_ns;
	if (files__read("/proc/self/status", 65536, &status, NULL))
		return;
	cost->resident_bytes = field_bytes(status, "\nVmRSS:");
	cost->peak_bytes = field_bytes(status, "\nVmHWM:");
	free(status);
}
