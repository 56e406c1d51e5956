// SPDX-License-Identifier: GPL-2.0-only
/* Abilities that need bpf() are unknown, not missing, where bpf() itself is refused. */
#include "capture/host/feature_probes.h"

#include <linux/perf_event.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/system/rights.h"
#include "capture/host/features.h"

/*
 * Each CPU needs three descriptors: event, link and ring. All others, of maps, programs, iterators
 * and so on, were 47 in a run on Linux 6.18; while maps are replaced and files are read there are
 * more.
 */
enum { FILES_PER_CPU = 3, FILES_BESIDE = 96 };

static bool is_ok(const struct probe *probe, enum feature_id id)
{
	return features__answer(probe->features, id)->state == FEATURE_OK;
}

/*
 * Returns true inside a user namespace, where capabilities do not count for bpf() and perf.
 * Outside, or in a kernel without user namespaces, the map is "0 0 4294967295" or absent.
 */
static bool in_user_namespace(const struct features *features)
{
	unsigned long inside, outside, number;
	char text[256];

	if (features__read(features, "/proc/self/uid_map", text, sizeof(text)) ||
	    sscanf(text, "%lu %lu %lu", &inside, &outside, &number) != 3)
		return false;
	return inside != 0 || outside != 0 || number != 4294967295;
}

#define OUTSIDE "run as root outside of this container or user namespace"

/*
 * Returns the remedy for a system call that was refused; it needs a capability, and a kernel with
 * an option.
 */
static const char *find_remedy(const struct probe *probe, int code, enum feature_id capability,
			       const char *option)
{
	if (code == -ENOSYS)
		return option;
	if (code != -EPERM && code != -EACCES)
		return NULL;
	if (in_user_namespace(probe->features))
		return OUTSIDE;
	if (is_ok(probe, capability))
		return "see if a seccomp filter (of a container) or a security module forbids it";
	return probe->row->remedy;
}

/* Returns major * 1000 + minor, 6001 for "6.1.0-18-amd64"; 0: unknown. */
static unsigned int kernel_version(const struct probe *probe)
{
	unsigned int major, minor;
	char text[64];

	if (features__read(probe->features, "/proc/sys/kernel/osrelease", text, sizeof(text)) ||
	    sscanf(text, "%3u.%3u", &major, &minor) != 2)
		return 0;
	return major * 1000 + minor;
}

void probe__version(const struct probe *probe)
{
	char text[64] = "";

	features__read(probe->features, "/proc/sys/kernel/osrelease", text, sizeof(text));
	text[strcspn(text, "\n")] = '\0';
	ANSWER(probe, kernel_version(probe) >= 5010 ? FEATURE_OK : FEATURE_MISSING, "%s",
	       *text ? text : "of unknown version");
}

void probe__since(const struct probe *probe)
{
	const bool is_there = kernel_version(probe) >= probe->row->parameter;

	probe->answer->state = is_there ? FEATURE_OK : FEATURE_MISSING;
}

void probe__btf(const struct probe *probe)
{
	const char *path = "/sys/kernel/btf/vmlinux";
	char header[4] = "";
	int code = features__read(probe->features, path, header, sizeof(header));

	if (code == -ENOENT)
		ANSWER(probe, FEATURE_MISSING, "there is no %s", path);
	else if (code)
		ANSWER(probe, FEATURE_MISSING, "cannot read %s: %s", path, strerror(-code));
	else
		ANSWER(probe, FEATURE_OK, "%s", path);
}

/*
 * Returns true if the refusal is explained by the kernel's age: an old kernel does not know the
 * request, so it gives neither EPERM nor EACCES. row->since is like "Linux 5.17, commit
 * e6f2dd0f8067".
 */
static bool is_too_old(const struct probe *probe, int code)
{
	const char *since = probe->row->since;
	unsigned int major, minor;

	return code != -EPERM && code != -EACCES && code != -ENOMEM && since &&
	       sscanf(since, "Linux %3u.%3u", &major, &minor) == 2 &&
	       kernel_version(probe) < major * 1000 + minor;
}

