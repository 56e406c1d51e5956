// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of features, in the words that `topstacks doctor` and errors use, and before it the
 * probes: each finds out one thing, and changes nothing. A new row is an id in features.h, a row
 * here and, if no other row's fits, a probe.
 *
 * What needs bpf() is unknown, not missing, where bpf() itself is refused: libbpf's own probes do
 * not tell the two apart (1.1 takes EPERM for "no such program type" and for "helper exists").
 */
#include "capture/features.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/rights.h"

/*
 * A CPU has its event, its link and its ring. Maps, programs, iterators and all else were 47 in a
 * run on Linux 6.18; while maps are replaced, and files read, there are more.
 */
enum { FILES_PER_CPU = 3, FILES_BESIDE = 96 };

/* State and detail; the format is snprintf's. */
#define ANSWER(probe, found, ...)          \
	((probe)->answer->state = (found), \
	 snprintf((probe)->answer->detail, sizeof((probe)->answer->detail), __VA_ARGS__))

static bool is_ok(const struct probe *probe, enum feature_id id)
{
	return features__answer(probe->features, id)->state == FEATURE_OK;
}

/*
 * Capabilities count for bpf() and perf only outside of user namespaces: "         0          0
 * 4294967295" there, or where there are none.
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

/* For a system call that needs a capability, and a kernel that is built with an option. */
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

/* A number of /proc/sys/kernel; "kernel." of the row's name is the directory. */
static int read_sysctl(const struct probe *probe, long *value)
{
	char path[128], text[64];
	int code;

	snprintf(path, sizeof(path), "/proc/sys/kernel/%s", strchr(probe->row->name, '.') + 1);
	code = features__read(probe->features, path, text, sizeof(text));
	if (code == -ENOENT)
		ANSWER(probe, FEATURE_UNKNOWN, "not in this kernel");
	else if (code)
		ANSWER(probe, FEATURE_UNKNOWN, "not readable: %s", strerror(-code));
	else
		*value = strtol(text, NULL, 10);
	return code;
}

/* "6.1.0-18-amd64": major * 1000 + minor, 6001; 0 if unknown. */
static unsigned int kernel_version(const struct features *features)
{
	unsigned int major, minor;
	char text[64];

	if (features__read(features, "/proc/sys/kernel/osrelease", text, sizeof(text)) ||
	    sscanf(text, "%3u.%3u", &major, &minor) != 2)
		return 0;
	return major * 1000 + minor;
}

static void probe_version(const struct probe *probe)
{
	char text[64] = "";

	features__read(probe->features, "/proc/sys/kernel/osrelease", text, sizeof(text));
	text[strcspn(text, "\n")] = '\0';
	ANSWER(probe, kernel_version(probe->features) >= 5010 ? FEATURE_OK : FEATURE_MISSING, "%s",
	       *text ? text : "of unknown version");
}

static void probe_btf(const struct probe *probe)
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

