// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of features: data only, in the words that `topstacks doctor` and errors use. A new row
 * is an id in features.h, a row here and, if no other row's fits, a probe in probes.c.
 *
 * Invariant: answers[i] is that of rows[i], and is valid once asked[i] is set.
 */
#include "capture/features.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/probes.h"

#define SETCAP                                                                        \
	"run as root, or: sudo setcap cap_bpf,cap_perfmon,cap_syslog,cap_sys_ptrace," \
	"cap_dac_read_search,cap_checkpoint_restore+ep ./topstacks"

/* include/uapi/linux/capability.h; older headers lack the last ones */
#define CAPABILITY(number)     (UINT64_C(1) << (number))
#define CAP_DAC_READ_SEARCH    CAPABILITY(2)
#define CAP_SYS_PTRACE	       CAPABILITY(19)
#define CAP_SYS_ADMIN	       CAPABILITY(21)
#define CAP_SYSLOG	       CAPABILITY(34)
#define CAP_PERFMON	       CAPABILITY(38)
#define CAP_BPF		       CAPABILITY(39)
#define CAP_CHECKPOINT_RESTORE CAPABILITY(40)

static const struct feature rows[FEATURES] = {
	[FEATURE_VERSION] =
		{
			.name = "Linux 5.10 or later",
			.group = GROUP_KERNEL,
			.need = NEED_REQUIRED,
			.words = "the BPF programs are written for it",
			.without = "the BPF programs do not load",
			.remedy = "boot a kernel of 5.10 or later",
			.since = "Linux 5.10",
			.probe = probe__version,
		},
	[FEATURE_BTF] =
		{
			.name = "kernel BTF",
			.group = GROUP_KERNEL,
			.need = NEED_REQUIRED,
			.words = "tells the BPF programs how the kernel's structures are laid out",
			.without = "the BPF programs do not load",
			.remedy = "boot a kernel that is built with CONFIG_DEBUG_INFO_BTF=y",
			.since = "Linux 5.4, commit 341dfcf8d78e",
			.probe = probe__btf,
		},
	[FEATURE_BPF] =
		{
			.name = "BPF programs",
			.group = GROUP_KERNEL,
			.need = NEED_REQUIRED,
			.words = "samples are counted in the kernel",
			.without = "nothing can be sampled",
			.remedy = SETCAP,
			.since = "Linux 4.9, commit 0515e5999a46",
			.probe = probe__bpf,
		},
	[FEATURE_CPU_CLOCK] =
		{
			.name = "cpu-clock events",
			.group = GROUP_KERNEL,
			.need = NEED_REQUIRED,
			.words = "each CPU is interrupted by a timer",
			.without = "nothing can be sampled",
			.remedy = SETCAP,
			.since = "",
			.probe = probe__cpu_clock,
		},
	[FEATURE_LOCKDOWN] =
		{
			.name = "lockdown",
			.group = GROUP_KERNEL,
			.need = NEED_REQUIRED,
			.words = "lets BPF programs read kernel memory",
			.without = "BPF programs may not read kernel memory",
			.remedy = "boot without lockdown=confidentiality",
			.since = "Linux 5.4, commit 9d1f8be5cf42",
			.probe = probe__lockdown,
		},
	[FEATURE_FORMAT_LOST] =
		{
			.name = "PERF_FORMAT_LOST",
			.group = GROUP_KERNEL,
			.need = NEED_USEFUL,
			.words = "counts process records that were lost",
			.without = "a full buffer of process records counts as lost, even if "
				   "nothing was",
			.remedy = "",
			.since = "Linux 6.0, commit 119a784c8127",
			.probe = probe__format_lost,
		},
	[FEATURE_PERF_LINK] =
		{
			.name = "BPF perf links",
			.group = GROUP_KERNEL,
			.need = NEED_NONE,
			.words = "attach programs to events",
			.without = "programs are attached by ioctl instead",
			.remedy = "",
			.since = "Linux 5.15, commit b89fbfbb854c",
			.probe = probe__perf_link,
		},
	[FEATURE_BPF_LOOP] =
		{
			.name = "bpf_loop()",
			.group = GROUP_KERNEL,
			.need = NEED_NONE,
			.words = "long loops in BPF programs",
			.without = "nothing depends on it so far",
			.remedy = "",
			.since = "Linux 5.17, commit e6f2dd0f8067",
			.probe = probe__bpf_helper,
			.parameter = BPF_FUNC_loop,
		},
	[FEATURE_PMU] =
		{
			.name = "hardware counters",
			.group = GROUP_KERNEL,
			.need = NEED_NONE,
			.words = "cpu-clock is used all the same",
			.without = "cpu-clock is used in any case",
			.remedy = "",
			.since = "",
			.probe = probe__pmu,
		},
	[FEATURE_CAP_BPF] =
		{
			.name = "CAP_BPF",
			.group = GROUP_CAPABILITIES,
			.need = NEED_REQUIRED,
			.words = "load BPF programs",
			.without = "no BPF program may be loaded",
			.remedy = SETCAP,
			.since = "Linux 5.8, commit a17b53c4a4b5",
			.probe = probe__capability,
			.parameter = CAP_BPF | CAP_SYS_ADMIN,
		},
	[FEATURE_CAP_PERFMON] =
		{
			.name = "CAP_PERFMON",
			.group = GROUP_CAPABILITIES,
			.need = NEED_REQUIRED,
			.words = "sample every process and the kernel",
			.without = "no CPU may be sampled",
			.remedy = SETCAP,
			.since = "Linux 5.8, commit 980737282232",
			.probe = probe__capability,
			.parameter = CAP_PERFMON | CAP_SYS_ADMIN,
		},
	[FEATURE_CAP_SYSLOG] =
		{
			.name = "CAP_SYSLOG",
			.group = GROUP_CAPABILITIES,
			.need = NEED_USEFUL,
			.words = "read /proc/kallsyms",
			.without = "kernel functions may have no names",
			.remedy = SETCAP,
			.since = "",
			.probe = probe__capability,
			.parameter = CAP_SYSLOG,
		},
	[FEATURE_CAP_SYS_PTRACE] =
		{
			.name = "CAP_SYS_PTRACE",
			.group = GROUP_CAPABILITIES,
			.need = NEED_USEFUL,
			.words = "read the mappings of other users' processes",
			.without = "functions of other users' processes may have no names",
			.remedy = SETCAP,
			.since = "",
			.probe = probe__capability,
			.parameter = CAP_SYS_PTRACE,
		},
	[FEATURE_CAP_DAC_READ_SEARCH] =
		{
			.name = "CAP_DAC_READ_SEARCH",
			.group = GROUP_CAPABILITIES,
			.need = NEED_USEFUL,
			.words = "read programs and libraries that others may not",
			.without = "functions of files that you may not read have no names",
			.remedy = SETCAP,
			.since = "",
			.probe = probe__capability,
			.parameter = CAP_DAC_READ_SEARCH,
		},
	[FEATURE_CAP_CHECKPOINT_RESTORE] =
		{
			.name = "CAP_CHECKPOINT_RESTORE",
			.group = GROUP_CAPABILITIES,
			.need = NEED_USEFUL,
			.words = "read mapped files by /proc/PID/map_files, deleted ones too",
			.without = "functions of files that were replaced or deleted have no names",
			.remedy = SETCAP,
			.since = "Linux 5.9, commit 12886f8ab10c",
			.probe = probe__capability,
			.parameter = CAP_CHECKPOINT_RESTORE | CAP_SYS_ADMIN,
		},
	[FEATURE_PARANOID] =
		{
			.name = "kernel.perf_event_paranoid",
			.group = GROUP_SETTINGS,
			.need = NEED_NONE,
			.words = "does not restrict those with CAP_PERFMON",
			.without = "sampling all CPUs takes CAP_PERFMON",
			.remedy = SETCAP,
			.since = "",
			.probe = probe__paranoid,
		},
	[FEATURE_MAX_SAMPLE_RATE] =
		{
			.name = "kernel.perf_event_max_sample_rate",
			.group = GROUP_SETTINGS,
			.need = NEED_USEFUL,
			.words = "samples a second and CPU, above which samples are throttled",
			.without = "samples a second and CPU, above which samples are throttled",
			.remedy = "sudo sysctl kernel.perf_event_max_sample_rate=100000",
			.since = "",
			.probe = probe__max_sample_rate,
		},
	[FEATURE_CPU_TIME_PERCENT] =
		{
			.name = "kernel.perf_cpu_time_max_percent",
			.group = GROUP_SETTINGS,
			.need = NEED_NONE,
			.words = "of CPU time in samples, above which the kernel lowers "
				 "max_sample_rate",
			.without = "",
			.remedy = "",
			.since = "",
			.probe = probe__cpu_time_percent,
		},
	[FEATURE_MAX_STACK] =
		{
			.name = "kernel.perf_event_max_stack",
			.group = GROUP_SETTINGS,
			.need = NEED_USEFUL,
			.words = "frames at most",
			.without = "frames at most: deeper stacks lose their root side",
			.remedy = "sudo sysctl kernel.perf_event_max_stack=127",
			.since = "",
			.probe = probe__max_stack,
		},
	[FEATURE_KPTR_RESTRICT] =
		{
			.name = "kernel.kptr_restrict",
			.group = GROUP_SETTINGS,
			.need = NEED_USEFUL,
			.words = "kernel functions have names for those with CAP_SYSLOG",
			.without = "kernel functions have no names, not even for root",
			.remedy = "sudo sysctl kernel.kptr_restrict=1",
			.since = "",
			.probe = probe__kptr_restrict,
		},
	[FEATURE_UNPRIVILEGED_BPF] =
		{
			.name = "kernel.unprivileged_bpf_disabled",
			.group = GROUP_SETTINGS,
			.need = NEED_NONE,
			.words = "does not restrict those with CAP_BPF",
			.without = "no value of it replaces CAP_BPF and CAP_PERFMON",
			.remedy = SETCAP,
			.since = "",
			.probe = probe__unprivileged_bpf,
		},
	[FEATURE_OPEN_FILES] =
		{
			.name = "open files (ulimit -Hn)",
			.group = GROUP_SETTINGS,
			.need = NEED_REQUIRED,
			.words = "two descriptors a CPU fit in",
			.without = "two descriptors a CPU do not fit in",
			.remedy =
				"raise the hard limit of open files: ulimit -Hn 65536 as root, or "
				"LimitNOFILE=65536 in a systemd unit",
			.since = "",
			.probe = probe__open_files,
		},
	[FEATURE_LOCKED_MEMORY] =
		{
			.name = "locked memory (ulimit -Hl)",
			.group = GROUP_SETTINGS,
			.need = NEED_USEFUL,
			.words = "does not limit BPF maps",
			.without = "BPF maps count as locked memory and may not fit in",
			.remedy = "ulimit -l unlimited as root, or LimitMEMLOCK=infinity in a "
				  "systemd unit",
			.since = "until Linux 5.11, commit 97306be45fbe",
			.probe = probe__locked_memory,
		},
};

