/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf() calls that change map elements, counted and timed. While such a call changes an element,
 * the kernel runs no perf event program on that CPU (bpf_disable_instrumentation), and does not
 * count the timers it skips. The number and time of these calls bound what is skipped.
 */
#ifndef TOPSTACKS_CAPTURE_HOST_MAP_CALLS_H
#define TOPSTACKS_CAPTURE_HOST_MAP_CALLS_H

#include "base/common.h"

/* Any number of threads may add to it. */
struct map_calls {
	uint64_t nr;
	/*
	 * CPU time of the calling threads, not elapsed time. A call that replaces a map then sleeps
	 * until no program uses the old one, but programs of perf events run meanwhile.
	 */
	uint64_t cpu_ns;
};

/* Like bpf_map_update_elem with BPF_ANY. Returns 0 or negative errno. */
int map_calls__update(struct map_calls *calls, int map, const void *key, const void *value);
/*
 * Updates nr elements in one call. For a map of maps the kernel then waits for running programs
 * once, some 10 ms, and not once for each element. If the kernel cannot do that, updates them one
 * by one.
 */
int map_calls__update_all(struct map_calls *calls, int map, const uint32_t *keys, const int *values,
			  uint32_t nr);
/*
 * Deletes up to *nr elements in one call (BPF_MAP_DELETE_BATCH, Linux 5.6), and stops at the first
 * missing one; *nr is then the number deleted. Returns 0 or negative errno; -ENOENT: one is
 * missing.
 */
int map_calls__delete_some(struct map_calls *calls, int map, const void *keys, uint32_t *nr);
/* Like bpf_map_delete_elem. Returns 0 or negative errno. */
int map_calls__delete(struct map_calls *calls, int map, const void *key);

#endif
