// SPDX-License-Identifier: GPL-2.0-only
/* Elements are read by the hundred (BPF_MAP_LOOKUP_BATCH, Linux 5.6); most of the time there is nothing to sweep. */
#include "capture/tasks/stale_targets.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include <bpf/bpf.h>

#include "base/system/rights.h"
#include "topstacks/abi.h"

#define BATCH 512

static bool is_stale(const struct target_entry *target, const struct program_session *session)
{
	return target->pass + 1 < session->pass;
}

/* The id may be that of a new target by now. */
static void sweep_one(int map, uint32_t id, struct program_session *session)
{
	struct target_entry target;

	if (!bpf_map_lookup_elem(map, &id, &target) && is_stale(&target, session) &&
	    !bpf_map_delete_elem(map, &id))
		__atomic_fetch_sub(&session->nr_targets, 1, __ATOMIC_RELAXED);
}

void stale_targets__sweep(int map, struct program_session *session)
{
	LIBBPF_OPTS(bpf_map_batch_opts, options);
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	struct target_entry targets[BATCH];
	uint32_t ids[BATCH], next = 0, nr, i;
	bool is_first = true;
	int code;

	do {
		nr = BATCH;
		code = bpf_map_lookup_batch(map, is_first ? NULL : &next, &next, ids, targets, &nr,
					    &options);
		is_first = false;
		if (code && errno != ENOENT) /* which says that these are the last */
			break;
		for (i = 0; i < nr && i < BATCH; i++)
			if (is_stale(&targets[i], session))
				sweep_one(map, ids[i], session);
	} while (!code);
	rights__restore(before);
}
