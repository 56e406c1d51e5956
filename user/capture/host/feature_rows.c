// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of features, in the words that `topstacks doctor` and errors use. A new feature needs
 * an id in features.h, a row here and, if no existing probe fits, a probe in feature_probes.c.
 */
#include "capture/host/features.h"

#include <linux/bpf.h>

#include "base/system/rights.h"
#include "capture/host/feature_probes.h"

/* features__answer appends the program's path. */
const char features__setcap[] = "run as root, or: sudo setcap cap_bpf,cap_perfmon,cap_syslog,"
				"cap_sys_ptrace,cap_dac_read_search,cap_checkpoint_restore+ep";

/* docs/nmi.md explains how hardware counters interrupt. */
#if defined(__x86_64__)
#define COUNTERS                                                                                 \
	"-e cycles sees code with interrupts off, which cpu does not; topstacks was tried with " \
	"emulated NMIs alone"
#define NO_COUNTERS                                                                              \
	"-e cycles would see code with interrupts off, which cpu does not; topstacks was tried " \
	"with emulated NMIs alone"
#else
#define COUNTERS                                                                                 \
	"-e cycles; it waits until interrupts are on again, as cpu does, unless the kernel has " \
	"pseudo-NMIs"
#define NO_COUNTERS "no -e cycles, cache-misses and their like"
#endif

#define WITHOUT_WAITS "threads that wait are not sampled: no -e off-cpu, wall, lock"