/* "r0 = 0; exit": what a perf_event program does at least. Returns a descriptor or -errno. */
static int load_program(void)
{
	static const struct bpf_insn instructions[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	int fd = bpf_prog_load(BPF_PROG_TYPE_PERF_EVENT, "probe", "GPL", instructions,
			       sizeof(instructions) / sizeof(*instructions), NULL);

	return fd < 0 ? -errno : fd;
}

/* fd: of what a system call has made, or negative errno. */
static void answer_call(const struct probe *probe, int fd, const char *call,
			enum feature_id capability, const char *option)
{
	if (fd >= 0) {
		probe->answer->state = FEATURE_OK;
		close(fd);
		return;
	}
	ANSWER(probe, FEATURE_MISSING, "%s: %s", call, strerror(-fd));
	probe->answer->remedy = find_remedy(probe, fd, capability, option);
}

static void probe_bpf(const struct probe *probe)
{
	answer_call(probe, load_program(), "bpf()", FEATURE_CAP_BPF,
		    "boot a kernel that is built with CONFIG_BPF_SYSCALL=y");
}

/* Returns a descriptor or -errno. */
static int open_event(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	int fd;

	attr->size = sizeof(*attr);
	attr->disabled = 1;
	fd = (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* On our own CPU, which is online. */
static void probe_cpu_clock(const struct probe *probe)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1000000000,
	};
	int cpu = sched_getcpu();

	answer_call(probe, open_event(&attr, -1, cpu < 0 ? 0 : cpu), "perf_event_open()",
		    FEATURE_CAP_PERFMON, "boot a kernel that is built with CONFIG_PERF_EVENTS=y");
}

/* "none [integrity] confidentiality" */
static void probe_lockdown(const struct probe *probe)
{
	char text[128];
	int code = features__read(probe->features, "/sys/kernel/security/lockdown", text,
				  sizeof(text));

	if (code == -ENOENT)
		ANSWER(probe, FEATURE_OK, "not in this kernel");
	else if (code)
		ANSWER(probe, FEATURE_UNKNOWN, "not readable: %s", strerror(-code));
	else if (strstr(text, "[confidentiality]"))
		ANSWER(probe, FEATURE_MISSING, "confidentiality");
	else
		ANSWER(probe, FEATURE_OK, "%s", strstr(text, "[integrity]") ? "integrity" : "none");
}

/*
 * The kernel takes the attach type BPF_PERF_EVENT and then finds no descriptor -1 (EBADF), or does
 * not know the type (EINVAL).
 */
static void probe_perf_link(const struct probe *probe)
{
	int program = load_program(), link, code;

	if (program < 0) {
		ANSWER(probe, FEATURE_UNKNOWN, "cannot ask without BPF programs");
		return;
	}
	link = bpf_link_create(program, -1, BPF_PERF_EVENT, NULL);
	code = link < 0 ? -errno : 0;
	if (link >= 0)
		close(link);
	close(program);
	probe->answer->state = code == -EBADF ? FEATURE_OK : FEATURE_MISSING;
}

/* parameter: enum bpf_func_id */
static void probe_bpf_helper(const struct probe *probe)
{
	enum bpf_func_id helper = (enum bpf_func_id)probe->row->parameter;
	int found;

	if (!is_ok(probe, FEATURE_BPF)) {
		ANSWER(probe, FEATURE_UNKNOWN, "cannot ask without BPF programs");
		return;
	}
	found = libbpf_probe_bpf_helper(BPF_PROG_TYPE_PERF_EVENT, helper, NULL);
	if (found < 0)
		ANSWER(probe, FEATURE_UNKNOWN, "libbpf cannot tell");
	else
		probe->answer->state = found ? FEATURE_OK : FEATURE_MISSING;
}

/* Of ourselves, in user mode: the weakest permission suffices. What forbids to ask tells nothing. */
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

static void probe_format_lost(const struct probe *probe)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.read_format = 1U << 4, /* PERF_FORMAT_LOST, which headers before 6.0 lack */
	};

	answer_own_event(probe, &attr);
}

static void probe_pmu(const struct probe *probe)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
	};

	answer_own_event(probe, &attr);
}

/* parameter: bits of which one suffices */
static void probe_capability(const struct probe *probe)
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

/* parameter: the id of the row that asks */
static void probe_rights(const struct probe *probe)
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

