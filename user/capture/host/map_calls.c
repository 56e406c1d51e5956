// SPDX-License-Identifier: GPL-2.0-only
/* Adds a call. The clock is read before and after it, which is cheaper than the call. */
#include "capture/host/map_calls.h"

#include <time.h>

#include <bpf/bpf.h>

#include "base/system/rights.h"

static void add_call(struct map_calls *calls, uint64_t start_ns)
{
	uint64_t cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns;

	__atomic_fetch_add(&calls->nr, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&calls->cpu_ns, cpu_ns, __ATOMIC_RELAXED);
}

int map_calls__update(struct map_calls *calls, int map, const void *key, const void *value)
{
	uint64_t start_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	int code = bpf_map_update_elem(map, key, value, BPF_ANY) ? -errno : 0;

	rights__restore(before);
	add_call(calls, start_ns);
	return code;
}

int map_calls__update_all(struct map_calls *calls, int map, const uint32_t *keys, const int *values,
			  uint32_t nr)
{
	LIBBPF_OPTS(bpf_map_batch_opts, options, .elem_flags = BPF_ANY);
	uint32_t nr_done = nr;
	uint64_t start_ns, before;
	int code = -1;

	if (nr > 1) {
		start_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		before = rights__raise(RIGHTS_TO_SAMPLE);
		code = bpf_map_update_batch(map, keys, values, &nr_done, &options);
		rights__restore(before);
		add_call(calls, start_ns);
	}
	if (!code)
		return 0;
	code = 0;
	for (uint32_t i = 0; i < nr && !code; i++)
		code = map_calls__update(calls, map, &keys[i], &values[i]);
	return code;
}

int map_calls__delete(struct map_calls *calls, int map, const void *key)
{
	uint64_t start_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	int code = bpf_map_delete_elem(map, key) ? -errno : 0;

	rights__restore(before);
	add_call(calls, start_ns);
	return code;
}

int map_calls__delete_some(struct map_calls *calls, int map, const void *keys, uint32_t *nr)
{
	LIBBPF_OPTS(bpf_map_batch_opts, options);
	uint64_t start_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	int code = bpf_map_delete_batch(map, keys, nr, &options) ? -errno : 0;

	rights__restore(before);
	add_call(calls, start_ns);
	return code;
}
