/* SPDX-License-Identifier: GPL-2.0-only */
/* The maps that walks by unwind tables look at, as maps.bpf.h has the others. */
#ifndef TOPSTACKS_UNWIND_MAPS_H
#define TOPSTACKS_UNWIND_MAPS_H

#include <bpf/bpf_helpers.h>

#include "kernel_types.bpf.h"
#include "maps.bpf.h"
#include "topstacks/unwind_abi.h"

struct inner_unwind_rows {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct unwind_row));
	__uint(max_entries, UNWIND_CHUNK_ENTRIES);
};

SHARED struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 256);
	__uint(key_size, sizeof(__u32));
	__array(values, struct inner_unwind_rows);
} unwind_chunks SEC(".maps");

SHARED struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 65536);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct unwind_region));
} unwind_regions SEC(".maps");

SHARED struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__uint(key_size, sizeof(__u64));
	__uint(value_size, sizeof(struct unwind_regions));
} unwind_procs SEC(".maps");

SHARED struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 2048);
	__uint(key_size, sizeof(struct unwind_mapping_key));
	__uint(value_size, sizeof(struct unwind_mapping));
} unwind_mappings SEC(".maps");

/* What is read of the kernel's structs lies in their first bytes. */
#define HEAD_BYTES 256

/* Not on the stack, which has 512 bytes for all functions together. */
struct tree_walk {
	union {
		struct maple_range_64 range;
		struct maple_arange_64 arange;
		char head[HEAD_BYTES];
	} node;
	struct unwind_mapping_key key;
	struct unwind_region left; /* the walk was in it, and may come back */
};

SHARED struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, PROGRAM_CONTEXTS);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct tree_walk));
} unwind_tree SEC(".maps");

#endif
