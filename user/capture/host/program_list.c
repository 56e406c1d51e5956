// SPDX-License-Identifier: GPL-2.0-only
#include "capture/host/program_list.h"

/* By enum bpf_prog_type, named as in bpftool. Newer kernels have more types than our headers. */
static const char *const kinds[] = {
	[1] = "socket_filter",
	[2] = "kprobe",
	[3] = "sched_cls",
	[4] = "sched_act",
	[5] = "tracepoint",
	[6] = "xdp",
	[7] = "perf_event",
	[8] = "cgroup_skb",
	[9] = "cgroup_sock",
	[10] = "lwt_in",
	[11] = "lwt_out",
	[12] = "lwt_xmit",
	[13] = "sock_ops",
	[14] = "sk_skb",
	[15] = "cgroup_device",
	[16] = "sk_msg",
	[17] = "raw_tracepoint",
	[18] = "cgroup_sock_addr",
	[19] = "lwt_seg6local",
	[20] = "lirc_mode2",
	[21] = "sk_reuseport",
	[22] = "flow_dissector",
	[23] = "cgroup_sysctl",
	[24] = "raw_tracepoint_writable",
	[25] = "cgroup_sockopt",
	[26] = "tracing",
	[27] = "struct_ops",
	[28] = "ext",
	[29] = "lsm",
	[30] = "sk_lookup",
	[31] = "syscall",
	[32] = "netfilter",
};

enum { TYPE_KPROBE = 2, TYPE_TRACEPOINT = 5, TYPE_PERF_EVENT = 7 };

const char *program__kind(uint32_t type, char text[PROGRAM_KIND_SIZE])
{
	if (type < sizeof(kinds) / sizeof(kinds[0]) && kinds[type])
		return kinds[type];
	snprintf(text, PROGRAM_KIND_SIZE, "type %u", type);
	return text;
}

/*
 * The kernel does not run a perf event's program on a CPU where bpf_prog_active is up
 * (bpf_overflow_handler, kernel/events/core.c). Three functions raise it while programs run:
 * bpf_overflow_handler itself, trace_call_bpf for tracepoints and kprobes, and
 * kprobe_multi_link_prog_run (both kernel/trace/bpf_trace.c). Uprobes used trace_call_bpf until 6.0
 * (8c7dcb84e3b7). All other programs have at most a counter of their own.
 */
enum program_reach program__reach(uint32_t type)
{
	switch (type) {
	case TYPE_TRACEPOINT:
	case TYPE_PERF_EVENT:
		return REACH_NO;
	case TYPE_KPROBE:
		return REACH_OF_USERS;
	default:
		return REACH_YES;
	}
}

void program_list__subtract(struct program_list *list, const struct program_list *before)
{
	for (size_t i = 0; i < list->nr_programs; i++) {
		struct loaded_program *now = &list->programs[i];
		const struct loaded_program *then = before->programs;
		const struct loaded_program *end = then + before->nr_programs;

		while (then < end && then->id != now->id)
			then++;
		if (then == end)
			continue;
		now->nr_runs -= now->nr_runs > then->nr_runs ? then->nr_runs : now->nr_runs;
		now->run_ns -= now->run_ns > then->run_ns ? then->run_ns : now->run_ns;
	}
}

static int compare(const void *a, const void *b)
{
	const struct loaded_program *one = a, *other = b;

	if (one->run_ns != other->run_ns)
		return one->run_ns < other->run_ns ? 1 : -1;
	return (one->id > other->id) - (one->id < other->id);
}

void program_list__rank(struct program_list *list)
{
	if (list->nr_programs)
		qsort(list->programs, list->nr_programs, sizeof(list->programs[0]), compare);
}

void program_list__fini(struct program_list *list)
{
	free(list->programs);
}
