// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mappings are charged to the images that have them. When all together are too much, the largest go
 * first; an image whose mappings went, or are too much alone, is refused: it has none for a while.
 */
#include "processes/images.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/clock.h"
#include "processes/mapped_files.h"
#include "processes/mappings.h"

/* What goes makes room for a while. */
#define LEAVE(max) ((max) / 4 * 3)

static void note_refusal(struct images *images, int32_t pid, bool is_text)
{
	if (images->nr_refusals < MAX_REFUSALS)
		images->refusals[images->nr_refusals] = (struct refusal){pid, is_text};
	if (images->nr_refusals <= MAX_REFUSALS)
		images->nr_refusals++;
}

bool images__take_refusal(struct images *images, struct refusal *refusal)
{
	if (images->nr_told == images->nr_refusals)
		return false;
	*refusal = (struct refusal){0};
	if (images->nr_told < MAX_REFUSALS)
		*refusal = images->refusals[images->nr_told];
	images->nr_told++;
	return true;
}

void images__refuse(struct images *images, struct image *image, bool is_text)
{
	struct mappings *none = mappings__new(images->files);

	if (!none)
		return;
	mappings__free(image->mappings);
	image->mappings = none;
	if (!image->refused_ns)
		note_refusal(images, image->pid, is_text);
	image->is_refused = true;
	image->refused_ns = monotonic_ns();
	images__touch(images, image);
}

/* Of an image, what its mappings cost with all who share them. */
struct cost {
	struct image *image;
	const struct mappings *mappings;
	size_t bytes;
};

struct costs {
	struct cost *costs;
	size_t nr_costs, capacity;
};

static void add_cost(void *context, struct image *image)
{
	struct costs *costs = context;

	if (!image->is_refused &&
	    !array__reserve(&costs->costs, &costs->capacity, costs->nr_costs + 1))
		costs->costs[costs->nr_costs++] = (struct cost){image, image->mappings, 0};
}

static int by_mappings(const void *left, const void *right)
{
	const struct cost *a = left, *b = right;

	return (a->mappings > b->mappings) - (a->mappings < b->mappings);
}

static int largest_first(const void *left, const void *right)
{
	const struct cost *a = left, *b = right;

	return a->bytes != b->bytes ? (a->bytes < b->bytes) - (a->bytes > b->bytes)
				    : by_mappings(left, right);
}

static void count_costs(const struct costs *costs)
{
	struct cost *cost = costs->costs;
	size_t i;

	for (i = 0; i < costs->nr_costs; i++)
		cost[i].bytes = i && cost[i].mappings == cost[i - 1].mappings
					? cost[i - 1].bytes
					: mappings__bytes(cost[i].image->mappings);
}

static void refuse_largest(struct images *images)
{
	struct costs costs = {0};
	const struct cost *cost;
	size_t bytes = images->files->bytes;

	images__visit(images, add_cost, &costs);
	if (!costs.nr_costs)
		return;
	qsort(costs.costs, costs.nr_costs, sizeof(costs.costs[0]), by_mappings);
	count_costs(&costs);
	qsort(costs.costs, costs.nr_costs, sizeof(costs.costs[0]), largest_first);
	for (cost = costs.costs; cost < costs.costs + costs.nr_costs; cost++) {
		if (cost > costs.costs && cost->mappings != cost[-1].mappings) {
			bytes -= bytes > cost[-1].bytes ? cost[-1].bytes : bytes;
			if (bytes <= LEAVE(images->max_bytes))
				break;
		}
		images__refuse(images, cost->image, false);
	}
	free(costs.costs);
	mapped_files__forget(images->files, monotonic_ns());
}

void images__bound(struct images *images, struct image *image)
{
	if (mappings__exceed(image->mappings, images->max_bytes / IMAGE_PART))
		images__refuse(images, image, false);
	if (images->files->bytes <= images->max_bytes)
		return;
	mapped_files__forget(images->files, monotonic_ns());
	if (images->files->bytes > LEAVE(images->max_bytes))
		refuse_largest(images);
}