/* parameter: the capability's enum feature_id that counts whatever the value is; 0: the value counts */
static void probe_sysctl(const struct probe *probe)
{
	const struct feature *row = probe->row;
	bool suffices;
	long value;

	if (read_sysctl(probe, &value))
		return;
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

static void probe_open_files(const struct probe *probe)
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

/* 5.11 counts maps as the cgroup's memory instead. */
static void probe_locked_memory(const struct probe *probe)
{
	struct rlimit limit;

	if (kernel_version(probe->features) >= 5011)
		probe->answer->state = FEATURE_OK;
	else if (getrlimit(RLIMIT_MEMLOCK, &limit))
		ANSWER(probe, FEATURE_UNKNOWN, "%s", strerror(errno));
	else if (limit.rlim_max == RLIM_INFINITY)
		ANSWER(probe, FEATURE_OK, "unlimited");
	else
		ANSWER(probe, FEATURE_LIMITED, "%llu kB",
		       (unsigned long long)limit.rlim_max / 1024);
}

/* ---- the table ---- */

/* Answers have it with the program's path behind it. */
const char features__setcap[] = "run as root, or: sudo setcap cap_bpf,cap_perfmon,cap_syslog,"
				"cap_sys_ptrace,cap_dac_read_search,cap_checkpoint_restore+ep";

#if defined(__x86_64__)
#define UNTESTED
#else
#define UNTESTED ", which is tested on x86-64 only"
#endif

/* A table of sentences, which clang-format would spread over three times as many lines. */
/* clang-format off */
const struct feature features__rows[FEATURES] = {
	[FEATURE_VERSION] = {
		"Linux 5.10 or later", GROUP_KERNEL, NEED_REQUIRED, probe_version, 0,
		.without = "the BPF programs do not load",
		.remedy = "boot a kernel of 5.10 or later",
	},
	[FEATURE_BTF] = {
		"kernel BTF", GROUP_KERNEL, NEED_REQUIRED, probe_btf, 0,
		.without = "the BPF programs do not load",
		.remedy = "boot a kernel that is built with CONFIG_DEBUG_INFO_BTF=y",
		.since = "Linux 5.4, commit 341dfcf8d78e",
	},
	[FEATURE_BPF] = {
		"BPF programs", GROUP_KERNEL, NEED_REQUIRED, probe_bpf, 0,
		.words = "samples are counted in the kernel",
		.without = "nothing can be sampled",
		.remedy = features__setcap,
		.since = "Linux 4.9, commit 0515e5999a46",
	},
	[FEATURE_CPU_CLOCK] = {
		"cpu-clock events", GROUP_KERNEL, NEED_REQUIRED, probe_cpu_clock, 0,
		.words = "a timer interrupts each CPU",
		.without = "nothing can be sampled",
		.remedy = features__setcap,
	},
	[FEATURE_LOCKDOWN] = {
		"lockdown", GROUP_KERNEL, NEED_REQUIRED, probe_lockdown, 0,
		.words = "BPF may read kernel memory",
		.without = "BPF may not read kernel memory",
		.remedy = "boot without lockdown=confidentiality",
		.since = "Linux 5.4, commit 9d1f8be5cf42",
	},
	[FEATURE_FORMAT_LOST] = {
		"PERF_FORMAT_LOST", GROUP_KERNEL, NEED_USEFUL, probe_format_lost, 0,
		.words = "process records that were lost are counted",
		.without = "a full buffer of process records counts as lossy",
		.since = "Linux 6.0, commit 119a784c8127",
	},
	[FEATURE_PERF_LINK] = {
		"BPF perf links", GROUP_KERNEL, NEED_NONE, probe_perf_link, 0,
		.words = "programs are attached to events by links",
		.without = "programs are attached to events by ioctl",
		.since = "Linux 5.15, commit b89fbfbb854c",
	},
	[FEATURE_BPF_LOOP] = {
		"bpf_loop()", GROUP_KERNEL, NEED_USEFUL, probe_bpf_helper, BPF_FUNC_loop,
		.words = "user stacks are walked with unwind tables" UNTESTED,
		.without = "user stacks are walked along frame pointers, which most programs lack",
		.since = "Linux 5.17, commit e6f2dd0f8067",
	},
	[FEATURE_PMU] = {
		"hardware counters", GROUP_KERNEL, NEED_NONE, probe_pmu, 0,
		.words = "cpu-clock is used all the same",
		.without = "cpu-clock is used in any case",
	},
	[FEATURE_CAP_BPF] = {
		"CAP_BPF", GROUP_CAPABILITIES, NEED_REQUIRED, probe_capability, RIGHT_BPF | RIGHT_SYS_ADMIN,
		.words = "BPF programs may be loaded",
		.without = "no BPF program may be loaded",
		.remedy = features__setcap,
		.since = "Linux 5.8, commit a17b53c4a4b5",
	},
	[FEATURE_CAP_PERFMON] = {
		"CAP_PERFMON", GROUP_CAPABILITIES, NEED_REQUIRED,
		probe_capability, RIGHT_PERFMON | RIGHT_SYS_ADMIN,
		.words = "all processes and the kernel may be sampled",
		.without = "neither CPUs nor the kernel may be sampled",
		.remedy = features__setcap,
		.since = "Linux 5.8, commit 980737282232",
	},
	[FEATURE_CAP_SYSLOG] = {
		"CAP_SYSLOG", GROUP_CAPABILITIES, NEED_USEFUL, probe_capability, RIGHT_SYSLOG,
		.words = "/proc/kallsyms tells: kernel functions have names",
		.without = "kernel functions may have no names",
		.remedy = features__setcap,
	},
	[FEATURE_CAP_SYS_PTRACE] = {
		"CAP_SYS_PTRACE", GROUP_CAPABILITIES, NEED_USEFUL, probe_capability, RIGHT_SYS_PTRACE,
		.words = "other users' processes may be looked at",
		.without = "functions of other users' processes may have no names",
		.remedy = features__setcap,
	},
	[FEATURE_CAP_DAC_READ_SEARCH] = {
		"CAP_DAC_READ_SEARCH", GROUP_CAPABILITIES, NEED_USEFUL,
		probe_capability, RIGHT_DAC_READ_SEARCH,
		.words = "every program and library may be read",
		.without = "functions of unreadable files have no names",
		.remedy = features__setcap,
	},
	[FEATURE_CAP_CHECKPOINT_RESTORE] = {
		"CAP_CHECKPOINT_RESTORE", GROUP_CAPABILITIES, NEED_USEFUL,
		probe_capability, RIGHT_CHECKPOINT_RESTORE | RIGHT_SYS_ADMIN,
		.words = "map_files may be read: deleted files have names",
		.without = "functions of replaced or deleted files have no names",
		.remedy = features__setcap,
		.since = "Linux 5.9, commit 12886f8ab10c",
	},
	[FEATURE_RIGHTS_AT_REST] = {
		"in effect at rest", GROUP_CAPABILITIES, NEED_NONE, probe_rights, FEATURE_RIGHTS_AT_REST,
		.words = "what you name is opened with no others",
	},
	[FEATURE_RIGHTS_BY_NEED] = {
		"raised for single calls", GROUP_CAPABILITIES, NEED_NONE, probe_rights, FEATURE_RIGHTS_BY_NEED,
		.words = "while it samples",
	},
	[FEATURE_RIGHTS_GIVEN_UP] = {
		"given up at the start", GROUP_CAPABILITIES, NEED_NONE, probe_rights, FEATURE_RIGHTS_GIVEN_UP,
		.words = "nothing needs them once sampling has begun",
	},
	[FEATURE_PARANOID] = {
		"kernel.perf_event_paranoid", GROUP_SETTINGS, NEED_NONE, probe_sysctl, FEATURE_CAP_PERFMON,
		.words = "does not restrict who has CAP_PERFMON",
		.without = "no value of it replaces CAP_PERFMON and CAP_BPF",
	},
	[FEATURE_MAX_SAMPLE_RATE] = {
		"kernel.perf_event_max_sample_rate", GROUP_SETTINGS, NEED_USEFUL, probe_sysctl, .least = 1000,
		.words = "samples per second and CPU at most",
		.without = "samples per second and CPU, the rest is throttled",
		.remedy = "sudo sysctl kernel.perf_event_max_sample_rate=100000",
	},
	[FEATURE_CPU_TIME_PERCENT] = {
		"kernel.perf_cpu_time_max_percent", GROUP_SETTINGS, NEED_NONE, probe_sysctl, .unit = " %",
		/* Hardware counters alone obey it, but it lowers the one limit of all. 0 and 100 switch it off. */
		.words = "CPU time, above which the kernel lowers the rate",
	},
	[FEATURE_MAX_STACK] = {
		"kernel.perf_event_max_stack", GROUP_SETTINGS, NEED_USEFUL, probe_sysctl, .least = 127,
		.words = "frames at most",
		.without = "frames at most: the root side of deeper stacks is cut",
		.remedy = "sudo sysctl kernel.perf_event_max_stack=127",
	},
	[FEATURE_KPTR_RESTRICT] = {
		"kernel.kptr_restrict", GROUP_SETTINGS, NEED_USEFUL, probe_sysctl, .most = 1,
		/* 0: who may profile the kernel, and CAP_SYSLOG; 1: CAP_SYSLOG; 2: nobody (kallsyms_show_value) */
		.words = "kernel functions have names for who has CAP_SYSLOG",
		.without = "kernel functions have no names, not even for root",
		.remedy = "sudo sysctl kernel.kptr_restrict=1",
	},
	[FEATURE_UNPRIVILEGED_BPF] = {
		"kernel.unprivileged_bpf_disabled", GROUP_SETTINGS, NEED_NONE, probe_sysctl, FEATURE_CAP_BPF,
		.words = "does not restrict who has CAP_BPF",
		.without = "no value of it replaces CAP_BPF and CAP_PERFMON",
	},
	[FEATURE_OPEN_FILES] = {
		"open files (ulimit -Hn)", GROUP_SETTINGS, NEED_REQUIRED, probe_open_files, 0,
		.words = "enough for all CPUs",
		.without = "too few for all CPUs",
		.remedy = "ulimit -Hn 65536 as root, or LimitNOFILE=65536 in a systemd unit",
	},
	[FEATURE_LOCKED_MEMORY] = {
		"locked memory (ulimit -Hl)", GROUP_SETTINGS, NEED_USEFUL, probe_locked_memory, 0,
		.words = "does not limit BPF maps",
		.without = "limits BPF maps",
		.remedy = "ulimit -l unlimited as root, or LimitMEMLOCK=infinity in a systemd unit",
		.since = "until Linux 5.11, commit 97306be45fbe",
	},
};
/* clang-format on */