/* Each row has sentences, which clang-format would spread over three times as many lines. */
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
	[FEATURE_LOCKDOWN] = {
		"lockdown", GROUP_KERNEL, NEED_USEFUL, probe__lockdown, 0,
		.words = "BPF may read kernel memory",
		.without = "BPF may not read kernel memory, and tracepoints are not found by name",
		.remedy = "boot without lockdown=confidentiality",
		.since = "Linux 5.4, commit 9d1f8be5cf42",
	},
	[FEATURE_JIT] = {
		"JIT compiler of BPF", GROUP_KERNEL, NEED_USEFUL, probe__jit, 0,
		.asked = "a perf_event program",
		.words = "BPF programs are run as machine code",
		.without = "BPF programs are interpreted: samples cost more, and unwind tables are not used",
		.remedy = JIT_ON,
	},
	[FEATURE_FORMAT_LOST] = {
		"PERF_FORMAT_LOST", GROUP_KERNEL, NEED_USEFUL, probe__format_lost, 0,
		.words = "process records that were lost are counted",
		.without = "a full buffer of process records counts as lossy",
		.since = "Linux 6.0, commit 119a784c8127",
	},
	[FEATURE_MISSED_HITS] = {
		"missed hits of tracepoints", GROUP_KERNEL, NEED_NONE, probe__since, 6007,
		.words = "hits that another BPF program kept out are in the ledger",
		.without = "hits that another BPF program kept out are in no ledger",
		.since = "Linux 6.7, commit dd8657894c11",
	},
	[FEATURE_PMU] = {
		"hardware counters", GROUP_KERNEL, NEED_NONE, probe__pmu, 0,
		.words = COUNTERS,
		.without = NO_COUNTERS,
	},
	[FEATURE_BPF] = {
		"perf_event programs", GROUP_ABILITIES, NEED_REQUIRED, probe__program, TRIED_PERF_EVENT,
		.asked = "a perf_event program",
		.words = "samples are counted in the kernel",
		.without = "nothing can be sampled",
		.remedy = features__setcap,
		.since = "Linux 4.9, commit 0515e5999a46",
	},
	[FEATURE_GET_STACK] = {
		"bpf_get_stack()", GROUP_ABILITIES, NEED_REQUIRED, probe__program, TRIED_GET_STACK,
		.asked = "a program with bpf_get_stack()",
		.words = "the kernel's stacks are walked, and those of users along frame pointers",
		.without = "nothing can be sampled",
		.remedy = features__setcap,
	},
	[FEATURE_HASH_MAPS] = {
		"hash maps", GROUP_ABILITIES, NEED_REQUIRED, probe__hash_map, 0,
		.asked = "a hash map of 1 MB",
		.words = "samples are kept in the kernel",
		.without = "nothing can be sampled",
		.remedy = features__setcap,
	},
	[FEATURE_MAPPED_ARRAYS] = {
		"arrays that can be mapped", GROUP_ABILITIES, NEED_REQUIRED, probe__mapped_array, 0,
		.asked = "an array with BPF_F_MMAPABLE and BPF_F_INNER_MAP",
		.words = "what is counted lies where it can be read",
		.without = "nothing can be sampled",
		.remedy = features__setcap,
		.since = "Linux 5.5, commit fc9702273e2e",
	},
	[FEATURE_STACK_MAPS] = {
		"stack trace maps", GROUP_ABILITIES, NEED_REQUIRED, probe__map, BPF_MAP_TYPE_STACK_TRACE,
		.asked = "a stack trace map",
		.words = "stacks of the kernel are kept once",
		.without = "nothing can be sampled",
		.remedy = features__setcap,
	},
	[FEATURE_CPU_ARRAYS] = {
		"arrays of each CPU", GROUP_ABILITIES, NEED_REQUIRED, probe__map, BPF_MAP_TYPE_PERCPU_ARRAY,
		.asked = "an array of each CPU",
		.words = "programs have memory to walk in",
		.without = "nothing can be sampled",
		.remedy = features__setcap,
	},
	[FEATURE_MAPS_OF_MAPS] = {
		"arrays of maps", GROUP_ABILITIES, NEED_REQUIRED, probe__map, BPF_MAP_TYPE_ARRAY_OF_MAPS,
		.asked = "an array of maps",
		.words = "maps are read while others are filled",
		.without = "nothing can be sampled",
		.remedy = features__setcap,
	},
	[FEATURE_CPU_CLOCK] = {
		"cpu-clock events", GROUP_ABILITIES, NEED_REQUIRED, probe__cpu_clock, 0,
		.asked = "an event of the CPU clock",
		.words = "a timer interrupts each CPU",
		.without = "nothing can be sampled",
		.remedy = features__setcap,
	},
	[FEATURE_BPF_LOOP] = {
		"bpf_loop()", GROUP_ABILITIES, NEED_USEFUL, probe__program, TRIED_LOOP,
		.asked = "a program with bpf_loop()", .ability = "unwind tables", .instead = "frame pointers",
		.words = "user stacks are walked with unwind tables",
		.without = "user stacks are walked along frame pointers, which most programs lack, "
			    "and without the functions of Python and PHP; no -e off-cpu, wall, lock",
		.since = "Linux 5.17, commit e6f2dd0f8067",
	},
	[FEATURE_TAIL_CALL] = {
		"tail calls beside functions", GROUP_ABILITIES, NEED_NONE, probe__program, TRIED_TAIL_CALL,
		.asked = "a program with a tail call and a function", .ability = "starts without interpreters",
		.instead = "starts with them",
		.words = "the program that follows Python and PHP is loaded when one of them is met",
		.without = "the program that follows Python and PHP is loaded at each start, which takes longer",
		.since = "Linux 5.10, commit ebf7d1f508a7; on aarch64 Linux 6.0, commit d4609a5d8c70",
	},
	[FEATURE_READ_KERNEL] = {
		"bpf_probe_read_kernel()", GROUP_ABILITIES, NEED_USEFUL, probe__program, TRIED_READ_KERNEL,
		.asked = "a program with bpf_probe_read_kernel()", .ability = "mappings in the kernel",
		.instead = "lists of mappings",
		.words = "libraries are known as soon as they are mapped, and files that are waited for",
		.without = "libraries are known some milliseconds after they are mapped, waits for files, pipes "
			   "and sockets are told as other ones, and fields of tracepoints cannot be asked for",
		.remedy = "boot without lockdown=confidentiality",
		.since = "Linux 5.5, commit 6ae08ae3dea2",
	},
	[FEATURE_TP_BTF] = {
		"tp_btf programs", GROUP_ABILITIES, NEED_USEFUL, probe__program, TRIED_TP_BTF,
		.asked = "a program at sched_process_free", .ability = "targets", .instead = "-a",
		.words = "targets are followed from their births to their ends, and threads as they leave their CPUs",
		.without = "no target can be named, neither by -p nor as a command, and no waits; -a samples all",
		.since = "Linux 5.5, commit 9e15db66136a",
	},
	[FEATURE_TASK_ITER] = {
		"iter/task programs", GROUP_ABILITIES, NEED_REQUIRED, probe__program, TRIED_TASK_ITER,
		.asked = "an iterator over tasks",
		.words = "processes are listed, and their CPU time is held against the scheduler's",
		.without = "nothing can be sampled",
		.remedy = features__setcap,
		.since = "Linux 5.8, commit eaaacd23910f",
	},
	[FEATURE_PERF_LINK] = {
		"BPF perf links", GROUP_ABILITIES, NEED_NONE, probe__program, TRIED_PERF_LINK,
		.asked = "a link from an event to a program", .ability = "several events", .instead = "one event",
		.words = "several events are sampled at a time",
		.without = "one event is sampled at a time: no probes, no allocations",
		.since = "Linux 5.15, commit b89fbfbb854c",
	},
	[FEATURE_TRACEPOINTS] = {
		"tracepoint programs", GROUP_ABILITIES, NEED_NONE, probe__program, TRIED_TRACEPOINT,
		.asked = "a program at a tracepoint", .ability = "tracepoints",
		.words = "hits of tracepoints are sampled: -e GROUP:NAME",
		.without = "no tracepoint can be sampled",
	},
	[FEATURE_UPROBES] = {
		"uprobe programs", GROUP_ABILITIES, NEED_NONE, probe__program, TRIED_UPROBE,
		.asked = "a program at a function of our own", .ability = "probes",
		.words = "programs can be put on functions, for -e uprobe:FILE:FUNCTION, alloc",
		.without = "no program can be put on a function: no -e uprobe:FILE:FUNCTION, alloc",
	},
	[FEATURE_WAITS] = {
		"tracepoints of locks", GROUP_ABILITIES, NEED_NONE, probe__program, TRIED_CONTENTION,
		.asked = "a program at contention_begin", .ability = "waits",
		.words = "the kernel tells who waits for its locks, for -e off-cpu, wall, lock",
		.without = WITHOUT_WAITS,
		.since = "Linux 5.19, commit 16edd9b511a1",
	},
	[FEATURE_TASK_STORAGE] = {
		"storage of tasks", GROUP_ABILITIES, NEED_NONE, probe__task_storage, 0,
		.asked = "a map of the type task_storage", .ability = "waits",
		.words = "each thread has its account of time, for -e off-cpu, wall, lock",
		.without = WITHOUT_WAITS,
		.since = "Linux 5.11, commit 4cf1bc1f1045",
	},
	[FEATURE_SLEEPABLE_ITER] = {
		"iter.s/task programs", GROUP_ABILITIES, NEED_NONE, probe__program, TRIED_SLEEPABLE_ITER,
		.asked = "an iterator over tasks that may sleep", .ability = "waits",
		.words = "stacks of threads that sleep can be read, for -e off-cpu, wall, lock",
		.without = WITHOUT_WAITS,
		.since = "Linux 5.18, commit b77fb25dcb34",
	},
	[FEATURE_KERNEL_NAMES] = {
		"syscall programs", GROUP_ABILITIES, NEED_NONE, probe__kernel_names, 0,
		.asked = "a program that names addresses", .ability = "names of kernel functions by address",
		.instead = "/proc/kallsyms",
		.words = "kernel functions have names where /proc/kallsyms hides their addresses",
		.without = "kernel functions have names only where /proc/kallsyms shows their addresses",
		.since = "Linux 5.14, commit 79a7f8bdb159",
	},
	[FEATURE_KALLSYMS] = {
		"/proc/kallsyms", GROUP_ABILITIES, NEED_NONE, probe__kallsyms, 0,
		.ability = "names of kernel functions by table", .instead = "names of kernel functions by address",
		.words = "kernel functions have names",
		.without = "kernel functions have names only where a program can ask for them",
	},
	[FEATURE_STATISTICS] = {
		"BPF statistics", GROUP_ABILITIES, NEED_NONE, probe__statistics, 0,
		.asked = "statistics of BPF programs", .ability = "statistics of BPF programs",
		.words = "the time that BPF programs take is measured: --stats, --max-overhead",
		.without = "no --stats and --max-overhead, which take CAP_SYS_ADMIN",
		.since = "Linux 5.8, commit d46edd671a14",
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
		/*
		 * Only hardware counters obey it, but it lowers the limit for all events. 0 and 100
		 * switch it off.
		 */
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
		/*
		 * 0: processes that may profile the kernel, and CAP_SYSLOG; 1: CAP_SYSLOG; 2: no
		 * process (kallsyms_show_value)
		 */
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
