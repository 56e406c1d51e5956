// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of features, in the words that `topstacks doctor` and errors use. A new row is an id in
 * features.h, a row here and, if no other row's fits, a probe in feature_probes.c.
 */
#include "capture/features.h"

#include <linux/bpf.h>

#include "base/rights.h"
#include "capture/feature_probes.h"

/* Answers have it with the program's path behind it. */
const char features__setcap[] = "run as root, or: sudo setcap cap_bpf,cap_perfmon,cap_syslog,"
				"cap_sys_ptrace,cap_dac_read_search,cap_checkpoint_restore+ep";

/* How they interrupt: docs/nmi.md. */
#if defined(__x86_64__)
#define COUNTERS                                                                                  \
	"-e cycles sees code with interrupts off, which cpu does not; topstacks was never tried " \
	"with a real NMI"
#define NO_COUNTERS                                                                              \
	"-e cycles would see code with interrupts off, which cpu does not; topstacks was never " \
	"tried with a real NMI"
#else
#define COUNTERS                                                                                 \
	"-e cycles; it waits until interrupts are on again, as cpu does, unless the kernel has " \
	"pseudo-NMIs"
#define NO_COUNTERS "no -e cycles, cache-misses and their like"
#endif

/* A table of sentences, which clang-format would spread over three times as many lines. */
/* clang-format off */
const struct feature features__rows[FEATURES] = {
	[FEATURE_VERSION] = {
		"Linux 5.10 or later", GROUP_KERNEL, NEED_REQUIRED, probe__version, 0,
		.without = "the BPF programs do not load",
		.remedy = "boot a kernel of 5.10 or later",
	},
	[FEATURE_BTF] = {
		"kernel BTF", GROUP_KERNEL, NEED_REQUIRED, probe__btf, 0,
		.without = "the BPF programs do not load",
		.remedy = "boot a kernel that is built with CONFIG_DEBUG_INFO_BTF=y",
		.since = "Linux 5.4, commit 341dfcf8d78e",
	},
	[FEATURE_BPF] = {
		"BPF programs", GROUP_KERNEL, NEED_REQUIRED, probe__bpf, 0,
		.words = "samples are counted in the kernel",
		.without = "nothing can be sampled",
		.remedy = features__setcap,
		.since = "Linux 4.9, commit 0515e5999a46",
	},
	[FEATURE_CPU_CLOCK] = {
		"cpu-clock events", GROUP_KERNEL, NEED_REQUIRED, probe__cpu_clock, 0,
		.words = "a timer interrupts each CPU",
		.without = "nothing can be sampled",
		.remedy = features__setcap,
	},
	[FEATURE_LOCKDOWN] = {
		"lockdown", GROUP_KERNEL, NEED_REQUIRED, probe__lockdown, 0,
		.words = "BPF may read kernel memory",
		.without = "BPF may not read kernel memory",
		.remedy = "boot without lockdown=confidentiality",
		.since = "Linux 5.4, commit 9d1f8be5cf42",
	},
	[FEATURE_FORMAT_LOST] = {
		"PERF_FORMAT_LOST", GROUP_KERNEL, NEED_USEFUL, probe__format_lost, 0,
		.words = "process records that were lost are counted",
		.without = "a full buffer of process records counts as lossy",
		.since = "Linux 6.0, commit 119a784c8127",
	},
	[FEATURE_PERF_LINK] = {
		"BPF perf links", GROUP_KERNEL, NEED_NONE, probe__perf_link, 0,
		.words = "several events are sampled at a time",
		.without = "one event is sampled at a time",
		.since = "Linux 5.15, commit b89fbfbb854c",
	},
	[FEATURE_BPF_LOOP] = {
		"bpf_loop()", GROUP_KERNEL, NEED_USEFUL, probe__bpf_helper, BPF_FUNC_loop,
		.words = "user stacks are walked with unwind tables",
		.without = "user stacks are walked along frame pointers, which most programs lack, "
			    "and without the functions of Python and PHP",
		.since = "Linux 5.17, commit e6f2dd0f8067",
	},
	[FEATURE_MISSED_HITS] = {
		"missed hits of tracepoints", GROUP_KERNEL, NEED_NONE, probe__since, 6007,
		.words = "hits that another BPF program kept out are in the ledger",
		.without = "hits that another BPF program kept out are in no ledger",
		.since = "Linux 6.7, commit dd8657894c11",
	},
	[FEATURE_WAITS] = {
		"waits", GROUP_KERNEL, NEED_NONE, probe__since, 5019,
		.words = "threads that wait are sampled: -e off-cpu, wall, lock",
		.without = "threads that wait are not sampled: no -e off-cpu, wall, lock",
		.since = "Linux 5.19, commit 16edd9b511a1",
	},
	[FEATURE_PMU] = {
		"hardware counters", GROUP_KERNEL, NEED_NONE, probe__pmu, 0,
		.words = COUNTERS,
		.without = NO_COUNTERS,
	},
	[FEATURE_CAP_BPF] = {
		"CAP_BPF", GROUP_CAPABILITIES, NEED_REQUIRED, probe__capability, RIGHT_BPF | RIGHT_SYS_ADMIN,
		.words = "BPF programs may be loaded",
		.without = "no BPF program may be loaded",
		.remedy = features__setcap,
		.since = "Linux 5.8, commit a17b53c4a4b5",
	},
	[FEATURE_CAP_PERFMON] = {
		"CAP_PERFMON", GROUP_CAPABILITIES, NEED_REQUIRED,
		probe__capability, RIGHT_PERFMON | RIGHT_SYS_ADMIN,
		.words = "all processes and the kernel may be sampled",
		.without = "neither CPUs nor the kernel may be sampled",
		.remedy = features__setcap,
		.since = "Linux 5.8, commit 980737282232",
	},
	[FEATURE_CAP_SYSLOG] = {
		"CAP_SYSLOG", GROUP_CAPABILITIES, NEED_USEFUL, probe__capability, RIGHT_SYSLOG,
		.words = "/proc/kallsyms tells: kernel functions have names",
		.without = "kernel functions may have no names",
		.remedy = features__setcap,
	},
	[FEATURE_CAP_SYS_PTRACE] = {
		"CAP_SYS_PTRACE", GROUP_CAPABILITIES, NEED_USEFUL, probe__capability, RIGHT_SYS_PTRACE,
		.words = "other users' processes may be looked at",
		.without = "functions of other users' processes may have no names",
		.remedy = features__setcap,
	},
	[FEATURE_CAP_DAC_READ_SEARCH] = {
		"CAP_DAC_READ_SEARCH", GROUP_CAPABILITIES, NEED_USEFUL,
		probe__capability, RIGHT_DAC_READ_SEARCH,
		.words = "every program and library may be read",
		.without = "functions of unreadable files have no names",
		.remedy = features__setcap,
	},
	[FEATURE_CAP_CHECKPOINT_RESTORE] = {
		"CAP_CHECKPOINT_RESTORE", GROUP_CAPABILITIES, NEED_USEFUL,
		probe__capability, RIGHT_CHECKPOINT_RESTORE | RIGHT_SYS_ADMIN,
		.words = "map_files may be read: deleted files have names",
		.without = "functions of replaced or deleted files have no names",
		.remedy = features__setcap,
		.since = "Linux 5.9, commit 12886f8ab10c",
	},
	[FEATURE_RIGHTS_AT_REST] = {
		"in effect at rest", GROUP_CAPABILITIES, NEED_NONE, probe__rights, FEATURE_RIGHTS_AT_REST,
		.words = "what you name is opened with no others",
	},
	[FEATURE_RIGHTS_BY_NEED] = {
		"raised for single calls", GROUP_CAPABILITIES, NEED_NONE, probe__rights, FEATURE_RIGHTS_BY_NEED,
		.words = "while it samples",
	},
	[FEATURE_RIGHTS_GIVEN_UP] = {
		"given up at the start", GROUP_CAPABILITIES, NEED_NONE, probe__rights, FEATURE_RIGHTS_GIVEN_UP,
		.words = "nothing needs them once sampling has begun",
	},
	[FEATURE_PARANOID] = {
		"kernel.perf_event_paranoid", GROUP_SETTINGS, NEED_NONE, probe__sysctl, FEATURE_CAP_PERFMON,
		.words = "does not restrict who has CAP_PERFMON",
		.without = "no value of it replaces CAP_PERFMON and CAP_BPF",
	},
	[FEATURE_MAX_SAMPLE_RATE] = {
		"kernel.perf_event_max_sample_rate", GROUP_SETTINGS, NEED_USEFUL, probe__sysctl, .least = 1000,
		.words = "samples per second and CPU at most",
		.without = "samples per second and CPU, the rest is throttled",
		.remedy = "sudo sysctl kernel.perf_event_max_sample_rate=100000",
	},
	[FEATURE_CPU_TIME_PERCENT] = {
		"kernel.perf_cpu_time_max_percent", GROUP_SETTINGS, NEED_NONE, probe__sysctl, .unit = " %",
		/* Hardware counters alone obey it, but it lowers the one limit of all. 0 and 100 switch it off. */
		.words = "CPU time, above which the kernel lowers the rate",
	},
	[FEATURE_MAX_STACK] = {
		"kernel.perf_event_max_stack", GROUP_SETTINGS, NEED_USEFUL, probe__sysctl, .least = 127,
		.words = "frames at most",
		.without = "frames at most: deeper stacks are truncated",
		.remedy = "sudo sysctl kernel.perf_event_max_stack=127",
	},
	[FEATURE_KPTR_RESTRICT] = {
		"kernel.kptr_restrict", GROUP_SETTINGS, NEED_USEFUL, probe__sysctl, .most = 1,
		/* 0: who may profile the kernel, and CAP_SYSLOG; 1: CAP_SYSLOG; 2: nobody (kallsyms_show_value) */
		.words = "kernel functions have names for who has CAP_SYSLOG",
		.without = "kernel functions have no names, not even for root",
		.remedy = "sudo sysctl kernel.kptr_restrict=1",
	},
	[FEATURE_UNPRIVILEGED_BPF] = {
		"kernel.unprivileged_bpf_disabled", GROUP_SETTINGS, NEED_NONE, probe__sysctl, FEATURE_CAP_BPF,
		.words = "does not restrict who has CAP_BPF",
		.without = "no value of it replaces CAP_BPF and CAP_PERFMON",
	},
	[FEATURE_OPEN_FILES] = {
		"open files (ulimit -Hn)", GROUP_SETTINGS, NEED_REQUIRED, probe__open_files, 0,
		.words = "enough for all CPUs",
		.without = "too few for all CPUs",
		.remedy = "ulimit -Hn 65536 as root, or LimitNOFILE=65536 in a systemd unit",
	},
	[FEATURE_LOCKED_MEMORY] = {
		"locked memory (ulimit -Hl)", GROUP_SETTINGS, NEED_USEFUL, probe__locked_memory, 0,
		.words = "does not limit BPF maps",
		.without = "limits BPF maps",
		.remedy = "ulimit -l unlimited as root, or LimitMEMLOCK=infinity in a systemd unit",
		.since = "until Linux 5.11, commit 97306be45fbe",
	},
};
/* clang-format on */
