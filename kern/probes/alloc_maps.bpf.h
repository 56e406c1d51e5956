/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The maps of allocations, as maps.bpf.h has the others. Only programs at probes of programs write to them, which are
 * never run in an NMI: so elements may be made when they are needed.
 */
#ifndef TOPSTACKS_KERN_PROBES_ALLOC_MAPS_BPF_H
#define TOPSTACKS_KERN_PROBES_ALLOC_MAPS_BPF_H

#include "maps/maps.bpf.h"
#include "topstacks/alloc_chances.h"

/* What is told of a block that was chosen. */
struct allocation {
	__u64 pointer, size, bytes, told, blocks, number;
	struct sample_key key;
};

/* By PROBE_COOKIE_SITE(). */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, ABI_MAX_ALLOC_SITES);
	__type(key, __u32);
	__type(value, struct alloc_site);
} alloc_sites SEC(".maps");

/* What the site at hand told. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct allocation);
} chosen SEC(".maps");

/* When a process, by its id in our namespace, last asked the library for a first block. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, ABI_MAX_TARGETS);
	__type(key, __u32);
	__type(value, __u64);
} alloc_begun SEC(".maps");

/* Sampled blocks that are not free. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, ABI_MAX_LIVE);
	__type(key, struct live_key);
	__type(value, struct live_block);
} live SEC(".maps");

/* ---- calls: see malloc.bpf.c ---- */

/* By PROBE_COOKIE_SITE() less ABI_FIRST_CALL. */
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
