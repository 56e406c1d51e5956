/* SPDX-License-Identifier: GPL-2.0-only */
/* The map of threads that may wait; defined as those in maps.bpf.h. */
#ifndef TOPSTACKS_KERN_WAITS_WAITS_MAPS_BPF_H
#define TOPSTACKS_KERN_WAITS_WAITS_MAPS_BPF_H

#include "maps/maps.bpf.h"
#include "topstacks/waits_abi.h"

/* Elements are created when a thread is born or found, never at a switch. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct waiting_thread);
} threads SEC(".maps");

#endif