struct features {
	const char *root;
	bool asked[FEATURES];
	struct feature_answer answers[FEATURES];
};

const struct feature *features__all(size_t *nr_features)
{
	*nr_features = FEATURES;
	return rows;
}

const char *feature_state__name(enum feature_state state)
{
	static const char *const names[] = {
		[FEATURE_OK] = "ok",
		[FEATURE_LIMITED] = "limited",
		[FEATURE_MISSING] = "missing",
		[FEATURE_UNKNOWN] = "unknown",
	};

	return names[state];
}

struct features *features__new(const char *root)
{
	struct features *features = calloc(1, sizeof(*features));

	if (features)
		features->root = root;
	return features;
}

void features__free(struct features *features)
{
	free(features);
}

const struct feature_answer *features__answer(struct features *features, enum feature_id id)
{
	if (!features->asked[id]) {
		features->asked[id] = true;
		rows[id].probe(features, &rows[id], &features->answers[id]);
	}
	return &features->answers[id];
}

int features__read(const struct features *features, const char *path, char *text, size_t size)
{
	char full[512];
	ssize_t length;
	int fd, code;

	if (snprintf(full, sizeof(full), "%s%s", features->root, path) >= (int)sizeof(full))
		return -ENAMETOOLONG;
	fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	length = read(fd, text, size - 1);
	code = length < 0 ? -errno : 0;
	text[length < 0 ? 0 : length] = '\0';
	close(fd);
	return code;
}
