/* SPDX-License-Identifier: GPL-2.0-only */
/* The map of threads that may wait, as maps.bpf.h has the others. */
#ifndef TOPSTACKS_WAITS_MAPS_H
#define TOPSTACKS_WAITS_MAPS_H

#include "maps.bpf.h"

/* Elements are made when a thread is born or found, never at a switch. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct waiting_thread);
} threads SEC(".maps");

#endif
