/* SPDX-License-Identifier: GPL-2.0-only */
/* The maps of calls of malloc, as maps.bpf.h has the others. */
#ifndef TOPSTACKS_MALLOC_MAPS_H
#define TOPSTACKS_MALLOC_MAPS_H

#include "maps.bpf.h"
#include "topstacks/alloc_chances.h"

/* By PROBE_COOKIE_SITE() less ABI_FIRST_CALL; see malloc.bpf.c. */
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
