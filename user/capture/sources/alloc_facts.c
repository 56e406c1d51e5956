// SPDX-License-Identifier: GPL-2.0-only
#include "capture/sources/alloc_facts.h"

#include "capture/events/capture_options.h"
#include "capture/events/event_facts.h"
#include "capture/probes/allocators.h"
#include "capture/probes/malloc_places.h"
#include "capture/probes/probe_cost.h"
#include "processes/opener.h"

static void add_tellers(const struct allocators *allocators, const struct event_fact_sink *sink)
{

	for (size_t i = 0; i < allocators->nr; i++) {
		const struct allocator_file *said = &allocators->list[i].said;

		if (said->nr_sites)
			event_facts__add(sink, "told by", "%u probes of otel_memory in %s",
					 said->nr_sites, allocators->list[i].path);
	}
}

static void add_cost(bool is_emulated, const struct event_fact_sink *sink)
{
	struct error err;
	double ns;

	if (probe_cost__measure(is_emulated, false, &ns, &err))
		event_facts__add(sink, "a call costs", "unknown: %s", err.text);
	else
		event_facts__add(sink, "a call costs",
				 "%.1f us here, sampled or not, and the sample on top", ns / 1000);
}

static void add_calls(const struct allocators *allocators, const struct capture_options *asked,
		      const struct event_fact_sink *sink)
{
	struct malloc_places places = {.nr = 0};
	struct error err;
	const struct allocator *allocator =
		allocators__with_malloc(allocators, asked->ids[0], &err);

	if (!allocator)
		return;
	if (!malloc_places__add(&places, allocator, asked->readers, &err)) {
		event_facts__add(sink, "probes", "at %zu functions, malloc and its like, of %s",
				 places.nr, allocator->path);
		add_cost(places.list[0].is_emulated, sink);
	}
	malloc_places__free(&places);
}

void alloc_facts__tell(const struct capture_options *asked, const struct event_fact_sink *sink)
{
	struct opener *opener = opener__new(asked->openers);
	struct allocators allocators;
	struct error err;

	if (opener && !allocators__find(&allocators, asked->ids[0], opener, asked->readers, &err)) {
		if (allocators__tell(&allocators))
			add_tellers(&allocators, sink);
		else
			add_calls(&allocators, asked, sink);
		allocators__close(&allocators);
	}
	opener__free(opener);
}
