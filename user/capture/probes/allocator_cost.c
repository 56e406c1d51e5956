// SPDX-License-Identifier: GPL-2.0-only
#include "capture/probes/allocator_cost.h"

#include <math.h>

#include "capture/probes/hit_counter.h"

#define LOOK_NS	    100000000ULL
#define MOST_OF_OWN 0.5
#define UNNOTICED   0.01 /* of a CPU */
#define PROGRAM_NS  150	 /* time of our program for a call that is not chosen */
#define NS_PER_S    1e9

/* Returns the share of a CPU that probes would take. */
static double share_of(const struct allocator_cost *cost)
{
	return cost->calls * cost->call_ns / NS_PER_S;
}

bool allocator_cost__is_borne(const struct allocator_cost *cost, double max_share)
{
	const double share = share_of(cost);

	if (max_share > 0)
		return share <= max_share;
	return share <= UNNOTICED || share <= MOST_OF_OWN * cost->own;
}

int allocator_cost__measure(struct allocator_cost *cost, int32_t pid,
			    const struct counted_place *places, size_t nr_places, double probe_ns,
			    double max_share, struct error *err)
{
	struct counted_hits hits;
	double own_ns;
	int code;

	*cost = (struct allocator_cost){.call_ns = probe_ns + PROGRAM_NS};
	for (size_t i = 0; i < nr_places && allocator_cost__is_borne(cost, max_share);) {
		const size_t nr = i ? nr_places - i : 1;

		code = hit_counter__count(&hits, pid, &places[i], nr, LOOK_NS, err);
		if (code)
			return code;
		/*
		 * The CPU time of the process is taken from the same period: at another time it
		 * may get more or less of the CPUs.
		 */
		own_ns = (double)hits.cpu_ns - (double)hits.nr * probe_ns;
		cost->calls += (double)hits.nr * NS_PER_S / (double)hits.time_ns;
		cost->own = fmax(own_ns, 0) / (double)hits.time_ns;
		i += nr;
	}
	return 0;
}

int allocator_cost__refuse(const struct allocator_cost *cost, int32_t pid, const char *comm,
			   struct error *err)
{
	const double percent = 100 * share_of(cost);
	char calls[32], us[ROUNDED_SIZE], shown[ROUNDED_SIZE], own[ROUNDED_SIZE];
	struct quoted quoted;

	text__format_count(calls, sizeof(calls), (uint64_t)cost->calls);
	return error__say(
		err, EXIT_SYSTEM, -EBUSY,
		"malloc is called %s times a second by %s (process %d), and a probe costs %s us a "
		"call: %s %% of a CPU, beside %s %% that it takes itself; allow it with "
		"--max-overhead %.0f, or let topstacks start it, by -- COMMAND",
		calls, quote(&quoted, comm), pid, text__format_rounded(us, 2, cost->call_ns / 1000),
		text__format_rounded(shown, 2, percent),
		text__format_rounded(own, 2, 100 * cost->own), ceil(percent * 1.2));
}
