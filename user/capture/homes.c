// SPDX-License-Identifier: GPL-2.0-only
#include "capture/homes.h"

#include <stdbool.h>
#include <unistd.h>

#include "capture/event.h"
#include "capture/source.h"
#include "topstacks/abi.h"

static bool is_probed(const struct source *source)
{
	return source == &probe_source || source == &alloc_source ||
	       source == &alloc_running_source || source == &live_source;
}

uint32_t homes__count(const struct events *events, uint32_t *first)
{
	const long nr_online = sysconf(_SC_NPROCESSORS_ONLN);
	const uint32_t nr_cpus = nr_online > 0 ? (uint32_t)nr_online : 1;
	uint32_t wanted[PROGRAM_CONTEXTS] = {0}, nr_homes = 0;
	size_t i, context;

	for (i = 0; i < events->nr; i++) {
		const struct source *source = events->list[i].source;

		if (is_probed(source)) {
			wanted[CONTEXT_PROBE] = nr_cpus;
		} else if (source->is_timed) {
			wanted[CONTEXT_SWITCH] = nr_cpus;
			wanted[CONTEXT_CUT] = wanted[CONTEXT_ASLEEP] = 1; /* one CPU at a time */
		}
		if (!is_probed(source) && (!source->is_timed || source == &wall_source))
			wanted[CONTEXT_PERF_EVENT] = nr_cpus;
	}
	for (context = 0; context < PROGRAM_CONTEXTS; context++) {
		if (first)
			first[context] = nr_homes;
		nr_homes += wanted[context];
	}
	return nr_homes;
}
