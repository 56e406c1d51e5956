// SPDX-License-Identifier: GPL-2.0-only
#include "run/limits.h"

#include <sys/resource.h>
#include <unistd.h>

#include "base/files.h"
#include "capture/host/features.h"

#define MAX_SAMPLE_RATE "kernel.perf_event_max_sample_rate"

/* Size of the answer that a reader of most files needs at most. */
#define NEEDED_FILE_BYTES (32ULL << 20)

int limits__check(struct error *err)
{
	/*
	 * Sampling all processes on two CPUs needed 48 KiB of stack, 49 MiB of addresses and 39 MiB
	 * of data. As many addresses again are for samples, and for writing them.
	 */
	static const struct {
		int resource;
		unsigned long long needed;
		const char *what, *option;
	} least[] = {
		{RLIMIT_STACK, 64ULL << 10, "stack", "-s"},
		{RLIMIT_AS, 96ULL << 20, "address space", "-v"},
		{RLIMIT_DATA, 64ULL << 20, "data", "-d"},
	};
	const unsigned long nr_needed = features__files_needed();
	struct rlimit limit;

	for (size_t i = 0; i < sizeof(least) / sizeof(least[0]); i++)
		if (!getrlimit(least[i].resource, &limit) && limit.rlim_cur < least[i].needed)
			return error__say(err, EXIT_SYSTEM, -ENOMEM,
					  "cannot sample with %llu KiB of %s, as %llu are needed; "
					  "raise the limit (ulimit %s)",
					  (unsigned long long)limit.rlim_cur >> 10, least[i].what,
					  least[i].needed >> 10, least[i].option);
	if (getrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	if (limit.rlim_max < nr_needed)
		return error__say(err, EXIT_SYSTEM, -EMFILE,
				  "cannot sample with %llu open files, as %lu are needed; "
				  "raise the hard limit (ulimit -Hn) as root",
				  (unsigned long long)limit.rlim_max, nr_needed);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	return 0;
}

int limits__check_file_size(struct error *err)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_max >= NEEDED_FILE_BYTES)
		return 0;
	return error__say(err, EXIT_SYSTEM, -EFBIG,
			  "cannot read files of programs if no file may have more than %llu KiB, "
			  "as %llu are needed; raise the hard limit (ulimit -Hf) as root",
			  (unsigned long long)limit.rlim_max >> 10, NEEDED_FILE_BYTES >> 10);
}

/* The setting's value; 0: it cannot be read. */
static unsigned long read_sysctl(const char *path)
{
	unsigned long value = 0;
	char *text;

	if (!files__read(path, 64, &text, NULL)) {
		value = strtoul(text, NULL, 10);
		free(text);
	}
	return value;
}

/* Beyond the limit the kernel throttles, and samples are lost. */
int limits__check_rate(const char *event, double rate_hz, struct error *err)
{
	unsigned long limit_hz = read_sysctl("/proc/sys/kernel/perf_event_max_sample_rate");
	double needed_hz = capture__needed_limit_hz(event, rate_hz);

	if (!limit_hz || needed_hz <= (double)limit_hz)
		return 0;
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "at -F %g the kernel would throttle, as " MAX_SAMPLE_RATE " is %lu; "
			  "lower it, or: sudo sysctl " MAX_SAMPLE_RATE "=%.0f",
			  rate_hz, limit_hz, needed_hz);
}

unsigned long limits__max_stack(void)
{
	return read_sysctl("/proc/sys/kernel/perf_event_max_stack");
}
