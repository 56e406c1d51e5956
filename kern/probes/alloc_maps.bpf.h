/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The maps of allocations; defined as those in maps.bpf.h. Only programs at user probes write to
 * them, which never run in an NMI, so elements may be allocated on demand.
 */
#ifndef TOPSTACKS_KERN_PROBES_ALLOC_MAPS_BPF_H
#define TOPSTACKS_KERN_PROBES_ALLOC_MAPS_BPF_H

#include "maps/maps.bpf.h"
#include "topstacks/alloc_chances.h"

/* A block that was chosen for sampling. */
struct allocation {
	__u64 pointer, size, bytes, told, blocks, number;
	struct sample_key key;
};

/* Sites, by PROBE_COOKIE_SITE(). */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, ABI_MAX_ALLOC_SITES);
	__type(key, __u32);
	__type(value, struct alloc_site);
} alloc_sites SEC(".maps");

/* Scratch for the current block. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct allocation);
} chosen SEC(".maps");

/* When a process last asked the library for a first block, by its id in our namespace. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, ABI_MAX_TARGETS);
	__type(key, __u32);
	__type(value, __u64);
} alloc_begun SEC(".maps");

/* Sampled blocks that are not freed yet. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, ABI_MAX_LIVE);
	__type(key, struct live_key);
	__type(value, struct live_block);
} live SEC(".maps");

/* ---- calls: see malloc.bpf.c ---- */

/* Calls, by PROBE_COOKIE_SITE() minus ABI_FIRST_CALL. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, ABI_MAX_MALLOC_CALLS);
	__type(key, __u32);
	__type(value, struct malloc_call);
} malloc_calls SEC(".maps");

SHARED struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct alloc_chances);
} alloc_chances SEC(".maps");

SHARED struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct malloc_thread);
} malloc_threads SEC(".maps");

#endif
