/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf() calls that change elements of maps, counted and timed: as long as one has the element in
 * hand, the kernel runs no program of a perf event on that CPU (bpf_disable_instrumentation), and
 * counts the timers that it skips nowhere. So their number and time bound what is skipped.
 */
#ifndef TOPSTACKS_CAPTURE_HOST_MAP_CALLS_H
#define TOPSTACKS_CAPTURE_HOST_MAP_CALLS_H

#include <stdint.h>

/* Any number of threads may add to it. */
struct map_calls {
	uint64_t nr;
	/*
	 * CPU time of the threads that called. Who replaces a map sleeps until programs have let go
	 * of the old one, but by then programs run again.
	 */
	uint64_t cpu_ns;
};

/* As bpf_map_update_elem with BPF_ANY. 0 or negative errno. */
int map_calls__update(struct map_calls *calls, int map, const void *key, const void *value);
/*
 * All of nr elements in one call: a map of maps has the kernel wait for running programs once a call,
 * some 10 ms, and not once an element. Kernels that cannot do that get one after the other.
 */
int map_calls__update_all(struct map_calls *calls, int map, const uint32_t *keys, const int *values,
			  uint32_t nr);
/*
 * Deletes *nr elements in one call (BPF_MAP_DELETE_BATCH, Linux 5.6), or as many as there are before one that is not there: *nr are
 * gone. 0 or negative errno; -ENOENT: one is not there.
 */
int map_calls__delete_some(struct map_calls *calls, int map, const void *keys, uint32_t *nr);
/* As bpf_map_delete_elem. 0 or negative errno. */
int map_calls__delete(struct map_calls *calls, int map, const void *key);

#endif