void probe__answer_ability(const struct probe *probe, int code)
{
	const struct feature *row = probe->row;
	struct error err;

	if (code >= 0) {
		probe->answer->state = FEATURE_OK;
		return;
	}
	if (row != &features__rows[FEATURE_BPF] && row != &features__rows[FEATURE_CPU_CLOCK] &&
	    !is_ok(probe, FEATURE_BPF)) {
		ANSWER(probe, FEATURE_UNKNOWN, "cannot ask without perf_event programs");
		return;
	}
	if (is_too_old(probe, code)) {
		ANSWER(probe, FEATURE_MISSING, "only %.*s and later have %s",
		       (int)strcspn(row->since, ","), row->since, row->name);
		return;
	}
	probe->answer->code = code;
	error__set(&err, EXIT_SYSTEM, code, "the kernel refused %s", row->asked);
	ANSWER(probe, FEATURE_MISSING, "%.*s", (int)sizeof(probe->answer->detail) - 1, err.text);
	probe->answer->remedy = find_remedy(
		probe, code,
		row == &features__rows[FEATURE_CPU_CLOCK] ? FEATURE_CAP_PERFMON : FEATURE_CAP_BPF,
		row == &features__rows[FEATURE_CPU_CLOCK]
			? "boot a kernel that is built with CONFIG_PERF_EVENTS=y"
			: "boot a kernel that is built with CONFIG_BPF_SYSCALL=y");
}

/* Opens a disabled event. Returns a descriptor or negative errno. */
static int open_event(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	int fd;

	attr->size = sizeof(*attr);
	attr->disabled = 1;
	fd = (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int probe__open_cpu_clock(pid_t pid, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1000000000,
	};

	return open_event(&attr, pid, cpu);
}

/* Opens the event on the current CPU, which is surely online. */
void probe__cpu_clock(const struct probe *probe)
{
	const int cpu = sched_getcpu();
	const int fd = probe__open_cpu_clock(-1, cpu < 0 ? 0 : cpu);

	probe__answer_ability(probe, fd);
	if (fd >= 0)
		close(fd);
}

/*
 * Guesses lockdown when securityfs does not show it, from whether programs may read kernel memory.
 * Only the level "confidentiality" forbids that: there the verifier does not know the helper
 * (kernel/trace/bpf_trace.c), and says EINVAL.
 */
static void try_lockdown(const struct probe *probe)
{
	if (!features__read(probe->features, "/sys/kernel/security/lsm", (char[2]){0}, 2))
		ANSWER(probe, FEATURE_OK, "not in this kernel");
	else if (is_ok(probe, FEATURE_READ_KERNEL))
		ANSWER(probe, FEATURE_OK, "securityfs is not mounted; none or integrity");
	else if (features__answer(probe->features, FEATURE_READ_KERNEL)->code == -EINVAL)
		ANSWER(probe, FEATURE_MISSING, "securityfs is not mounted; confidentiality");
	else
		ANSWER(probe, FEATURE_UNKNOWN, "securityfs is not mounted");
}

/* Parses "none [integrity] confidentiality". */
void probe__lockdown(const struct probe *probe)
{
	char text[128];
	int code = features__read(probe->features, "/sys/kernel/security/lockdown", text,
				  sizeof(text));

	if (code == -ENOENT)
		try_lockdown(probe);
	else if (code)
		ANSWER(probe, FEATURE_UNKNOWN, "not readable: %s", strerror(-code));
	else if (strstr(text, "[confidentiality]"))
		ANSWER(probe, FEATURE_MISSING, "confidentiality");
	else
		ANSWER(probe, FEATURE_OK, "%s", strstr(text, "[integrity]") ? "integrity" : "none");
}

/*
 * Opens an event of this process in user mode, which needs the weakest permission. If even that is
 * forbidden, the feature stays unknown.
 */
static void answer_own_event(const struct probe *probe, struct perf_event_attr *attr)
{
	int fd;

	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
	fd = open_event(attr, 0, -1);
	if (fd == -EPERM || fd == -EACCES)
		ANSWER(probe, FEATURE_UNKNOWN, "perf_event_open(): %s", strerror(-fd));
	else
		probe->answer->state = fd < 0 ? FEATURE_MISSING : FEATURE_OK;
	if (fd >= 0)
		close(fd);
}

void probe__format_lost(const struct probe *probe)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.read_format = 1U << 4, /* PERF_FORMAT_LOST, which headers before 6.0 lack */
	};

	answer_own_event(probe, &attr);
}

