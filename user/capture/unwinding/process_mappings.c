// SPDX-License-Identifier: GPL-2.0-only
#include "capture/unwinding/internal.h"

#include "capture/host/map_calls.h"
#include "processes/text_copies.h"

#define MAX_SHARDS (UNWIND_MAX_ROWS / UNWIND_CHUNK_ROWS + 1) /* regions of one file */
#define MAX_PARTS  (UNWIND_MAX_REGIONS - MAX_SHARDS)

bool unwind_timeout__is_over(const struct unwind_timeout *patience)
{
	return patience->is_urgent && monotonic_ns() >= patience->until_ns;
}

/* ---- reading ---- */

struct reading_maps {
	struct unwind_parts *parts;
	struct unwind_loader *loader;
	const struct unwind_reading *of;
	size_t nr_passed; /* parts in of->before that were passed */
};

static struct unwind_part *find_before(struct reading_maps *reading, const struct mapping *mapping)
{
	const struct unwind_parts *before = reading->of->before;

	for (; before && reading->nr_passed < before->nr_parts; reading->nr_passed++) {
		struct unwind_part *part = before->parts[reading->nr_passed];

		if (part->start >= mapping->start)
			return unwind_part__is_of(part, mapping) ? part : NULL;
	}
	return NULL;
}

/*
 * Adds a mapping. Addresses from 2^63 on are left out: only the vsyscall page is there, and regions
 * are compared as signed numbers.
 */
static int add_part(void *context, const struct mapping *mapping)
{
	struct reading_maps *reading = context;
	struct unwind_parts *parts = reading->parts;
	const struct unwind_timeout *patience = reading->of->patience;
	struct unwind_part *part;

	if (mapping->end >> 63 || mapping->end <= mapping->start)
		return 0;
	if (unwind_timeout__is_over(patience) && patience->is_urgent(patience->context))
		return -EAGAIN; /* files requested so far still arrive */
	if (parts->nr_parts == MAX_PARTS) {
		parts->is_partial = true; /* the program generates code in thousands of places */
		return 1;
	}
	array__reserve(&parts->parts, &parts->capacity, parts->nr_parts + 1);
	part = find_before(reading, mapping);
	part = part ? unwind_part__hold(part)
		    : unwind_loader__ask(reading->loader, mapping, reading->of->pid);
	parts->parts[parts->nr_parts++] = part;
	return 0;
}

int unwind_parts__read(struct unwind_parts *parts, struct unwind_loader *loader,
		       const struct unwind_reading *reading)
{
	struct reading_maps maps = {.parts = parts, .loader = loader, .of = reading};
	const int code = text_copies__each_executable(reading->text, add_part, &maps);

	if (code == -EAGAIN || code == -ENOMEM)
		return code;
	return code < 0 || !parts->nr_parts ? -ENOENT : 0;
}

void unwind_parts__put(struct unwind_parts *parts)
{
	for (size_t i = 0; i < parts->nr_parts; i++)
		unwind_part__put(parts->parts[i]);
	free(parts->parts);
	*parts = (struct unwind_parts){0};
}

/* ---- arrival ---- */

bool unwind_parts__are_ready(struct unwind_parts *parts, uint64_t now_ns)
{
	while (parts->nr_ready < parts->nr_parts &&
	       !unwind_part__is_awaited(parts->parts[parts->nr_ready], now_ns))
		parts->nr_ready++;
	return parts->nr_ready == parts->nr_parts;
}

size_t unwind_parts__nr_late(const struct unwind_parts *parts)
{
	size_t nr_late = 0;

	for (size_t i = 0; i < parts->nr_parts; i++)
		nr_late += !parts->parts[i]->is_done;
	return nr_late;
}

/* ---- what programs see ---- */

/* Fills in the regions of all parts, at most UNWIND_MAX_REGIONS. Returns their number. */
static uint32_t fill_regions(struct unwind_parts *parts, struct unwind_region *regions)
{
	size_t nr = 0;

	for (size_t i = 0; i < parts->nr_parts; i++) {
		if (nr + MAX_SHARDS > UNWIND_MAX_REGIONS) {
			parts->is_partial = true;
			break;
		}
		nr += unwind_part__regions(parts->parts[i], regions + nr, UNWIND_MAX_REGIONS - nr);
	}
	return (uint32_t)nr;
}

static void set_late(struct unwind_listings *listings, struct unwind_listing *listing,
		     size_t nr_late)
{
	listings->nr_lacking -= listing->nr_late > 0;
	listings->nr_lacking += nr_late > 0;
	listing->nr_late = nr_late;
}

int unwind_listings__publish(struct unwind_listings *listings, struct unwind_listing *listing,
			     uint64_t instance, struct unwind_parts *parts)
{
	struct unwind_listing before = *listing;
	struct unwind_regions list;
	const uint32_t nr = fill_regions(parts, listings->regions);
	int code = unwind_lists__add(listings->lists, listings->regions, nr, &list);

	if (code)
		return code;
	list.is_partial = parts->is_partial;
	code = map_calls__update(listings->map_calls, listings->processes, &instance, &list);
	if (code) {
		unwind_lists__remove(listings->lists, &list);
		return code;
	}

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
