// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mappings are charged to the images that have them. If the sum is too large, the largest images
 * lose theirs first. An image that loses its mappings, or is too large alone, is refused: it has
 * none for a while.
 */
#include "processes/images.h"

#include "processes/mapped_files.h"
#include "processes/mappings.h"

/* Evict down to three quarters, so that the next mapping does not evict again. */
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

/* An image, and the memory of its mappings including all that share them. */
struct charge {
	struct image *image;
	const struct mappings *mappings;
	size_t bytes;
};

struct charges {
	struct charge *charges;
	size_t nr_charges, capacity;
};

static void add_charge(void *context, struct image *image)
{
	struct charges *charges = context;

	if (!image->is_refused &&
	    !array__reserve(&charges->charges, &charges->capacity, charges->nr_charges + 1))
		charges->charges[charges->nr_charges++] =
			(struct charge){image, image->mappings, 0};
}

static int by_mappings(const void *left, const void *right)
{
	const struct charge *a = left, *b = right;

	return (a->mappings > b->mappings) - (a->mappings < b->mappings);
}

static int largest_first(const void *left, const void *right)
{
	const struct charge *a = left, *b = right;

	return a->bytes != b->bytes ? (a->bytes < b->bytes) - (a->bytes > b->bytes)
				    : by_mappings(left, right);
}

static void count_charges(const struct charges *charges)
{
	struct charge *charge = charges->charges;
	size_t i;

	for (i = 0; i < charges->nr_charges; i++)
		charge[i].bytes = i && charge[i].mappings == charge[i - 1].mappings
					  ? charge[i - 1].bytes
					  : mappings__bytes(charge[i].image->mappings);
}

static void refuse_largest(struct images *images)
{
	struct charges charges = {0};
	const struct charge *charge;
	size_t bytes = images->files->bytes;

	time_lines__visit(&images->lines, add_charge, &charges);
	if (!charges.nr_charges)
		return;
	qsort(charges.charges, charges.nr_charges, sizeof(charges.charges[0]), by_mappings);
	count_charges(&charges);
	qsort(charges.charges, charges.nr_charges, sizeof(charges.charges[0]), largest_first);
	for (charge = charges.charges; charge < charges.charges + charges.nr_charges; charge++) {
		if (charge > charges.charges && charge->mappings != charge[-1].mappings) {
			bytes -= bytes > charge[-1].bytes ? charge[-1].bytes : bytes;
			if (bytes <= LEAVE(images->max_bytes))
				break;
		}
		images__refuse(images, charge->image, false);
	}
	free(charges.charges);
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
