// SPDX-License-Identifier: GPL-2.0-only
#include "capture/kernel/homes.h"

#include <unistd.h>

#include "capture/events/event.h"
#include "capture/events/source.h"
#include "topstacks/abi.h"

/* Iterators run on one CPU at a time, so their contexts have one home each. */
#define OF_ITERATORS (IN_CONTEXT(CONTEXT_CUT) | IN_CONTEXT(CONTEXT_ASLEEP))

uint32_t homes__count(const struct events *events, uint32_t *first)
{
	const long nr_online = sysconf(_SC_NPROCESSORS_ONLN);
	uint32_t contexts = 0, nr_homes = 0, context;
	size_t i;

	for (i = 0; i < events->nr; i++)
		contexts |= events->list[i].source->contexts;
	for (context = 0; context < PROGRAM_CONTEXTS; context++) {
		if (first)
			first[context] = nr_homes;
		if (contexts & OF_ITERATORS & IN_CONTEXT(context))
			nr_homes++;
		else if (contexts & IN_CONTEXT(context))
			nr_homes += nr_online > 0 ? (uint32_t)nr_online : 1;
	}
	return nr_homes;
}
