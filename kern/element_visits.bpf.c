// SPDX-License-Identifier: GPL-2.0-only
/*
 * The drain where the kernel refuses iterators over the elements of a map (iter/bpf_map_elem), as hardened ones
 * do: programs of type syscall (Linux 5.14) visit the elements. They do the same as drain.bpf.c and the two
 * iterators over maps of processes.bpf.c, which stay wherever they load.
 *
 * A visit begins with the first element each time, so a record that finds no room in the ring ends it; user
 * space empties the ring and runs the program again.
 */
#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "dead.bpf.h"
#include "kernel_types.bpf.h"
#include "maps.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/* Writes a record for user space. True: there is no room, which ends the visit. */
static __always_inline bool tell(const void *record, __u64 nr_bytes, bool *is_full)
{
	*is_full = bpf_ringbuf_output(&visited, (void *)record, nr_bytes, BPF_RB_NO_WAKEUP) != 0;
	return *is_full;
}

static long visit_count(struct bpf_map *map, struct sample_key *key, struct sample_value *value,
			bool *is_full)
{
	struct drained_count drained;

	(void)map;
	if (!(value->count | value->weight))
		return 0;
	drained.key = *key;
	drained.value = *value;
	if (tell(&drained, sizeof(drained), is_full))
		return 1;
	value->count = 0;
	value->weight = 0;
	return 0;
}

static long visit_spill(struct bpf_map *map, __u64 *key, struct spilled_stack *stack, bool *is_full)
{
	__u64 nr_frames = stack->nr_frames;

	(void)map;
	(void)key;
	asm volatile("" : "+r"(nr_frames)); /* so that the verifier learns of the bound below */
	if (!stack->fresh || nr_frames > cfg_max_depth)
		return 0;
	if (tell(stack, SPILLED_STACK_BYTES(nr_frames), is_full))
		return 1;
	stack->fresh = 0;
	return 0;
}

static long visit_code(struct bpf_map *map, __u64 *key, struct code_record *record, bool *is_full)
{
	(void)map;
	(void)key;
	if (!record->fresh)
		return 0;
	if (tell(record, CODE_RECORD_BYTES(cfg_positions), is_full))
		return 1;
	record->fresh = 0;
	return 0;
}

static long visit_proc(struct bpf_map *map, __u64 *key, struct process_record *record,
		       bool *is_full)
{
	(void)map;
	(void)key;
	if (!record->fresh)
		return 0;
	if (tell(record, sizeof(*record), is_full))
		return 1;
	record->fresh = 0;
	return 0;
}

#define VISIT_SET(name, maps, visit)                                            \
	SEC("syscall")                                                          \
	int name(struct visit_request *request)                                 \
	{                                                                       \
		bool is_full = false;                                           \
		__u32 generation = request->generation;                         \
		void *map = bpf_map_lookup_elem(&maps, &generation);            \
                                                                                \
		if (!map || bpf_for_each_map_elem(map, visit, &is_full, 0) < 0) \
			return VISIT_FAILED;                                    \
		return is_full ? VISIT_GOES_ON : VISIT_ENDED;                   \
	}

VISIT_SET(on_visit_counts, counts, visit_count)
VISIT_SET(on_visit_spill, spill, visit_spill)
VISIT_SET(on_visit_codes, codes, visit_code)
VISIT_SET(on_visit_procs, processes, visit_proc)

static long visit_dying(struct bpf_map *map, __u64 *id, struct dying_task *exited, void *nothing)
{
	(void)map;
	(void)nothing;
	add_dying_time(*id, exited);
	return 0;
}

SEC("syscall")
int on_visit_dying(struct visit_request *request)
{
	(void)request;
	return bpf_for_each_map_elem(&dying, visit_dying, 0, 0) < 0 ? VISIT_FAILED : VISIT_ENDED;
}

static long visit_target(struct bpf_map *map, __u32 *pid, struct target_entry *target,
			 void *nothing)
{
	(void)map;
	(void)nothing;
	sweep_target(*pid, target);
	return 0;
}

SEC("syscall")
int on_visit_target(struct visit_request *request)
{
	(void)request;
	return bpf_for_each_map_elem(&targets, visit_target, 0, 0) < 0 ? VISIT_FAILED : VISIT_ENDED;
}
