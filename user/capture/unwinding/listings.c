// SPDX-License-Identifier: GPL-2.0-only
#include "capture/unwinding/listings.h"

#include "capture/host/map_calls.h"
#include "capture/unwinding/regions.h"

static void set_late(struct unwind_listings *listings, struct unwind_listing *listing,
		     size_t nr_late)
{
	listings->nr_lacking -= listing->nr_late > 0;
	listings->nr_lacking += nr_late > 0;
	listing->nr_late = nr_late;
}

static int give_list(struct unwind_listings *listings, uint64_t instance,
		     struct unwind_parts *parts, struct unwind_regions *list)
{
	const uint32_t nr = unwind_parts__regions(parts, listings->regions);
	int code = unwind_lists__add(listings->lists, listings->regions, nr, list);

	if (code)
		return code;
	list->is_partial = parts->is_partial;
	code = map_calls__update(listings->map_calls, listings->processes, &instance, list);
	if (code)
		unwind_lists__remove(listings->lists, list);
	return code;
}

int unwind_listings__publish(struct unwind_listings *listings, struct unwind_listing *listing,
			     uint64_t instance, struct unwind_parts *parts)
{
	struct unwind_listing before = *listing;
	struct unwind_regions list;
	const int code = give_list(listings, instance, parts, &list);

	if (code)
		return code;
	listing->list = list;
	listing->instance = instance;
	listing->parts = *parts;
	*parts = (struct unwind_parts){0};
	set_late(listings, listing, unwind_parts__nr_late(&listing->parts));
	if (!before.instance)
		return 0;
	if (before.instance != instance)
		map_calls__delete(listings->map_calls, listings->processes, &before.instance);
	unwind_lists__remove(listings->lists, &before.list);
	unwind_parts__put(&before.parts);
	return 0;
}

void unwind_listings__withdraw(struct unwind_listings *listings, struct unwind_listing *listing)
{
	if (!listing->instance)
		return;
	map_calls__delete(listings->map_calls, listings->processes, &listing->instance);
	unwind_lists__remove(listings->lists, &listing->list);
	unwind_parts__put(&listing->parts);
	set_late(listings, listing, 0);
	listing->instance = 0;
}