void probe__pmu(const struct probe *probe)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
	};

	answer_own_event(probe, &attr);
}

void probe__capability(const struct probe *probe)
{
	char text[4096];
	const char *line;

	if (features__read(probe->features, "/proc/self/status", text, sizeof(text)) ||
	    !(line = strstr(text, "\nCapPrm:"))) {
		ANSWER(probe, FEATURE_UNKNOWN, "/proc/self/status does not tell");
		return;
	}
	if (!(strtoull(line + strlen("\nCapPrm:"), NULL, 16) & probe->row->parameter)) {
		probe->answer->state = FEATURE_MISSING;
	} else if (in_user_namespace(probe->features)) {
		ANSWER(probe, FEATURE_MISSING, "held in this user namespace only");
		probe->answer->remedy = OUTSIDE;
	} else {
		probe->answer->state = FEATURE_OK;
	}
}

void probe__rights(const struct probe *probe)
{
	const uint64_t permitted = rights__permitted(), kept = rights__kept(permitted);
	uint64_t shown = rights__at_rest(permitted);

	if (probe->row->parameter == FEATURE_RIGHTS_BY_NEED)
		shown = kept & ~shown;
	else if (probe->row->parameter == FEATURE_RIGHTS_GIVEN_UP)
		shown = permitted & ~kept;
	rights__describe(shown, probe->answer->detail, sizeof(probe->answer->detail));
	probe->answer->state = FEATURE_OK;
}

/* Reads a number of /proc/sys/kernel; the row's name begins with "kernel.". */
void probe__sysctl(const struct probe *probe)
{
	const struct feature *row = probe->row;
	char path[128], text[64];
	bool suffices;
	long value;
	int code;

	snprintf(path, sizeof(path), "/proc/sys/kernel/%s", strchr(row->name, '.') + 1);
	code = features__read(probe->features, path, text, sizeof(text));
	if (code == -ENOENT) {
		ANSWER(probe, FEATURE_UNKNOWN, "not in this kernel");
		return;
	}
	if (code) {
		ANSWER(probe, FEATURE_UNKNOWN, "not readable: %s", strerror(-code));
		return;
	}
	value = strtol(text, NULL, 10);
	suffices = row->parameter ? is_ok(probe, (enum feature_id)row->parameter)
				  : value >= row->least && (!row->most || value <= row->most);
	ANSWER(probe, suffices ? FEATURE_OK : FEATURE_LIMITED, "%ld%s", value,
	       row->unit ? row->unit : "");
}

unsigned long features__files_needed(void)
{
	long nr_cpus = sysconf(_SC_NPROCESSORS_CONF);

	return (unsigned long)(nr_cpus > 0 ? nr_cpus : 1) * FILES_PER_CPU + FILES_BESIDE;
}

void probe__open_files(const struct probe *probe)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		ANSWER(probe, FEATURE_UNKNOWN, "%s", strerror(errno));
	else
		ANSWER(probe,
		       limit.rlim_max >= features__files_needed() ? FEATURE_OK : FEATURE_MISSING,
		       "%llu, of which %lu are needed", (unsigned long long)limit.rlim_max,
		       features__files_needed());
}

/* Since 5.11 maps count as memory of the cgroup, and the limit does not matter. */
void probe__locked_memory(const struct probe *probe)
{
	struct rlimit limit;

	if (kernel_version(probe) >= 5011)
		probe->answer->state = FEATURE_OK;
	else if (getrlimit(RLIMIT_MEMLOCK, &limit))
		ANSWER(probe, FEATURE_UNKNOWN, "%s", strerror(errno));
	else if (limit.rlim_max == RLIM_INFINITY)
		ANSWER(probe, FEATURE_OK, "unlimited");
	else
		ANSWER(probe, FEATURE_LIMITED, "%llu kB",
		       (unsigned long long)limit.rlim_max / 1024);
}
