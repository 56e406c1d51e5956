// SPDX-License-Identifier: GPL-2.0-only
/*
 * An event of a process only counts hits of its first thread, but a program that is attached to it
 * runs for all threads. So a program does the counting, in a map with one value. If events of
 * probes are not permitted, links attach the program (uprobe_link.h).
 */
#include "capture/probes/hit_counter.h"

#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/system/rights.h"
#include "capture/probes/probed_processes.h"
#include "capture/probes/uprobe_link.h"

struct hit_counter {
	int map, program;
	int probes[HIT_COUNTER_MAX_PLACES]; /* events, or links */
	size_t nr_probes;
};

static int load_program(int map, bool by_links)
{
	LIBBPF_OPTS(bpf_prog_load_opts, options,
		    .expected_attach_type = by_links ? TRACE_UPROBE_MULTI : 0);
	const struct bpf_insn counting[] = {
		{.code = BPF_LD | BPF_DW | BPF_IMM,
		 .dst_reg = BPF_REG_1,
		 .src_reg = BPF_PSEUDO_MAP_VALUE,
		 .imm = map},
		{0}, /* offset of the value in the map */
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2, .imm = 1},
		{.code = BPF_STX | BPF_ATOMIC | BPF_DW,
		 .dst_reg = BPF_REG_1,
		 .src_reg = BPF_REG_2,
		 .imm = BPF_ADD},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};

	const int fd = bpf_prog_load(BPF_PROG_TYPE_KPROBE, "count_hits", "GPL", counting,
				     sizeof(counting) / sizeof(counting[0]), &options);

	return fd < 0 ? -errno : fd;
}

/* Puts one probe in, by a link if pmu_type is NULL. */
static int put_one(struct hit_counter *counter, const struct counted_place *place, int32_t pid,
		   const uint32_t *pmu_type)
{
	char path[32];
	const struct uprobe_link link = {.file = path, .offset = place->offset, .pid = pid};
	struct perf_event_attr attr = {
		.type = pmu_type ? *pmu_type : 0,
		.size = sizeof(attr),
		.uprobe_path = (uintptr_t)path,
		.probe_offset = place->offset,
		.disabled = 1,
	};
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", place->file);
	if (pmu_type) {
		fd = (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
		fd = fd < 0 ? -errno : fd;
	} else {
		fd = uprobe_link__make(counter->program, &link);
	}
	if (fd < 0)
		return fd;
	counter->probes[counter->nr_probes++] = fd;
	return pmu_type && (ioctl(fd, PERF_EVENT_IOC_SET_BPF, counter->program) ||
			    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		       ? -errno
		       : 0;
}

static void take_out(struct hit_counter *counter)
{
	while (counter->nr_probes)
		close(counter->probes[--counter->nr_probes]);
	if (counter->program >= 0)
		close(counter->program);
	counter->program = -1;
}

static int put_in(struct hit_counter *counter, int32_t pid, const struct counted_place *places,
		  size_t nr_places, const uint32_t *pmu_type)
{
	int code = nr_places > HIT_COUNTER_MAX_PLACES ? -E2BIG : 0;

	counter->program = code ? code : load_program(counter->map, !pmu_type);
	if (counter->program < 0)
		return counter->program;
	for (size_t i = 0; i < nr_places && !code; i++)
		code = put_one(counter, &places[i], pid, pmu_type);
	return code;
}

/* Returns the CPU time of a process; 0: unknown. */
static uint64_t cpu_ns_of(int32_t pid)
{
	clockid_t clock;

	return clock_getcpuclockid(pid, &clock) ? 0 : clock_ns(clock);
}

static int count(const struct hit_counter *counter, struct counted_hits *hits, int32_t pid,
		 uint64_t ns)
{
	const uint64_t start_ns = monotonic_ns(), start_cpu_ns = cpu_ns_of(pid);
	const uint32_t key = 0;
	uint64_t before = 0, after = 0;
	int code = bpf_map_lookup_elem(counter->map, &key, &before);

	clock_sleep(ns);
	if (!code)
		code = bpf_map_lookup_elem(counter->map, &key, &after);
	*hits = (struct counted_hits){
		.nr = after - before,
		.time_ns = monotonic_ns() - start_ns,
		.cpu_ns = cpu_ns_of(pid) - start_cpu_ns,
	};
	return code;
}

int hit_counter__count(struct counted_hits *hits, int32_t pid, const struct counted_place *places,
		       size_t nr_places, uint64_t ns, struct error *err)
{
	struct hit_counter counter = {.program = -1};
	uint32_t pmu_type;
	uint64_t before;
	int code = probed_processes__pmu_type(&pmu_type, err);

	if (code)
		return code;
	before = rights__raise(RIGHTS_TO_OPEN_EVENTS | RIGHTS_TO_LOOK);
	counter.map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "hits", 4, 8, 1, NULL);
	code = counter.map < 0 ? -errno : put_in(&counter, pid, places, nr_places, &pmu_type);
	/* If links fail, too, the error of the events is returned. */
	if (counter.map >= 0 && (code == -EPERM || code == -EACCES)) {
		take_out(&counter);
		if (!put_in(&counter, pid, places, nr_places, NULL))
			code = 0;
	}
	if (!code)
		code = count(&counter, hits, pid, ns);
	take_out(&counter);
	if (counter.map >= 0)
		close(counter.map);
	rights__restore(before);
	return code ? probed_processes__explain(code, "count what a process calls", err) : 0;
}
